"""A class on a real JupyterHub: real accounts, PAM, a proxy, the exchange, a browser.

It happens on a machine made of namespaces (world.py), so it needs root, and leaves
nothing behind. What happens stands in scenario.py; its tests are reported here one by
one.
"""

import ast
import contextlib
import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as Tree
from glob import glob
from pathlib import Path

import pytest

from course_tools.classroom import handout
from course_tools.grading.sandbox import cgroups
from course_tools.hub.programs import proxy_command
from course_tools.hub.spawner import NAME

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SET = "ps1_rnn"
UNSHARE = ["unshare", "-mnpf", "--mount-proc", "--kill-child"]


def reason() -> str:
    """Why this machine cannot make another one; "" if it can."""
    if sys.platform != "linux" or os.geteuid() != 0:
        return "a hub with accounts of its own needs root on Linux"
    if not shutil.which("unshare") or subprocess.call([*UNSHARE, "true"]):
        return "namespaces cannot be made here (unshare -mnpf --mount-proc)"
    if not proxy_command():
        return "configurable-http-proxy is not installed (the hub's test); get it: " + (
            "npm install -g configurable-http-proxy@5.3.0"
        )
    return ""


pytestmark = [
    pytest.mark.needs("chromium"),
    pytest.mark.slow,
    pytest.mark.skipif(bool(reason()), reason=reason()),
]


def steps() -> list[str]:
    tree = ast.parse((HERE / "scenario.py").read_text("utf-8"))
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return [node.name for node in found if node.name.startswith("test_")]


@pytest.fixture(scope="module")
def reported(tmp_path_factory) -> dict[str, list[str]]:
    """{step: [what went wrong, "" if nothing]}, after the whole story."""
    scratch = tmp_path_factory.mktemp("hub")
    handout.make(ROOT, scratch / "handout", as_zip=False)
    (scratch / "clone").mkdir()
    shutil.copy(ROOT / "nbgrader_config.py", scratch / "clone")
    for name in ("solutions", "assignments"):
        shutil.copytree(ROOT / name / SET, scratch / "clone" / name / SET)
    proxy = Path(proxy_command()[-1])
    told = {"scratch": str(scratch), "root": str(ROOT)}
    told["results"] = str(scratch / "results.xml")
    told["shared"] = [sys.prefix, sys.base_prefix, *modules(proxy)]
    (scratch / "told.json").write_text(json.dumps(told))
    command = [sys.executable, "-P", str(HERE / "world.py"), str(scratch / "told.json")]
    done = subprocess.run([*UNSHARE, *command], capture_output=True, text=True)
    remove_groups()
    assert (scratch / "results.xml").exists(), done.stdout + done.stderr
    return results(scratch / "results.xml")


def remove_groups() -> None:
    """Control groups are the machine's own; empty ones are left by a killed hub."""
    for name in ("bob", "cyd", "eve"):
        for group in glob(f"{cgroups.ROOT}/*/{NAME.format(user=name)}"):
            with contextlib.suppress(OSError):
                os.rmdir(group)


def modules(proxy: Path) -> list[str]:
    """The folder of Node's modules that holds the proxy."""
    above = [parent for parent in proxy.parents if parent.name == "node_modules"]
    return [str(above[-1].parent if above else proxy.parent)]


def results(file: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for case in Tree.parse(file).iter("testcase"):
        wrong = "\n".join(f"{e.tag}: {e.text}" for e in case if e.tag != "system-out")
        found.setdefault(case.get("name", "").partition("[")[0], []).append(wrong)
    return found


@pytest.mark.parametrize("step", steps())
def test_the_hub(reported, step):
    """One after the other: what follows a step that failed was not tried."""
    assert step in reported, f"not tried; before it: {[*reported]}"
    assert not any(reported[step]), "\n".join(reported[step])[-6000:]
