"""nbgrader's settings for this course; plain `nbgrader` commands read them here.

A problem set is written in solutions/SET/ and released to assignments/SET/.  What
students hand in goes to submitted/STUDENT/SET/; autograded/ and feedback/ are made
beside it, and the grades are kept in gradebook.db.
"""

import os
import sysconfig
from pathlib import Path

from course_tools.grading import plugin

c = get_config()  # noqa: F821  (nbgrader puts this name here)

c.CourseDirectory.course_id = "recurrence_to_attention"
c.CourseDirectory.root = str(Path(__file__).resolve().parent)
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "assignments"
c.CourseDirectory.submitted_directory = "submitted"
c.CourseDirectory.autograded_directory = "autograded"
c.CourseDirectory.feedback_directory = "feedback"

# nbgrader calls the program alembic, which lies beside this Python: it is found even
# when .venv is not activated.
os.environ["PATH"] = os.pathsep.join(
    [sysconfig.get_path("scripts"), os.environ.get("PATH", "")]
)

# What stands in the released notebook where the solution was.
c.ClearSolutions.code_stub = {
    "python": '# YOUR CODE HERE\nraise NotImplementedError("not answered yet")'
}
c.ClearSolutions.text_stub = "YOUR ANSWER HERE"

# A slow laptop may need longer than nbgrader's 30 s for a cell, or 60 s for a kernel.
c.Execute.timeout = 60
c.Execute.startup_timeout = 120

# Submissions run in a sandbox, and their tests apart from them; feedback says which
# check failed and why, never how a hidden test reads.
c.Autograde.sanitize_preprocessors = plugin.SANITISE
c.Autograde.autograde_preprocessors = plugin.AUTOGRADE
c.GenerateFeedback.preprocessors = plugin.FEEDBACK
c.HTMLExporter.sanitize_html = True

# `nbgrader collect` follows no link, and takes nothing in another student's name.
c.ExchangeFactory.collect = "course_tools.grading.collect_plugin.Collect"

# `nbgrader export` writes the tables of `./course export`: nbgrader's columns, or with
#   --exporter=course_tools.grading.export_plugins.Canvas (or .Moodle)
# those of a platform. nbgrader's own exporter would keep formulas in students' names.
c.ExportApp.plugin_class = "course_tools.grading.export_plugins.Nbgrader"

# What belongs to the machine and not to the course, such as the exchange of a hub and
# the address of its gradebook, stands in a file of its own, if there is one.
load_subconfig("nbgrader_local.py", path=c.CourseDirectory.root)  # noqa: F821
