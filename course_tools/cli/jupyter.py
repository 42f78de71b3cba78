"""How `./course lab` starts JupyterLab: offline, on the first page, address shown."""

import os
import secrets
import socket
import sys
import webbrowser
from pathlib import Path

from course_tools.errors import CommandError

FIRST_PAGE = "notebooks/00_start_here.ipynb"


def is_free(port: int) -> bool:
    """Whether a server can listen on this port of this machine."""
    with socket.socket() as probe:
        if os.name != "nt":  # there, the option would allow sharing a used port
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except (OSError, OverflowError):
            return False
    return True


def choose_port(wanted: int | None) -> int:
    """The wanted port, or the first free one from Jupyter's usual 8888."""
    if wanted is None:
        free = [port for port in range(8888, 8988) if is_free(port)]
        if not free:
            raise CommandError("no free port from 8888 to 8987; choose one with --port")
        return free[0]
    if not 1 <= wanted <= 65535:
        raise CommandError(f"--port {wanted}: a port is a number from 1 to 65535")
    if not is_free(wanted):
        raise CommandError(f"--port {wanted}: in use or not allowed; choose another")
    return wanted


def has_browser() -> bool:
    """Whether a browser window can be opened.

    A text browser without a screen would take over the terminal, so it does not count.
    """
    windows = sys.platform in ("win32", "darwin")
    if not windows and not any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    ):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


def command(
    root: Path, port: int | None, browser: bool, options: list[str]
) -> list[str]:
    """The command that runs JupyterLab; prints the address it will have.

    The token travels in the environment, where other users of the machine cannot see
    it, and not among the arguments, where they can.
    """
    if not (root / FIRST_PAGE).is_file():
        raise CommandError(f"{root / FIRST_PAGE} is missing: get the course again")
    port = choose_port(port)
    token = os.environ.setdefault("JUPYTER_TOKEN", secrets.token_hex(24))
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"
    if browser and not has_browser():
        print("No browser can be opened from here; open this address yourself:")
        browser = False
    print(f"JupyterLab: http://localhost:{port}/lab/tree/{FIRST_PAGE}?token={token}")
    print("It answers in a few seconds. Ctrl-C stops it.")
    return [
        *(sys.executable, "-P", "-m", "jupyterlab"),
        *(f"--port={port}", "--ServerApp.port_retries=0"),
        f"--ServerApp.root_dir={root}",
        f"--LabApp.default_url=/lab/tree/{FIRST_PAGE}",
        # stay offline: no news, no look for updates or extensions, no questions
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.extension_manager=readonly",
        # what passes between server and kernel stays unread by other users
        "--KernelManager.transport_encryption=auto",
        "--log-level=WARN",
        "-y",
        *([] if browser else ["--no-browser"]),
        *(["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),
        *options,
    ]
