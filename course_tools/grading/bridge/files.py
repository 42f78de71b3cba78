"""The files of a submission folder, carried as bytes into a sandbox."""

import os
import stat
import time

from course_tools.grading.bridge.wire import Wire
from course_tools.grading.limits import (
    CONTROL_BYTES,
    FOLDER_BYTES,
    FOLDER_DEPTH,
    FOLDER_FILES,
    SHOWN_FILE_CHARACTERS,
)
from course_tools.grading.text import writable


def collect(folder, incidents, skip=(".ipynb",)):
    """Return {relative path: bytes} of the plain files below `folder`.

    Links, devices and odd names are left out and named in `incidents`; nothing is
    followed out of the folder.
    """
    found, size = {}, 0
    for path, name in _walk(folder, incidents):
        if name.endswith(tuple(skip)):
            continue
        if len(found) >= FOLDER_FILES:
            incidents.append(f"more than {FOLDER_FILES} files: the rest is left out")
            break
        data = read_plain(path, FOLDER_BYTES - size, incidents, name)
        if data is not None:
            found[name] = data
            size += len(data)
    return found


def _walk(folder, incidents):
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


def read_plain(path, room, incidents, name):
    """Return the bytes of a regular file, or None with the reason in `incidents`."""
    try:
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        descriptor = os.open(path, flags)
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


def _shown(name):
    return writable(name)[:SHOWN_FILE_CHARACTERS]


def send(connection, found, seconds):
    """Send the files as the first frame of a connection, within some seconds."""
    names = list(found)
    wire = Wire(connection, message_limit=CONTROL_BYTES)
    wire.deadline = time.monotonic() + seconds
    wire.send({"files": [os.fsencode(n).hex() for n in names]}, list(found.values()))


def unpack(connection):
    """Receive the first frame and write its files below the current folder."""
    header, buffers = Wire(connection, message_limit=CONTROL_BYTES).receive()
    for encoded, data in zip(header["files"], buffers, strict=True):
        name = os.fsdecode(bytes.fromhex(encoded))
        if os.path.dirname(name):
            os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "wb") as file:
            file.write(data)
