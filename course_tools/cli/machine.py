"""What this computer has.  Standard library only."""

import os
import shutil
from pathlib import Path


def usable_cores() -> int:
    """How many cores this process may use; in a container, perhaps not all."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def gpu_is_seen() -> bool:
    """Whether a GPU that PyTorch could use is here, as far as Linux shows it.

    NVIDIA's driver makes one of the first two, AMD's the third; under WSL, where there
    is no such file, NVIDIA's own program is on the search path.
    """
    places = ("/dev/nvidia0", "/proc/driver/nvidia/version", "/dev/kfd")
    return any(Path(place).exists() for place in places) or bool(
        shutil.which("nvidia-smi")
    )
