"""`.ci/run`: system packages first, then the README's test command and nothing else."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

PACKAGES = "chromium fonts-dejavu-core bubblewrap postgresql linux-libc-dev"
PROXY = "configurable-http-proxy@5.3.0"
STUB = '#!/bin/sh\necho "{name} $*" >> "{log}"\n{then}\n'


class Surroundings:
    """A copy of .ci/run with a launcher and system programs that only take notes."""

    def __init__(self, folder: Path, script: Path):
        self.folder, self.log = folder, folder / "log"
        (folder / "clone/.ci").mkdir(parents=True)
        (folder / "bin").mkdir()
        shutil.copy(script, folder / "clone/.ci/run")
        for name in ("bash", "dirname"):  # and nothing else that this machine has
            (folder / "bin" / name).symlink_to(shutil.which(name))
        for name, then in {"apt-get": "", "dpkg-query": "", "id": "echo 0"}.items():
            self.stub(f"bin/{name}", then)
        self.stub("bin/npm", "")
        self.stub("clone/course", "echo '=== 3 passed in 0.1s ==='")

    def stub(self, path: str, then: str) -> None:
        file = self.folder / path
        file.write_text(STUB.format(name=file.name, log=self.log, then=then))
        file.chmod(0o755)

    def run(self) -> subprocess.CompletedProcess:
        path = str(self.folder / "bin")
        return subprocess.run(
            ["bash", str(self.folder / "clone/.ci/run")],
            capture_output=True,
            text=True,
            env={"PATH": path},
            check=False,
        )

    def notes(self, name: str) -> list[str]:
        """With which words a program was called."""
        text = self.log.read_text() if self.log.exists() else ""
        return re.findall(rf"^{name} ?(.*)$", text, re.MULTILINE)


@pytest.fixture
def place(tmp_path, project_root) -> Surroundings:
    return Surroundings(tmp_path, project_root / ".ci/run")


def test_missing_packages_are_installed_then_all_tests_run(place):
    done = place.run()
    assert done.returncode == 0, done.stderr
    update, install = place.notes("apt-get")
    assert update.startswith("update")
    assert " -y " in install
    assert install.endswith(PACKAGES)
    assert place.notes("course") == ["test"]
    assert done.stdout.splitlines()[-1] == "=== 3 passed in 0.1s ==="


def test_the_proxy_of_the_hub_is_installed_or_done_without(place):
    place.run()
    assert [note.split()[-1] for note in place.notes("npm")] == [PROXY]
    place.stub("bin/npm", "exit 1")
    done = place.run()
    assert done.returncode == 0
    assert "the hub is not tested" in done.stdout
    place.log.unlink()
    place.stub("bin/configurable-http-proxy", "")
    assert place.run().returncode == 0
    assert place.notes("npm") == []


def test_installed_packages_are_left_alone(place):
    place.stub("bin/dpkg-query", "echo installed")
    assert place.run().returncode == 0
    assert place.notes("apt-get") == []
    assert place.notes("course") == ["test"]


def test_other_users_than_root_install_nothing(place):
    place.stub("bin/id", "echo 1000")
    assert place.run().returncode == 0
    assert place.notes("apt-get") == place.notes("npm") == []


@pytest.mark.parametrize("program", ["clone/course", "bin/apt-get"])
def test_any_failure_fails(place, program):
    place.stub(program, "exit 3")
    assert place.run().returncode == 3


def test_readme_has_the_two_commands(project_root):
    lines = (project_root / "README.md").read_text("utf-8").splitlines()
    commands = {line.partition("#")[0].strip() for line in lines}
    assert {"./course lab", "./course test"} <= commands
