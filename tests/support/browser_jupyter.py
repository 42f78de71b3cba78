"""A real JupyterLab and a real browser, for tests."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

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
    },
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
        server.wait(30)


def wait_until_it_answers(address: str, server: subprocess.Popen) -> None:
    for _ in range(480):
        if server.poll() is not None:
            raise RuntimeError(f"JupyterLab stopped with code {server.returncode}")
        try:
            urllib.request.urlopen(address, timeout=2).read()
            return
        except OSError:
            time.sleep(0.25)
    raise TimeoutError("JupyterLab did not answer within two minutes")


@contextlib.contextmanager
def browser(chromium: str):
    """Headless Chromium."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield running
        running.close()


@contextlib.contextmanager
def open_page(address: str, chromium: Browser, notebook: str):
    """The notebook in JupyterLab, with its kernel ready."""
    page = chromium.new_page(viewport={"width": 1200, "height": 1400})
    page.goto(f"{address}/lab/tree/{notebook}?reset", wait_until="load")
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=120_000)
    idle = '.jp-Notebook-ExecutionIndicator[data-status="idle"]'
    page.wait_for_selector(idle, timeout=120_000)
    try:
        yield page
    finally:
        end_kernels(address, page)
        page.close()


def sessions(address: str) -> list[dict]:
    """The notebooks that have a kernel."""
    return json.load(urllib.request.urlopen(f"{address}/api/sessions", timeout=60))


def end_kernels(address: str, page: Page) -> None:
    """JupyterLab keeps the kernel of a closed page; the next page shall not share
    the machine with it."""
    cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
    for session in sessions(address):
        page.request.delete(
            f"{address}/api/sessions/{session['id']}",
            headers={"X-XSRFToken": cookies["_xsrf"]},
        )


PROMPTS = "[...document.querySelectorAll('.jp-CodeCell .jp-InputPrompt')]"


def run_all_cells(page: Page, seconds: int) -> None:
    """Run a notebook without stored outputs: [ ] turns to [*], then to a number."""
    started = f"{PROMPTS}.some(prompt => /[*0-9]/.test(prompt.textContent))"
    ended = f"{PROMPTS}.every(prompt => /[0-9]/.test(prompt.textContent))"
    for _ in range(6):  # a menu that opens while the page settles may take no click
        page.click('.lm-MenuBar-itemLabel:text-is("Run")')
        page.click('.lm-Menu-itemLabel:text-is("Run All Cells")')
        if seen(page, started, seconds=15):
            break
        page.keyboard.press("Escape")
    else:
        raise TimeoutError("the cells did not start to run")
    if not seen(page, ended, seconds):
        raise TimeoutError(f"the cells still ran after {seconds} seconds")


def seen(page: Page, condition: str, seconds: float) -> bool:
    """Whether the condition, in JavaScript, comes true in time."""
    for _ in range(int(4 * seconds)):
        if page.evaluate(f"() => {condition}"):
            return True
        page.wait_for_timeout(250)
    return False


def complaints(page: Page) -> list[str]:
    """Error outputs, stderr, formulas that could not be set, failed callbacks."""
    return page.evaluate(
        "() => [...document.querySelectorAll("
        '\'[data-mime-type="application/vnd.jupyter.error"],'
        '[data-mime-type="application/vnd.jupyter.stderr"],'
        "mjx-merror, .explore-error')].map(e => e.textContent.slice(0, 300))"
    )
