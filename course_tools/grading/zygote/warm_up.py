"""What every process of a judge or a student has done before it meets a notebook."""

import importlib
import sys
from typing import TYPE_CHECKING

from course_tools.grading.limits import Limits

if TYPE_CHECKING:
    from course_tools.grading.bridge.shell import RecordingShell

# numpy loads these when they are first used, which every child would do again
LAZY = ("numpy.random", "numpy.linalg", "numpy.testing", "numpy.fft")


def warm_up() -> "RecordingShell":
    """Import what notebooks use and run one cell of each kind; return the shell."""
    import matplotlib

    matplotlib.use("module://matplotlib_inline.backend_inline")
    import matplotlib.pyplot as plt
    import torch

    for name in LAZY:
        importlib.import_module(name)

    torch.set_num_threads(1)
    from course_tools.grading.bridge.shell import make_shell, use_recorder_streams
    from course_tools.grading.judge import judge  # noqa: F401
    from course_tools.grading.student import student  # noqa: F401

    shell = make_shell(Limits().output)
    streams = sys.stdout, sys.stderr
    use_recorder_streams(shell)
    shell.run_cell("%matplotlib inline")
    shell.run_cell("import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()")
    shell.run_cell("def f():\n    raise ValueError('x')\nf()")
    shell.run_cell("import numpy as np\nnp.ones((2, 2)) @ np.ones(2)\n%who")
    plt.close("all")
    shell.reset(new_session=True)
    shell.execution_count = 1
    shell.user_ns.pop("plt", None)
    shell.recorder.reset()
    sys.stdout, sys.stderr = streams
    return shell
