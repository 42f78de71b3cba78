"""A zip file of a student's, packed in ways that were chosen to do harm."""

import io
import tracemalloc
import zipfile

import pytest

from course_tools.classroom import archive
from course_tools.classroom.archive import Archive, Refused, Room

ZEROS = 64 * 2**20
PACKINGS = [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]


def packed(kind: int, data: bytes) -> io.BytesIO:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", kind) as out:
        out.writestr("nb.ipynb", data)
        out.writestr("other.ipynb", b"{}", zipfile.ZIP_STORED)
    return made


@pytest.mark.parametrize("kind", PACKINGS)
def test_what_unpacks_without_end_is_not_read(kind):
    """zipfile reads as much as was asked for, and unpacks all of it."""
    made = packed(kind, bytes(ZEROS))
    assert made.tell() < ZEROS // 1000
    tracemalloc.start()
    opened = Archive(made)
    assert opened.read("other.ipynb", Room()) == b"{}"
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "nb.ipynb" not in opened.entries
    assert "packed in a rare way" in opened.problems[0]
    assert peak < ZEROS / 8


@pytest.mark.parametrize("kind", [zipfile.ZIP_DEFLATED, *PACKINGS])
def test_a_damaged_entry_stops_nobody(kind, monkeypatch):
    """Each kind of packing has errors of its own."""
    monkeypatch.setattr(archive, "PACKED", (zipfile.ZIP_STORED, kind))
    made = packed(kind, b"".join(b"%d " % n for n in range(9_000)))
    data = bytearray(made.getvalue())
    data[60:1_000] = bytes(b ^ 0xFF for b in data[60:1_000])
    opened = Archive(io.BytesIO(bytes(data)))
    with pytest.raises(Refused, match="is damaged|cannot be unpacked"):
        opened.read("nb.ipynb", Room())
    assert opened.read("other.ipynb", Room()) == b"{}"
