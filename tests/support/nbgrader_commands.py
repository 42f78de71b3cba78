"""Plain nbgrader commands in a course that uses the engine."""

import os
import subprocess
import sys

CONFIG = """
from course_tools.grading import plugin
c.Autograde.sanitize_preprocessors = plugin.SANITISE
c.Autograde.autograde_preprocessors = plugin.AUTOGRADE
c.GenerateFeedback.preprocessors = plugin.FEEDBACK
"""


def nbgrader(folder, *arguments):
    path = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=folder,
        env=dict(os.environ, PATH=path),
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout + done.stderr
