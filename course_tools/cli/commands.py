"""The commands: for each, its arguments and what it does.

The table of all commands is in command_line.py.
Heavy imports stand inside the functions, so that `./course --help` is instant.
"""

import argparse
import gc
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

from course_tools.cli import parts, stamp
from course_tools.errors import CommandError

ROOT = Path(__file__).resolve().parents[2]

# PyTorch's own index of builds without GPU packages, from its installation page.
CPU_WHEELS = "https://download.pytorch.org/whl/cpu"

# Set while `setup` mends what was damaged, so that it tries once and not for ever.
MENDED = "COURSE_SETUP_MENDED"

# Two x86 machines give the same floating-point numbers only with the same instructions
# and the same number of threads.  Stored outputs are compared, so both are fixed.
PINS = {
    "MKL_CBWR": "AVX2",
    "ATEN_CPU_CAPABILITY": "avx2",
    "ONEDNN_MAX_CPU_ISA": "AVX2",
    "OMP_NUM_THREADS": "1",
}


def pin_arithmetic() -> None:
    """Fix instructions and threads for this process; call it before torch is imported.

    Values that are already set stay, so that a developer can measure other settings.
    """
    for name, value in PINS.items():
        os.environ.setdefault(name, value)


def replace_process(command: list[str]) -> int:
    """Run `command` in place of this process, so that Ctrl-C reaches it directly."""
    sys.stdout.flush()
    if os.name != "nt":
        os.execv(command[0], command)
    return subprocess.call(command)


def index_address(text: str) -> str:
    """The argument of --cpu-torch: an address, not something that slipped in."""
    if urlsplit(text).scheme not in ("http", "https", "file"):
        raise argparse.ArgumentTypeError(f"'{text}' is no address of a wheel index")
    return text


def require_notebook(path: Path) -> None:
    """Say at once that a file is not there, before anything heavy is loaded."""
    if not path.is_file():
        raise CommandError(f"no such notebook: {path}", code=2)


def cpu_torch_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cpu-torch",
        nargs="?",
        const=CPU_WHEELS,
        metavar="URL",
        type=index_address,
        help="on first use, take PyTorch's build without GPU packages, which saves "
        f"several GB on Linux; from {CPU_WHEELS} or the given index",
    )


def setup_arguments(parser: argparse.ArgumentParser) -> None:
    cpu_torch_argument(parser)
    parser.add_argument(
        "parts",
        nargs="*",
        metavar="PART",
        type=part_name,
        help="; ".join(f"{name}: {what}" for name, what in parts.CHOICES.items())
        + " (default: student)",
    )
    parser.add_argument("--all", action="store_true", help="every part")


def part_name(text: str) -> str:
    """One of the parts; argparse itself would refuse to have none at all."""
    if text not in parts.CHOICES:
        known = ", ".join(parts.CHOICES)
        raise argparse.ArgumentTypeError(f"there is no part '{text}' ({known})")
    return text


def note_gpu_build(arguments: argparse.Namespace) -> None:
    """--cpu-torch changes nothing once PyTorch is installed; say so if it matters."""
    if arguments.cpu_torch is None:
        return
    from course_tools.cli.installed import torch_build

    if torch_build() == "GPU build":
        print("PyTorch's GPU build is installed; to replace it, delete .venv first.")


def setup(arguments: argparse.Namespace) -> int:
    """The launcher has done the work by the time this runs; this looks after it."""
    from course_tools.cli import installed

    note_gpu_build(arguments)
    if stamp.is_conda_home(str(ROOT)):
        installed.require_conda_packages(ROOT)
    elif MENDED not in os.environ and installed.forget_what_is_damaged(ROOT):
        os.environ[MENDED] = "1"
        again = [sys.executable, str(ROOT / "course"), "setup"]
        return replace_process([*again, *given_to_setup(arguments)])
    print(f"The course is ready in {sys.prefix}")
    return 0


def given_to_setup(arguments: argparse.Namespace) -> list[str]:
    """The arguments of `./course setup`, to start it once more."""
    build = [f"--cpu-torch={arguments.cpu_torch}"] if arguments.cpu_torch else []
    return [*arguments.parts, *(["--all"] if arguments.all else []), *build]


def lab_arguments(parser: argparse.ArgumentParser) -> None:
    cpu_torch_argument(parser)
    parser.add_argument("--no-browser", action="store_true", help="print the address")
    parser.add_argument("--port", type=int, help="default: the first free from 8888")
    parser.epilog = "What follows -- goes to JupyterLab: ./course lab -- --ip=0.0.0.0"


