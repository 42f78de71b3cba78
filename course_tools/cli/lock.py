"""`./course lock`: the exact version and the hashes of everything the course stands on.

For developers: change a version in pyproject.toml (and in environment.yml), run this,
run the tests, commit the files together.  uv resolves for Linux, macOS and Windows and
all Pythons from 3.11 at once; what is locked already stays as it is where it can.
"""

import ast
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from course_tools.atomic import replacing
from course_tools.errors import CommandError

OLDEST = "3.11"

TORCH = """\
# Without a hash: PyTorch's build differs from machine to machine, its version does not.
# Written by `./course lock`.
{pin}
"""


def wanted(root: Path) -> dict[str, list[str]]:
    """For each lock file, what pyproject.toml asks for."""
    file = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    project = file["project"]
    return {
        **file["dependency-groups"],
        "student": project["dependencies"],
        **project["optional-dependencies"],
    }


def index_option() -> list[str]:
    """The index that pip uses here, for uv, which does not read pip's settings.

    Further indexes are left out: one that has only some files of a package would leave
    other systems without their hashes.
    """
    command = [sys.executable, "-I", "-m", "pip", "config", "list"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    addresses = dict(re.findall(r"^(\S+)\.index-url=(.+)$", done.stdout, re.MULTILINE))
    for level in (":env:", "install", "global"):
        if level in addresses:
            return ["--default-index", ast.literal_eval(addresses[level])]
    return []


def compile_lock(
    root: Path, requirements: list[str], target: Path, *options: str
) -> None:
    """Let uv write `target`; versions that are there already are preferred."""
    command = [
        *(sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--universal"),
        *("--python-version", OLDEST, "--no-annotate", "--no-emit-package", "torch"),
        *("--custom-compile-command", "./course lock", "--output-file", str(target)),
        *(*index_option(), *options, "-"),
    ]
    done = subprocess.run(
        command,
        input="\n".join(requirements),
        capture_output=True,
        text=True,
        cwd=root,  # where uv finds its own section of pyproject.toml
        check=False,
    )
    if done.returncode != 0:
        print(done.stderr.rstrip(), file=sys.stderr)
        raise CommandError("uv found no versions that go together; nothing was changed")


def make_locks(root: Path, folder: Path) -> list[Path]:
    """Write all files of requirements/ into `folder`.

    All parts are resolved together first, so that they agree; then each by itself
    within those versions, so that its file names what it needs and no more.
    """
    together = folder / "all"
    stored = sorted((root / "requirements").glob("*.lock"))
    together.write_text("".join(path.read_text("utf-8") for path in stored), "utf-8")
    named = wanted(root)
    compile_lock(root, sum(named.values(), []), together)
    locks = []
    for part, requirements in named.items():
        locks.append(folder / f"{part}.lock")
        options = ("--generate-hashes", "--constraint", str(together))
        compile_lock(root, requirements, locks[-1], *options)
    locks.append(folder / "torch.txt")
    (pin,) = [text for text in named["student"] if text.startswith("torch==")]
    locks[-1].write_text(TORCH.format(pin=pin), "utf-8", newline="\n")
    return locks


def main(root: Path) -> int:
    """Write requirements/; the next start of the course installs what has changed."""
    with tempfile.TemporaryDirectory() as folder:
        for path in make_locks(root, Path(folder)):
            text = path.read_text("utf-8")
            with replacing(root / "requirements" / path.name, 0o644) as draft:
                Path(draft).write_text(text, "utf-8", newline="\n")
            count = len(re.findall(r"^[\w.-]+==", text, re.MULTILINE))
            print(f"requirements/{path.name}: {count} packages")
    return 0
