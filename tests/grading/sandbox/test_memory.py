"""Memory in large pages: what is asked for, and that nothing in it changes."""

import re

import pytest

from course_tools.grading.limits import Limits
from course_tools.grading.run import zygote_client
from course_tools.grading.sandbox import memory

MAPS = """\
7f0000100000-7f0000500000 rw-p 00000000 00:00 0
7f0000600000-7f00007ff000 rw-p 00000000 00:00 0
7f0000800000-7f0000c00000 r--p 00000000 00:00 0
7f0001000000-7f0001800000 rw-p 00000000 00:00 0                          [heap]
7f0002000000-7f0002400000 rw-p 00000000 fd:00 1234                       /lib/x.so
7f0003000000-7f0003200000 rw-s 00000000 00:00 0
7f0004000000-7f0004a01000 rw-p 00000000 00:00 0
"""


def test_only_whole_large_pages_of_plain_memory_are_named():
    pieces = list(memory.large_pieces(MAPS.splitlines(keepends=True)))
    assert pieces == [(0x7F0000200000, 2 << 20), (0x7F0004000000, 10 << 20)]


def test_what_lies_in_memory_stays_as_it_is():
    before = {number: str(number) * 7 for number in range(100_000)}
    memory.use_large_pages()
    assert all(text == str(number) * 7 for number, text in before.items())


def test_a_system_that_knows_no_large_pages_is_no_trouble(monkeypatch):
    monkeypatch.setattr(memory, "MADV_COLLAPSE", 9999)
    memory.use_large_pages()


def test_the_warm_process_lies_in_large_pages():
    zygote = zygote_client.start()
    try:
        child = zygote.fork("judge", Limits(), 0)
        with open(f"/proc/{child.outer_pid()}/smaps") as file:
            kilobytes = large_kilobytes(file.read())
        child.end()
    finally:
        zygote.close()
    if kilobytes == 0:
        pytest.skip("this kernel puts nothing into large pages on demand")
    assert kilobytes > 20_000


def large_kilobytes(smaps: str) -> int:
    """Of plain memory: the heap gets large pages by its own setting."""
    total, counts = 0, False
    for line in smaps.splitlines():
        if re.match(r"[0-9a-f]+-[0-9a-f]+ ", line):
            counts = memory.OWN.match(line) is not None
        elif counts and line.startswith("AnonHugePages:"):
            total += int(line.split()[1])
    return total
