"""Large pages for what Python has allocated: a fork then copies less.

A fork copies one entry for every page of 4 KiB, and Python's own objects fill twenty
thousand of them.  Linux can be asked, since 6.1, to put them into pages of 2 MiB at
once; where it cannot, nothing changes but the time.
"""

import ctypes
import mmap
import re
from collections.abc import Iterable, Iterator

LARGE = 2 << 20
MADV_COLLAPSE = 25  # Python 3.11 has no name for it
# a writable mapping of memory alone: no file, no name, not the stack
OWN = re.compile(r"([0-9a-f]+)-([0-9a-f]+) rw-p \S+ \S+ 0\s*$")
_libc = ctypes.CDLL(None, use_errno=True)


def use_large_pages() -> None:
    """Put what this process has allocated into large pages, as far as Linux does it."""
    with open("/proc/self/maps") as file:
        pieces = list(large_pieces(file))
    for start, size in pieces:
        where = ctypes.c_void_p(start), ctypes.c_size_t(size)
        if _libc.madvise(*where, mmap.MADV_HUGEPAGE) == 0:
            _libc.madvise(*where, MADV_COLLAPSE)


def large_pieces(maps: Iterable[str]) -> Iterator[tuple[int, int]]:
    """(start, size) of what is writable memory and holds whole large pages."""
    for line in maps:
        if found := OWN.match(line):
            first, end = (int(number, 16) for number in found.groups())
            start, end = -(-first // LARGE) * LARGE, end // LARGE * LARGE
            if start < end:
                yield start, end - start
