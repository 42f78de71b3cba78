"""`./course doctor`: what it finds, what it calls missing, and its exit code."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from course_lib.data import installed as data
from course_lib.data import shakespeare
from course_tools.cli import doctor, installed, parts, programs, stamp


def run_doctor(*options: str, **settings) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-P", "-m", "course_tools", "doctor", *options],
        capture_output=True,
        text=True,
        check=False,
        **settings,
    )


@pytest.fixture(scope="module")
def report() -> dict:
    done = run_doctor("--json")
    found = json.loads(done.stdout)
    assert done.returncode == (0 if found["ok"] else 1)
    return found


@pytest.mark.slow
def test_report_as_table_and_as_json_agree(report):
    plain = run_doctor()
    assert plain.returncode == (0 if report["ok"] else 1)
    lines = plain.stdout.splitlines()[: len(report["findings"])]
    for line, finding in zip(lines, report["findings"], strict=True):
        assert line.startswith(finding["state"])
        assert finding["name"] in line
        assert finding["purpose"] in line
        assert ("get it: " in line) == (finding["state"] != "ok")
    names = [finding["name"] for finding in report["findings"]]
    for name in ("Python", "packages", "torch", "Jupyter kernel", "memory", "disk"):
        assert name in names
    kernel = report["findings"][names.index("Jupyter kernel")]
    assert kernel["found"] == "starts; torch says 6 x 7 = 42"
    assert kernel["state"] == "ok"
    assert plain.stderr == ""


@pytest.mark.slow
def test_missing_optional_programs_do_not_fail(tmp_path, report):
    """An empty search path: chromium, bwrap and unshare cannot be found."""
    done = run_doctor("--json", env={**os.environ, "PATH": str(tmp_path)})
    poorer = json.loads(done.stdout)
    states = {finding["name"]: finding for finding in poorer["findings"]}
    for name in ("bubblewrap", "user namespaces"):
        assert states[name]["state"] == "missing"
        assert not states[name]["required"]
        assert states[name]["how"]
    assert poorer["ok"] == report["ok"]


@pytest.fixture
def folder(tmp_path, project_root) -> Path:
    """The version files of the course in a folder without .venv."""
    shutil.copytree(project_root / "requirements", tmp_path / "requirements")
    shutil.copy(project_root / "pyproject.toml", tmp_path)
    return tmp_path


def made(folder: Path) -> Path:
    """The same folder with a .venv in it that has a Python and no stamps."""
    (folder / ".venv/bin").mkdir(parents=True)
    (folder / ".venv/bin/python").symlink_to(sys.executable)
    version = ".".join(map(str, sys.version_info[:3]))
    (folder / ".venv/pyvenv.cfg").write_text(f"version = {version}\n")
    return folder


def test_states_of_venv(folder):
    assert installed.environment(folder).state == "missing"
    finding = installed.environment(made(folder))
    assert (finding.state, finding.found) == ("old", "not finished")
    for part in parts.STUDENT:
        stamp.write(folder, part)
    assert installed.environment(folder).state == "ok"
    lock = folder / "requirements/student.lock"
    lock.write_text(lock.read_text() + "one-more==1.0\n")
    finding = installed.environment(folder)
    assert (finding.state, finding.required) == ("old", True)
    assert finding.found == "made from other versions or elsewhere"
    assert finding.how == "./course setup"


def test_parts_are_listed_and_not_required(folder):
    made(folder)
    stamp.write(folder, "base")
    stamp.write(folder, "grade")
    stamp.write(folder, "test")
    (folder / "requirements/test.lock").write_text("other==1.0\n")
    findings = {f.name: f for f in installed.further_parts(folder)}
    assert not any(f.required for f in findings.values())
    assert findings["part grade"].state == "ok"
    assert findings["part test"].state == "old"
    missing = findings["part develop"]
    assert (missing.state, missing.how) == ("missing", "./course setup develop")


def test_packages_that_are_missing_or_other_than_locked(folder, monkeypatch):
    assert installed.packages(folder)[:3] == ("packages", "missing", "")
    monkeypatch.setattr(installed, "is_inside", lambda root: True)
    lock = folder / "requirements/student.lock"
    elsewhere = "nowhere==7 ; python_version < '3' \\\n    --hash=sha256:00\n"
    lock.write_text(f"numpy==1.0.0\ntqdm==4.70.1 \\\n    --hash=x:0\n{elsewhere}")
    (folder / "requirements/build.lock").write_text("")
    finding = installed.packages(folder)
    assert finding.state == "old"  # beside it, torch and the texts
    assert finding.found == "3 of 4 as in requirements/; not: numpy"
    lock.write_text("no-such-package==1.0\n")
    assert installed.packages(folder).state == "missing"


def test_texts_are_counted_or_missing(folder, monkeypatch):
    assert doctor.texts(folder)[:3] == ("Shakespeare", "missing", "")  # not its Python
    monkeypatch.setattr(doctor, "is_inside", lambda root: True)
    finding = doctor.texts(folder)
    assert (finding.state, finding.required) == ("ok", True)
    assert finding.found == "42 works, each as in shakespeare.tsv"
    shakespeare.works.cache_clear()
    monkeypatch.setattr(data, "find_spec", lambda name: None)
    finding = doctor.texts(folder)
    assert finding.state == "missing"
    assert finding.found.endswith("the package shksprdata, which is not installed")
    assert finding.how == data.GET_IT == "./course setup"


@pytest.mark.parametrize("gpu", [True, False])
@pytest.mark.parametrize("build", ["CPU build", "GPU build", ""])
def test_gpu_packages_that_nobody_needs_are_pointed_out(monkeypatch, gpu, build):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(installed, "gpu_is_seen", lambda: gpu)
    monkeypatch.setattr(installed, "torch_build", lambda: build)
    monkeypatch.setattr(installed, "gpu_packages", lambda: 3 * 2**30)
    torch, *more = installed.torch(Path("."))
    assert ("--cpu-torch" in torch.how) == (build == "" and not gpu)
    if build == "GPU build" and not gpu:
        (finding,) = more
        assert finding.found == "3.0 GiB, but no GPU is seen"
        assert finding.how == "delete .venv, then ./course setup --cpu-torch"
        assert not finding.required
    else:
        assert not more


def test_size_of_gpu_packages_is_that_of_their_files(tmp_path, monkeypatch):
    sizes = {"nvidia_cudnn_cu13": 101, "triton": 211, "cuda_toolkit": 307, "numpy": 1}
    for name, size in sizes.items():
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Name: {name.replace('_', '-')}\nVersion: 1\n")
        (info / "RECORD").write_text(f"{name}.so,sha256=x,{size}\n")
        (tmp_path / f"{name}.so").touch()
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert installed.gpu_packages() == 101 + 211 + 307


def test_missing_required_thing_makes_the_exit_code_1(monkeypatch, capsys):
    absent = installed.package("no-such-package", "this test")
    assert absent.state == "missing"
    monkeypatch.setattr(doctor, "examine", lambda root: [absent])
    assert doctor.main(Path(".")) == 1
    assert "Not ready: no-such-package." in capsys.readouterr().out
    spare = absent._replace(required=False)
    monkeypatch.setattr(doctor, "examine", lambda root: [spare])
    assert doctor.main(Path(".")) == 0
    assert "The course is ready." in capsys.readouterr().out


def test_build_of_torch_is_what_torch_says():
    import torch

    gpu = torch.version.cuda or torch.version.hip
    assert installed.torch_build() == ("GPU build" if gpu else "CPU build")


def test_gpu_build_is_recognised(tmp_path, monkeypatch):
    package = tmp_path / "torch"
    package.mkdir()
    (package / "__init__.py").touch()
    text = (
        "__version__ = '2.13.0'\ncuda: Optional[str] = '13.0'\nhip: Optional = None\n"
    )
    (package / "version.py").write_text(text)
    code = "from course_tools.cli.installed import torch_build; print(torch_build())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert done.stdout == "GPU build\n"


def test_program_off_the_search_path_is_found_newest_first(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    for version in ("9", "17", "15"):
        place = tmp_path / version / "bin"
        place.mkdir(parents=True)
        (place / "postgres").touch()
    server = programs.PROGRAMS["postgres"]
    pattern = str(tmp_path / "*/bin/postgres")
    found = server._replace(places=(pattern,)).find()
    assert found == str(tmp_path / "17/bin/postgres")
    assert server._replace(places=(str(tmp_path / "none/*"),)).find() is None


def test_programs_that_are_found_run():
    for name in programs.PROGRAMS:
        path = programs.find_program(name)
        if path is None:
            assert programs.missing_reason(name).startswith(f"{name} is not installed")
        else:
            assert programs.missing_reason(name) == ""
            assert any(sign.isdigit() for sign in doctor.first_line(path, "--version"))


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_every_program_has_a_way_to_get_it(platform, monkeypatch):
    monkeypatch.setattr(sys, "platform", platform)
    for program in programs.PROGRAMS.values():
        assert len(program.how()) > 10


def test_namespace_trial_agrees_with_the_sandbox(project_root):
    """Where bwrap can unshare the user namespace, the doctor must say so."""
    if not programs.find_program("bwrap"):
        pytest.skip(programs.missing_reason("bwrap"))
    sandbox = ["bwrap", "--unshare-user", "--ro-bind", "/", "/", "true"]
    works = subprocess.run(sandbox, capture_output=True, check=False).returncode == 0
    assert (doctor.namespaces(project_root).state == "ok") == works
    assert "=" in doctor.namespace_setting()


@pytest.mark.skipif(sys.platform != "linux", reason="sandboxes are made on Linux only")
def test_protections_of_grading_are_shown(project_root, monkeypatch):
    findings = {f.name: f for f in doctor.protections(project_root)}
    assert list(findings) == [
        "sandbox",
        "system call filter",
        "memory and process limits",
    ]
    assert findings["sandbox"].state == "ok", findings["sandbox"]
    assert not any(f.required for f in findings.values())
    names = [f.name for f in doctor.examine(project_root)]
    assert set(findings) <= set(names)
    monkeypatch.setattr(sys, "platform", "darwin")
    (only,) = doctor.protections(project_root)
    assert (only.name, only.state, only.how) == ("sandbox", "missing", "use Linux")
