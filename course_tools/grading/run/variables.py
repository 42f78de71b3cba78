"""Environment variables of every process in which notebooks run."""

from pathlib import Path

THREADS = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "VECLIB_MAXIMUM")
CODE = str(Path(__file__).resolve().parents[3])  # where course_tools lies


def of_every_process() -> dict[str, str]:
    """Return what makes a notebook give the same results on every machine."""
    return {
        "PYTHONPATH": CODE,  # they run the very code of this process
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "NBGRADER_EXECUTION": "autograde",
        "TZ": "UTC",
        **{f"{name}_NUM_THREADS": "1" for name in THREADS},
    }
