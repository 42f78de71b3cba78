"""A real JupyterLab and a real browser, for tests."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeout

# Tests wait for states.  This bound only ends a test that waits for ever: on a machine
# with much other work a page may take minutes to open.
MINUTES = 15
MILLISECONDS = MINUTES * 60_000
PRESSED_AGAIN = 15.0  # seconds after which keys that did nothing are pressed again
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # a page that asks for a file of another machine gets none, here as anywhere
    "--no-proxy-server",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]
SETTINGS = {
    # show all cells, not only those near the window
    "@jupyterlab/notebook-extension/tracker": {"windowingMode": "none"},
    "@jupyterlab/apputils-extension/notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
        "doNotDisturbMode": True,  # no message covers what is to be clicked
    },
    # a test saves nothing, and so is never asked which of two versions is to stay
    "@jupyterlab/docmanager-extension/plugin": {"autosave": False},
}


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def write_settings(folder: Path) -> Path:
    for name, value in SETTINGS.items():
        path = folder / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value))
    return folder


@contextlib.contextmanager
def jupyterlab(books: Path, folder: Path):
    """JupyterLab, started in a folder of notebooks; settings and log go to `folder`."""
    port = free_port()
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += [f"--port={port}", "--ServerApp.port_retries=0"]
    command += ["--IdentityProvider.token=", f"--ServerApp.root_dir={books}"]
    settings = {"JUPYTERLAB_SETTINGS_DIR": str(write_settings(folder / "settings"))}
    settings["JUPYTER_CONFIG_DIR"] = str(folder / "config")  # not the user's own
    environment = {**os.environ, **settings}
    with (folder / "lab.log").open("w") as log:
        server = subprocess.Popen(
            command, cwd=books, env=environment, stdout=log, stderr=log
        )
    try:
        wait_until_it_answers(f"http://127.0.0.1:{port}/api", server)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(MINUTES * 60)


def wait_until_it_answers(address: str, server: subprocess.Popen) -> None:
    end = time.monotonic() + MINUTES * 60
    while time.monotonic() < end:
        if server.poll() is not None:
            raise RuntimeError(f"JupyterLab stopped with code {server.returncode}")
        try:
            urllib.request.urlopen(address, timeout=60).read()
            return
        except OSError:
            time.sleep(0.25)
    raise TimeoutError(f"JupyterLab did not answer within {MINUTES} minutes")


@contextlib.contextmanager
def browser(chromium: str):
    """Headless Chromium."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=chromium, args=FLAGS, timeout=MILLISECONDS
        )
        yield running
        running.close()


def new_page(chromium: Browser, width: int, height: int) -> Page:
    """An empty page that waits for what a test asks of it, and lets no dialog wait."""
    page = chromium.new_page(viewport={"width": width, "height": height})
    page.set_default_timeout(MILLISECONDS)
    # Playwright calls it before every click, and while a click waits
    # (and does not wait for the end of a dialog: another one may take its place)
    dialog = page.locator(".jp-Dialog").first
    page.add_locator_handler(dialog, close_dialog, no_wait_after=True)
    return page


def close_dialog(dialog: Locator) -> None:
    """Answer as a reader who wants to go on: take the kernel that is offered, leave
    all else as it is.  A dead kernel is no matter to go on from."""
    said = dialog.inner_text()
    if "appears to have died" in said:
        raise RuntimeError(said)
    button = ".jp-mod-accept" if "Select Kernel" in said else ".jp-Dialog-button"
    with contextlib.suppress(PlaywrightTimeout):  # then it is tried again
        dialog.locator(button).first.click(timeout=10_000)


@contextlib.contextmanager
def open_page(address: str, chromium: Browser, notebook: str):
    """The notebook in JupyterLab, with its kernel ready."""
    page = new_page(chromium, 1200, 1400)
    page.goto(f"{address}/lab/tree/{notebook}?reset", wait_until="load")
    page.wait_for_selector(".jp-Notebook .jp-Cell")
    page.wait_for_selector('.jp-Notebook-ExecutionIndicator[data-status="idle"]')
    try:
        yield page
    finally:
        end_kernels(address, page)
        page.close()


