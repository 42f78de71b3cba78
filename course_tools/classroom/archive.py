"""Zip files from anywhere: what may be read of them, and why the rest may not.

Nothing here trusts what an archive says about itself: names, sizes and kinds are
checked, and reading stops at a limit.  Standard library only.
"""

import io
import stat
import zipfile
from pathlib import Path
from typing import IO

from course_tools.errors import CommandError
from course_tools.grading.text import printable

ENTRIES = 20_000  # more than a class of two thousand hands in
FILE_BYTES = 64 * 2**20
SENDER_BYTES = 64 * 2**20  # unpacked, of all files of one student
# The others of zipfile unpack all that they have read, however little was asked for:
# some kilobytes of bzip2 become some gigabytes.
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
DIRECTORY = b"PK\1\2"  # begins what an archive says of each entry
SHOWN = 60  # characters of a name that are shown


class Refused(Exception):
    """Why an entry is not read."""


def shown(name: str) -> str:
    """A name from an archive, harmless on a terminal."""
    text = printable(name)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"


class Room:
    """How much of one student's files may still be unpacked."""

    def __init__(self, size: int = SENDER_BYTES) -> None:
        self.left = size


class Archive:
    """The plain files of a zip file; `problems` says what was left out and why, and
    `refused` under which names.

    What is unpacked for one student takes nothing from the room of another.
    """

    def __init__(self, path: Path | IO[bytes]) -> None:
        self.problems: list[str] = []
        self.refused: list[str] = []
        try:
            self.file = zipfile.ZipFile(path)
        except OSError as error:
            line = f"{path} cannot be read: {error.strerror or error}"
            raise CommandError(line, code=2) from None
        except Exception:  # zipfile has several for archives that are none
            raise CommandError(f"{path} is no zip file", code=2) from None
        self.entries = self._plain()

    def _plain(self) -> dict[str, zipfile.ZipInfo]:
        listed = self.file.infolist()
        if len(listed) > ENTRIES:
            raise CommandError(f"the archive has {len(listed)} entries: too many")
        found: dict[str, zipfile.ZipInfo] = {}
        for info in listed:
            if info.is_dir():
                continue
            reason = why_not(info)
            if not reason and info.filename in found:
                reason = "its name is there twice; the first was taken"
            if reason:
                self.problems.append(f"{shown(info.filename)}: {reason}")
                self.refused.append(info.filename)
            else:
                found[info.filename] = info
        return found

    def read(self, name: str, room_left: Room, limit: int = FILE_BYTES) -> bytes:
        """The bytes of a file, up to a limit; what is refused takes its room, too."""
        room = min(limit, room_left.left)
        room_left.left -= room
        try:
            with self.file.open(self.entries[name]) as stream:
                data = stream.read(room + 1)
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
            raise Refused(f"cannot be unpacked: {shown(str(error))}") from None
        except Exception as error:  # whatever a damaged file makes zlib do
            raise Refused(f"is damaged: {type(error).__name__}") from None
        if len(data) > room:
            raise Refused(f"is larger than {room / 2**20:.0f} MiB when unpacked")
        room_left.left += room - len(data)
        return data


def within(data: bytes) -> Archive:
    """An archive of a student's, within another one."""
    if data.count(DIRECTORY) > ENTRIES:  # zipfile would list them all first
        raise Refused("has too many entries")
    try:
        return Archive(io.BytesIO(data))
    except CommandError:
        raise Refused("is no zip file") from None


def why_not(info: zipfile.ZipInfo) -> str:
    """Why an entry is not to be read, or ""."""
    name, kind = info.filename, stat.S_IFMT(info.external_attr >> 16)
    # Windows programs write \; zipfile cuts a name at a zero byte
    parts = info.orig_filename.replace("\\", "/").split("/")
    if ".." in parts or "." in parts or "" in parts or ":" in parts[0]:
        return "its name leads out of the archive"
    if "\0" in info.orig_filename or "\\" in name:
        return "its name is no path"
    if kind == stat.S_IFLNK:
        return "it is a link"
    if kind not in (0, stat.S_IFREG):
        return "it is no plain file"
    if info.flag_bits & 0x1:
        return "it is encrypted"
    if info.compress_type not in PACKED:
        return "it is packed in a rare way; pack it as zip programs do"
    return ""
