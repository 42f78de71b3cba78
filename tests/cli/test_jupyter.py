"""`./course lab`: ports, browsers, and a real JupyterLab from start to Ctrl-C."""

import os
import pty
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import psutil
import pytest
from command_line import complaint

from course_tools.cli import jupyter
from course_tools.errors import CommandError


@pytest.fixture
def busy_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        yield taken.getsockname()[1]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_busy_or_impossible_port_is_one_line(busy_port):
    with pytest.raises(CommandError, match=f"--port {busy_port}: in use"):
        jupyter.choose_port(busy_port)
    for wrong in (0, -1, 70001):
        with pytest.raises(CommandError, match="from 1 to 65535"):
            jupyter.choose_port(wrong)
    assert jupyter.is_free(jupyter.choose_port(None))


def test_lab_without_its_first_page_is_one_line(tmp_path):
    with pytest.raises(CommandError, match="00_start_here.ipynb is missing"):
        jupyter.command(tmp_path, None, False, [])


@pytest.fixture
def first_page(tmp_path) -> Path:
    """A folder with a first page in it."""
    page = tmp_path / jupyter.FIRST_PAGE
    page.parent.mkdir()
    page.write_text('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}')
    return tmp_path


def test_lab_says_when_no_browser_can_be_opened(first_page, monkeypatch, capsys):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("JUPYTER_TOKEN", "abc")
    monkeypatch.setattr(sys, "platform", "linux")
    words = jupyter.command(first_page, None, True, ["--ip=0.0.0.0"])
    said = capsys.readouterr().out
    assert "No browser can be opened" in said
    assert re.search(r"http://localhost:\d+/lab/tree/notebooks/00\S+token=abc", said)
    assert "--no-browser" in words
    assert words[-1] == "--ip=0.0.0.0"
    assert not any("abc" in word for word in words)  # the token stays out of sight
    monkeypatch.setenv("BROWSER", "true")
    assert "--no-browser" not in jupyter.command(first_page, None, True, [])
    assert "No browser" not in capsys.readouterr().out


def open_page(address: str, process: subprocess.Popen, seconds: float = 900) -> str:
    """The page, as soon as the server answers."""
    end = time.monotonic() + seconds
    while True:
        assert process.poll() is None, "the server has ended"
        try:
            with urllib.request.urlopen(address, timeout=60) as answer:
                return answer.read().decode()
        except OSError:
            assert time.monotonic() < end, f"no answer from {address}"
            time.sleep(0.2)


def words_of(process):
    """The command line of a process, which may have ended a moment ago."""
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


@pytest.mark.slow
def test_lab_serves_the_first_page_and_ctrl_c_leaves_nothing_running():
    port = free_port()
    own, terminal = pty.openpty()  # at a terminal Jupyter asks back, unless told not to
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "course_tools", "lab"]
        + ["--no-browser", "--port", str(port), "--", "--ServerApp.quit_button=False"],
        stdin=terminal,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        said = process.stdout.readline()
        (address,) = re.findall(r"JupyterLab: (http://\S+)", said)
        assert f":{port}/lab/tree/notebooks/00_start_here.ipynb?token=" in address
        page = open_page(address, process)
        assert "jupyter-config-data" in page
        assert '"disabled": true' in re.search(r'"news": \{[^}]*\}', page)[0]
        assert '"quitButton": false' in page
        base, token = address.split("/lab/")[0], address.partition("token=")[2]
        start = urllib.request.Request(
            f"{base}/api/kernels", b"{}", {"Authorization": f"token {token}"}
        )
        assert urllib.request.urlopen(start, timeout=900).status == 201
        notebook = f"{base}/api/contents/{jupyter.FIRST_PAGE}?content=0&token={token}"
        assert '"type": "notebook"' in open_page(notebook, process)
        family = psutil.Process(process.pid).children(recursive=True)
        assert any("ipykernel_launcher" in words_of(one) for one in family)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=900)
        _, left = psutil.wait_procs(family, timeout=120)
    finally:
        process.kill()
        os.close(own)
        os.close(terminal)
    assert left == []
    assert process.returncode == 0
    assert jupyter.is_free(port)


@pytest.mark.slow
def test_lab_refuses_a_busy_port(busy_port):
    line = complaint("lab", "--no-browser", "--port", str(busy_port), code=1)
    assert f"--port {busy_port}: in use" in line
