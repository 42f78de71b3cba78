"""Is .venv complete and up to date?  Asked at every start, so it must be quick.

Each part of the course (see parts.py) has a stamp, which the launcher writes as the
very last step of installing that part.  A missing or different stamp therefore means:
never finished, or made from other versions, or made for a folder that has since moved
(scripts and kernels in .venv hold its location).

This file and `course` must parse on old Pythons too, so that these get a clear line
instead of a syntax error.
"""

import glob
import hashlib
import os
import sys

from course_tools.cli import parts


def venv_folder(root):
    return os.path.join(root, ".venv")


def venv_python(root):
    """The interpreter inside .venv."""
    if os.name == "nt":
        return os.path.join(venv_folder(root), "Scripts", "python.exe")
    return os.path.join(venv_folder(root), "bin", "python")


def stamp_file(root, part):
    return os.path.join(venv_folder(root), "course-stamp-" + part)


def venv_version(root):
    """Major and minor version of the Python that made .venv, such as "3.11"."""
    try:
        with open(os.path.join(venv_folder(root), "pyvenv.cfg"), "rb") as stream:
            lines = stream.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return ""
    pairs = [line.partition("=") for line in lines]
    # venv writes "version", virtualenv and uv write "version_info"
    versions = [
        v.strip() for k, _, v in pairs if k.strip() in ("version", "version_info")
    ]
    return ".".join(versions[0].split(".")[:2]) if versions else ""


def fingerprint(root, part):
    """What a part depends on: its version files, the Python, the location."""
    digest = hashlib.sha256()
    for name in parts.FILES[part]:
        with open(os.path.join(root, name), "rb") as stream:
            digest.update(stream.read().replace(b"\r\n", b"\n") + b"\0")
    digest.update(venv_version(root).encode("utf-8") + b"\0")
    digest.update(os.fsencode(os.path.realpath(root)))
    return digest.hexdigest()


def python_is_usable(root):
    """Whether .venv's interpreter exists and is still the version that .venv is for.

    .venv links to the Python that made it.  When the system replaces that Python by a
    newer one, the link leads to an interpreter that looks for packages elsewhere.
    """
    python = venv_python(root)
    if not os.path.exists(python):
        return False
    same = os.path.realpath(python) == os.path.realpath(sys.executable)
    running = ".".join(str(number) for number in sys.version_info[:2])
    return not same or venv_version(root) == running


def is_stamped(root, part):
    """Whether this part was installed to its end, from the present version files."""
    try:
        with open(stamp_file(root, part), "rb") as stream:
            stored = stream.read().decode("ascii", "replace").strip()
        return stored == fingerprint(root, part)
    except OSError:
        return False


def is_current(root, needed):
    """Whether .venv can be used as it is by a command that needs these parts."""
    return python_is_usable(root) and all(is_stamped(root, part) for part in needed)


def write(root, part):
    """Store the stamp in one step, so that it is never half there."""
    draft = stamp_file(root, part) + ".part"
    with open(draft, "w") as stream:
        stream.write(fingerprint(root, part) + "\n")
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(draft, stamp_file(root, part))


def is_conda_home(root, prefix=sys.prefix):
    """Whether the running Python is the conda environment made for this folder.

    Any other conda environment, such as its base, is just a Python to make .venv with.
    """
    if not os.path.isdir(os.path.join(prefix, "conda-meta")):
        return False
    places = ("lib/python3*/site-packages", "Lib/site-packages")
    for place in places:
        pattern = os.path.join(glob.escape(prefix), place, "course_lib-*.dist-info")
        for info in glob.glob(pattern):
            try:
                with open(os.path.join(info, "direct_url.json"), "rb") as stream:
                    text = stream.read().decode("utf-8", "replace")
            except OSError:
                continue
            if f'"{file_address(root)}"' in text:
                return True
    return False


def file_address(path):
    """The path as pip writes it into direct_url.json."""
    from pathlib import Path

    return Path(path).as_uri()
