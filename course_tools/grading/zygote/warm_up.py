"""What every process of a judge or a student has done before it meets a notebook.

Imports take two seconds.  To have run a cell of each kind, a quarter of a second, only
pays where many processes are forked that need not find it out for themselves.
"""

import importlib
import sys
from typing import TYPE_CHECKING

from course_tools.grading.limits import Limits

if TYPE_CHECKING:
    from course_tools.grading.bridge.shell import RecordingShell

# numpy loads these when they are first used, which every child would do again
LAZY = ("numpy.random", "numpy.linalg", "numpy.testing", "numpy.fft")


def warm_up() -> "RecordingShell":
    """Import what notebooks use; return the shell."""
    import matplotlib

    matplotlib.use("module://matplotlib_inline.backend_inline")
    import matplotlib.pyplot  # noqa: F401
    import torch

    for name in LAZY:
        importlib.import_module(name)

    torch.set_num_threads(1)
    # torch asks /sys what the processor can, which is not there in the sandbox
    torch.ones(2, 2, dtype=torch.half).matmul(torch.ones(2, 2, dtype=torch.half))
    from course_tools.grading.bridge.shell import make_shell
    from course_tools.grading.judge import judge  # noqa: F401
    from course_tools.grading.student import student  # noqa: F401

    shell = make_shell(Limits().output)
    _run(shell, "%matplotlib inline")
    return shell


def try_out(shell: "RecordingShell") -> None:
    """Run one cell of each kind."""
    import matplotlib.pyplot as plt

    _run(
        shell,
        "import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()",
        "def f():\n    raise ValueError('x')\nf()",
        "import numpy as np\nnp.ones((2, 2)) @ np.ones(2)\n%who",
    )
    plt.close("all")


def _run(shell: "RecordingShell", *cells: str) -> None:
    """Run cells, and leave nothing of them behind."""
    from course_tools.grading.bridge.shell import use_recorder_streams

    streams = sys.stdout, sys.stderr
    use_recorder_streams(shell)
    for cell in cells:
        shell.run_cell(cell)
    shell.reset(new_session=True)
    shell.execution_count = 1
    shell.user_ns.pop("plt", None)
    shell.recorder.reset()
    sys.stdout, sys.stderr = streams