def sessions(address: str) -> list[dict]:
    """The notebooks that have a kernel."""
    answer = urllib.request.urlopen(f"{address}/api/sessions", timeout=MINUTES * 60)
    return json.load(answer)


def end_kernels(address: str, page: Page) -> None:
    """JupyterLab keeps the kernel of a closed page; the next page is not to
    share the machine with it."""
    cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
    for session in sessions(address):
        page.request.delete(
            f"{address}/api/sessions/{session['id']}",
            headers={"X-XSRFToken": cookies["_xsrf"]},
            timeout=MILLISECONDS,
        )


def choose(page: Page, menu: str, item: str) -> None:
    """Choose from JupyterLab's menus.  While the page settles, a menu closes at once
    or its items have no effect yet, so it is opened until the item can be taken."""
    label = f'.lm-Menu-itemLabel:text-is("{item}")'
    usable = page.locator(f".lm-Menu-item:not(.lm-mod-disabled) {label}")
    marked = page.locator(f".lm-Menu-item.lm-mod-active {label}")
    end = time.monotonic() + MINUTES * 60
    while time.monotonic() < end:
        page.keyboard.press("Escape")  # another click would close an open menu
        page.click(f'.lm-MenuBar-itemLabel:text-is("{menu}")')
        with contextlib.suppress(PlaywrightTimeout):
            usable.hover(timeout=10_000)
            marked.wait_for(timeout=10_000)  # only then does a click choose it
            marked.click(timeout=10_000)
            return
    raise TimeoutError(f"{item} cannot be chosen from the menu {menu}")


PROMPTS = "[...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')]"


def run_all_cells(page: Page) -> None:
    """Run a notebook without stored outputs: [ ] turns to [*], then to a number."""
    started = f"{PROMPTS}.some(prompt => /[*0-9]/.test(prompt.textContent))"
    ended = f"{PROMPTS}.every(prompt => /[0-9]/.test(prompt.textContent))"
    for _ in range(4 * MINUTES):  # a click may be lost
        choose(page, "Run", "Run All Cells")
        if seen(page, lambda: page.evaluate(f"() => {started}"), minutes=0.25):
            break
    else:
        raise TimeoutError("the cells did not start to run")
    if not seen(page, lambda: page.evaluate(f"() => {ended}")):
        raise TimeoutError(f"the cells still ran after {MINUTES} minutes")


def seen(page: Page, condition: Callable[[], bool], minutes: float = MINUTES) -> bool:
    """Whether the condition comes true; dialogs are closed meanwhile."""
    end = time.monotonic() + 60 * minutes
    while not condition():
        if time.monotonic() > end:
            return False
        if (dialog := page.locator(".jp-Dialog").first).is_visible():
            close_dialog(dialog)
        page.wait_for_timeout(250)
    return True


def run_cell(page: Page, cell: Locator) -> None:
    """Run a code cell and wait for its new number.

    A dialog that has just opened takes the keys, and so may a page that is still busy:
    they are pressed again as long as the cell has not begun.
    """
    prompt = cell.locator(".jp-InputPrompt")
    before, pressed = prompt.inner_text(), -PRESSED_AGAIN

    def done() -> bool:
        nonlocal pressed
        now = prompt.inner_text()
        if now == before and time.monotonic() > pressed + PRESSED_AGAIN:
            pressed = time.monotonic()
            with contextlib.suppress(PlaywrightTimeout):
                cell.locator(".cm-content").click(timeout=20_000)
                page.keyboard.press("Control+Enter")
        return now != before and any(letter.isdigit() for letter in now)

    assert seen(page, done), "the cell was not run"


def complaints(page: Page) -> list[str]:
    """Error outputs, stderr, formulas that could not be set, failed callbacks."""
    return page.evaluate(
        "() => [...document.querySelectorAll("
        '\'[data-mime-type="application/vnd.jupyter.error"],'
        '[data-mime-type="application/vnd.jupyter.stderr"],'
        "mjx-merror, .explore-error')].map(e => e.textContent.slice(0, 300))"
    )
