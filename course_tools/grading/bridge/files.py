"""The files of a submission folder, carried as bytes into a sandbox."""

import os
import socket
import stat
import time
from collections.abc import Iterator, Mapping, Sequence

from course_tools.grading.bridge.wire import Wire
from course_tools.grading.limits import (
    CONTROL_BYTES,
    FOLDER_BYTES,
    FOLDER_DEPTH,
    FOLDER_FILES,
    SHOWN_FILE_CHARACTERS,
)
from course_tools.grading.text import writable

# follow no link, wait for no device; Windows knows neither
PLAINLY = os.O_RDONLY
for _flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC"):
    PLAINLY |= getattr(os, _flag, 0)


def collect(
    folder: str, incidents: list[str], skip: Sequence[str] = (".ipynb",)
) -> dict[str, bytes]:
    """Return {relative path: bytes} of the plain files below `folder`.

    Links, devices and odd names are left out and named in `incidents`; nothing is
    followed out of the folder.
    """
    files: dict[str, bytes] = {}
    size = 0
    for path, name in _walk(folder, incidents):
        if name.endswith(tuple(skip)):
            continue
        if len(files) >= FOLDER_FILES:
            incidents.append(f"more than {FOLDER_FILES} files: the rest is left out")
            break
        data = read_plain(path, FOLDER_BYTES - size, incidents, name)
        if data is not None:
            files[name] = data
            size += len(data)
    return files


def _walk(folder: str, incidents: list[str]) -> Iterator[tuple[str, str]]:
    """Yield (path, path below the folder) of all files, following no links."""
    for parent, folders, names in os.walk(folder, followlinks=False):
        for entry in list(folders):
            if os.path.islink(os.path.join(parent, entry)):
                incidents.append(f"link left out: {_shown(entry)}")
                folders.remove(entry)
        if os.path.relpath(parent, folder).count(os.sep) > FOLDER_DEPTH:
            incidents.append("folders nested too deep are left out")
            folders.clear()
        for name in sorted(names):
            path = os.path.join(parent, name)
            yield path, os.path.relpath(path, folder)


def read_plain(path: str, room: int, incidents: list[str], name: str) -> bytes | None:
    """Return the bytes of a regular file, or None with the reason in `incidents`."""
    try:
        descriptor = os.open(path, PLAINLY)
    except OSError:
        incidents.append(f"not a plain file, left out: {_shown(name)}")
        return None
    facts = os.fstat(descriptor)
    if not stat.S_ISREG(facts.st_mode):  # a folder cannot even be made a file object
        os.close(descriptor)
        incidents.append(f"not a plain file, left out: {_shown(name)}")
        return None
    with os.fdopen(descriptor, "rb") as file:
        if facts.st_size > room:
            incidents.append(f"too large, left out: {_shown(name)}")
            return None
        return file.read(room)


def _shown(name: str) -> str:
    return writable(name)[:SHOWN_FILE_CHARACTERS]


def send(
    connection: socket.socket, contents: Mapping[str, bytes], seconds: float
) -> None:
    """Send the files as the first frame of a connection, within some seconds."""
    wire = Wire(connection, message_limit=CONTROL_BYTES)
    wire.deadline = time.monotonic() + seconds
    names = [os.fsencode(name).hex() for name in contents]
    wire.send({"files": names}, list(contents.values()))


def unpack(connection: socket.socket) -> None:
    """Receive the first frame and write its files below the current folder."""
    header, buffers = Wire(connection, message_limit=CONTROL_BYTES).receive()
    for encoded, data in zip(header["files"], buffers, strict=True):
        name = os.fsdecode(bytes.fromhex(encoded))
        if os.path.dirname(name):
            os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "wb") as file:
            file.write(data)
