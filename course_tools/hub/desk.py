"""How a student's server starts: lectures brought to the own folder, then JupyterLab.

This runs as the student. The course lies in a shared place that students cannot write
to; a notebook is for writing in. So each start brings the lectures as `./course
update` does: what the student has written stays, and the new one is put beside it.
"""

import os
import sys
from pathlib import Path

from course_tools.classroom import edition, update
from course_tools.classroom.update import Edition

SHARED = Path(__file__).resolve().parents[2]
DESK = "COURSE_DESK"  # the student's folder, below the home unless it begins with /
LECTURES = "notebooks/"
# As `./course lab`: offline, no questions, kernels that only their user can reach.
OPTIONS = (
    "--LabApp.news_url=None",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.extension_manager=readonly",
    "--KernelManager.transport_encryption=auto",
    "--LanguageServerManager.autodetect=False",  # half a gigabyte for each student
)


def bring(shared: Path, desk: Path) -> str:
    """Bring new lectures to a student's folder; returns what to tell the log."""
    handed_out = edition.read(shared)
    if handed_out is None:
        return f"{shared} is no hand-out; nothing was brought"
    names = [name for name in handed_out.files if name.startswith(LECTURES)]
    found = {name: (shared / name).read_bytes() for name in names}
    files = {name: handed_out.files[name] for name in names}
    new = Edition(handed_out.version, handed_out.date, files)
    desk.mkdir(mode=0o700, parents=True, exist_ok=True)
    return update.report(update.bring(desk, found, new), new, found)


def main() -> None:
    os.umask(0o077)
    desk = Path.home() / os.environ.get(DESK, "course")
    try:
        print(bring(SHARED, desk), flush=True)
    except Exception as error:  # a full disk, say: the student still needs a server
        print(f"lectures not brought: {error}", file=sys.stderr, flush=True)
    os.environ[DESK] = str(desk)
    os.environ["COURSE_PROGRESS"] = str(desk / ".progress.jsonl")
    root = desk if desk.is_dir() else Path.home()
    os.chdir(root)  # where nbgrader puts what is fetched
    command = [sys.executable, "-P", "-m", "jupyterhub.singleuser"]
    given = [f"--ServerApp.root_dir={root}", *OPTIONS, *sys.argv[1:]]
    os.execv(sys.executable, command + given)


if __name__ == "__main__":
    main()