def lab(arguments: argparse.Namespace) -> int:
    from course_tools.cli import jupyter

    note_gpu_build(arguments)
    os.environ.setdefault("COURSE_PROGRESS", str(ROOT / ".progress.jsonl"))
    browser = not arguments.no_browser
    return replace_process(
        jupyter.command(ROOT, arguments.port, browser, arguments.rest)
    )


def test_arguments(parser: argparse.ArgumentParser) -> None:
    cpu_torch_argument(parser)
    parser.add_argument("--fast", action="store_true", help="leave out the slow tests")
    parser.epilog = "All other arguments go to pytest: ./course test -k rnn -x"


def test(arguments: argparse.Namespace) -> int:
    from course_tools.cli.machine import usable_cores
    from course_tools.cli.run_tests import pytest_arguments

    if not (ROOT / "tests").is_dir():
        raise CommandError("this is the students' edition, which has no tests")
    pin_arithmetic()
    given = pytest_arguments(arguments.rest, arguments.fast, usable_cores())
    os.chdir(ROOT)
    return replace_process([sys.executable, "-P", "-m", "pytest", *given])


def tidy_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("notebooks", nargs="+", type=Path, metavar="NOTEBOOK")


def tidy(arguments: argparse.Namespace) -> int:
    for notebook in arguments.notebooks:
        require_notebook(notebook)
    pin_arithmetic()
    from course_tools.authoring import tidy

    return tidy.main([str(notebook) for notebook in arguments.notebooks])


def coverage(arguments: argparse.Namespace) -> int:
    from course_tools.authoring import coverage as table

    return table.main()


def release_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sets", nargs="*", metavar="SET", help="default: all of them")


def release(arguments: argparse.Namespace) -> int:
    from course_tools.authoring import release

    return release.release(arguments.sets) or 0


def grade(arguments: argparse.Namespace) -> int:
    from course_tools.grading.run import zygote_client

    if not arguments.scheduler and not arguments.unsafe:
        zygote_client.begin()  # two seconds of imports there, and one here
    gc.disable()  # imports make nothing that could be collected
    from course_tools.grading import command
    from course_tools.grading.run import coordinator  # noqa: F401

    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()

    return command.run_grade(in_this_course(arguments))


def feedback(arguments: argparse.Namespace) -> int:
    from course_tools.grading import command

    code = command.run_feedback(in_this_course(arguments))
    if arguments.zip:
        from course_tools.classroom import hand_back

        print(hand_back.pack(arguments))
    return code


def export(arguments: argparse.Namespace) -> int:
    from course_tools.grading import command

    return command.run_export(in_this_course(arguments))


def similar(arguments: argparse.Namespace) -> int:
    from course_tools.similar import command

    return command.run_similar(in_this_course(arguments))


def in_this_course(arguments: argparse.Namespace) -> argparse.Namespace:
    """The grading commands work in any course folder; by default in this one."""
    arguments.course = arguments.course or str(ROOT)
    return arguments


def check_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("set", metavar="SET", help="a problem set, such as ps1_rnn")
    parser.add_argument(
        "--notebook", type=Path, metavar="FILE", help="default: the one in assignments/"
    )


def check(arguments: argparse.Namespace) -> int:
    if arguments.notebook:
        require_notebook(arguments.notebook)
    from course_tools.authoring import release

    return release.check(arguments.set, notebook=arguments.notebook)


def book(arguments: argparse.Namespace) -> int:
    pin_arithmetic()
    from course_tools.book import command
    from course_tools.cli.machine import usable_cores
    from course_tools.cli.programs import PROGRAMS

    chromium = PROGRAMS["chromium"].find() if arguments.pdf else None
    return command.run_book(arguments, ROOT, usable_cores(), chromium)


def find(arguments: argparse.Namespace) -> int:
    from course_tools.book import command

    return command.run_find(arguments, ROOT)


def doctor_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="for programs")
    parser.epilog = "It installs nothing; before first use it says what it can."


def doctor(arguments: argparse.Namespace) -> int:
    """Looks into .venv from inside, even when that is only half made."""
    from course_tools.cli import doctor as examination

    if examination.can_look_inside(ROOT):
        again = [str(ROOT / "course"), "doctor"] + ["--json"] * arguments.json
        return replace_process([stamp.venv_python(ROOT), *again])
    return examination.main(ROOT, as_json=arguments.json)


def lock(arguments: argparse.Namespace) -> int:
    from course_tools.cli import lock as versions

    return versions.main(ROOT)
