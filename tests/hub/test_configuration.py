"""`./course hub`: what it writes, what it refuses, what it finds before it starts."""

import os
import pwd
import re
import socket
import stat
from pathlib import Path
from types import SimpleNamespace

import pytest
from made_course import course
from traitlets.config.loader import PyFileConfigLoader

from course_tools.hub import preflight, spawner

STUDENTS = "id,first_name\nbob,Bob\ncyd,Cyd\nbob,again\n"


@pytest.fixture
def written(tmp_path):
    """A hub's folder, written with the defaults."""
    folder = tmp_path / "hub"
    done = course("hub", folder, "--instructor", "ada", "--instructor", "bo")
    assert done.code == 0, done.errors
    return SimpleNamespace(folder=folder, said=done.text)


def loaded(folder: Path, monkeypatch, name: str = "jupyterhub_config.py"):
    """The configuration as JupyterHub reads it, without a look at this machine."""
    monkeypatch.setattr(preflight, "findings", lambda place: [])
    return PyFileConfigLoader(name, path=str(folder)).load_config()


def strangers(config) -> list[str]:
    """Settings that no class of JupyterHub knows."""
    from jupyterhub import app, auth, proxy

    homes = {
        "JupyterHub": app.JupyterHub,
        "Authenticator": auth.Authenticator,
        "LocalAuthenticator": auth.LocalAuthenticator,
        "PAMAuthenticator": auth.PAMAuthenticator,
        "ConfigurableHTTPProxy": proxy.ConfigurableHTTPProxy,
        "Spawner": spawner.LimitedSpawner.__mro__[2],
        "LimitedSpawner": spawner.LimitedSpawner,
    }
    found = [(home, name) for home in config for name in config[home]]
    known = {home: kind.class_traits(config=True) for home, kind in homes.items()}
    return [f"{home}.{name}" for home, name in found if name not in known.get(home, {})]


def test_every_setting_is_one_that_jupyterhub_knows(written, monkeypatch):
    config = loaded(written.folder, monkeypatch)
    assert strangers(config) == []
    config.JupyterHub.bind_adress = "x"
    config.Nothing.here = 1
    assert strangers(config) == ["JupyterHub.bind_adress", "Nothing.here"]


def test_who_may_come_and_what_they_get(written, monkeypatch):
    config = loaded(written.folder, monkeypatch)
    assert config.Authenticator.allowed_users == {"ada", "bo"}
    assert config.LocalAuthenticator.allowed_groups == {"students"}
    assert "admin_users" not in config.Authenticator
    assert config.Spawner.mem_limit == 4 * 2**30
    assert config.JupyterHub.load_groups == {"instructors": {"users": ["ada", "bo"]}}
    (service,) = config.JupyterHub.services
    assert service["user"] == "grader"
    assert "admin" not in service
    scopes = [role["scopes"] for role in config.JupyterHub.load_roles]
    assert scopes == [["access:services!service=recurrence_to_attention"]]
    assert service["url"].startswith("http://127.0.0.1:")


def test_other_people_other_addresses(tmp_path, monkeypatch):
    (tmp_path / "s.csv").write_text(STUDENTS)
    words = ["--students", tmp_path / "s.csv", "--db", "postgresql+psycopg:///marks"]
    words += ["--authenticator", "jupyterhub.auth.PAMAuthenticator"]
    words += ["--address", "https://hub.example.org:443", "--ssl-key", "/k"]
    words += ["--ssl-cert", "/c", "--memory", "1500M", "--course-id", "seq"]
    done = course("hub", tmp_path / "h", "--instructor", "ada", *words)
    assert done.code == 0, done.errors
    config = loaded(tmp_path / "h", monkeypatch)
    assert config.Authenticator.allowed_users == {"ada", "bob", "cyd"}
    assert "allowed_groups" not in config.LocalAuthenticator
    assert config.JupyterHub.ssl_key == "/k"
    assert config.Spawner.mem_limit == 1500 * 2**20
    assert strangers(config) == []
    own = loaded(tmp_path / "h", monkeypatch, "nbgrader_local.py")
    assert own.CourseDirectory.db_url == "postgresql+psycopg:///marks"
    assert own.CourseDirectory.course_id == "seq"


def test_own_settings_are_read_last(written, monkeypatch):
    own = "c.Spawner.mem_limit = 7\n"
    (written.folder / "local_config.py").write_text(own)
    assert loaded(written.folder, monkeypatch).Spawner.mem_limit == 7


def test_secrets_are_roots_alone_and_students_read_what_is_theirs(written):
    modes = {
        str(path.relative_to(written.folder)): stat.S_IMODE(path.stat().st_mode)
        for path in written.folder.rglob("*")
    }
    assert modes["state"] == 0o700
    assert modes["jupyterhub_config.py"] == modes["nbgrader_local.py"] == 0o600
    assert modes["students/nbgrader_config.py"] == 0o644
    assert modes["students/labconfig"] == 0o755


def test_nothing_is_overwritten_unless_asked_and_then_kept(written):
    config = written.folder / "jupyterhub_config.py"
    config.write_text("# mine")
    again = course("hub", written.folder, "--instructor", "ada")
    assert again.code == 2
    assert "is there already" in again.errors
    assert config.read_text() == "# mine"
    assert course("hub", written.folder, "--instructor", "ada", "--replace").code == 0
    assert (written.folder / "jupyterhub_config.py.before").read_text() == "# mine"
    assert "JupyterHub" in config.read_text()


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ([], "who instructs? --instructor NAME"),
        (["--instructor", "Ada!"], "'Ada!' is no name of an account"),
        (["--instructor", "root"], "root is nobody's account"),
        (["--instructor", "grader"], "an account of its own"),
        (["--memory", "lots"], "--memory 'lots': write it as 2G"),
        (["--memory", "10M"], "at least 1G"),
        (["--processes", "3"], "--processes 3: at least 50"),
        (["--cores", "0"], "--cores 0.0: from 0.1 on"),
        (["--address", "8000"], "write it as http://127.0.0.1:8000"),
        (["--address", "http://[::1"], "write it as http://127.0.0.1:8000"),
        (["--address", "http://0.0.0.0:80"], "passwords would travel unencrypted"),
        (["--address", "https://x.org:443"], "needs --ssl-key and --ssl-cert"),
        (["--ssl-key", "/k"], "--ssl-key and --ssl-cert go together"),
        (["--ssl-key", "k", "--ssl-cert", "/c"], "--ssl-key k: the whole path"),
        (["--authenticator", "dummy"], "lets anybody in under any name"),
        (["--authenticator", "no.such.Class"], "there is no such class"),
        (["--db", "marks.db"], "--db 'marks.db': write it as postgresql"),
        (["--course", "here"], "--course here: the whole path is needed"),
        (["--exchange", "/a b"], "letters, digits"),
        (["--course-id", "a/b"], "--course-id 'a/b'"),
        (["--students", "/no/such.csv"], "/no/such.csv cannot be read: No such file"),
        (["--students", "/"], "--students / cannot be read: Is a directory"),
    ],
)
def test_wrong_words_are_refused_in_one_line(tmp_path, words, line):
    named = [] if not words or "--instructor" in words else ["--instructor", "ada"]
    done = course("hub", tmp_path / "h", *named, *words)
    assert done.code == 2
    assert line in done.errors
    assert len(done.errors.splitlines()) == 1
    assert not (tmp_path / "h").exists()


def test_a_student_cannot_be_an_instructor(tmp_path):
    (tmp_path / "s.txt").write_text("bob\nada\n")
    words = ("--instructor", "ada", "--students", tmp_path / "s.txt")
    done = course("hub", tmp_path / "h", *words)
    assert (done.code, done.errors) == (2, "course: ada cannot be a student as well\n")


def test_it_says_what_to_do_and_check_says_it_again(written):
    assert "there is no account grader: useradd --system" in written.said
    assert "solutions would be read by students" in written.said  # this is a clone
    again = course("hub", written.folder, "--check")
    assert again.code == 1
    assert "there is no account grader" in again.text
    missing = course("hub", written.folder / "none", "--check")
    assert missing.code == 2
    assert "there is no" in missing.errors


# ---- what is found before the doors open


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Everything as it has to be, owned by whoever runs the tests."""
    me = pwd.getpwuid(os.geteuid()).pw_name
    own = tmp_path / "exchange" / "x"
    modes = {own: 0o755, own / "outbound": 0o755, own / "inbound": 0o3733}
    modes |= {own / "feedback": 0o711, tmp_path / "exchange": 0o1777}
    modes |= {tmp_path / "course": 0o700}
    for path, mode in modes.items():
        path.mkdir(parents=True, exist_ok=True)
        path.chmod(mode)
    (tmp_path / "course/nbgrader_config.py").touch()
    (tmp_path / "course/nbgrader_local.py").touch()
    monkeypatch.setattr(preflight, "uid_of", lambda name: os.geteuid())
    words = (tmp_path / "hub", tmp_path / "shared", tmp_path / "course")
    paths = (*map(str, words), str(tmp_path / "exchange"))
    return preflight.Place(*paths, "x", me, (me,), "", ())


def lines(question, place) -> str:
    return "\n".join(question(place))


def test_an_exchange_as_it_should_be(place):
    assert lines(preflight.exchange, place) == ""
    assert lines(preflight.instructors_place, place) == ""


@pytest.mark.parametrize(
    ("name", "mode"),
    [("", 0o777), ("x", 0o777), ("x/inbound", 0o777), ("x/feedback", 0o755)],
)
def test_a_wrong_mode_is_found_and_how_to_mend_it(place, name, mode):
    path = Path(place.exchange, name)
    path.chmod(mode)
    said = lines(preflight.exchange, place)
    wanted = re.search(r"chmod (\d+) (\S+)$", said)
    assert f"has mode {mode:o}" in said
    path.chmod(int(wanted[1], 8))
    assert lines(preflight.exchange, place) == ""


def test_a_link_in_place_of_a_folder_is_found(place, tmp_path):
    inbound = Path(place.exchange, "x/inbound")
    inbound.rmdir()
    inbound.symlink_to(tmp_path)
    assert "is no folder: move it away" in lines(preflight.exchange, place)


def test_a_folder_that_another_made_first_is_found(place, monkeypatch):
    monkeypatch.setattr(preflight, "uid_of", lambda name: 12345)
    assert "look at it, then install -d" in lines(preflight.exchange, place)
    assert "chown -R" in lines(preflight.instructors_place, place)


def test_a_course_that_others_can_read_is_found(place):
    Path(place.course).chmod(0o750)
    assert "chmod 700" in lines(preflight.instructors_place, place)
    (Path(place.course) / "nbgrader_local.py").unlink()
    assert "nbgrader_local.py is missing: install" in lines(
        preflight.instructors_place, place
    )


def test_a_port_that_a_student_has_taken_is_found(tmp_path, place, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as mine:
        port = mine.getsockname()[1]
        assert (port, os.geteuid()) in preflight.listeners()
    table = tmp_path / "tcp"
    row = "0: 0100007F:{} 00000000:0000 {} 00000000:00000000 00:00000000 0 {} 0 1 1\n"
    rows = [row.format("270F", "0A", 12345), row.format("1F91", "0A", 12345)]
    rows.append(row.format("270F", "06", 6789))  # a connection that has ended
    table.write_text("sl local_address rem_address st\n" + "".join(rows))
    monkeypatch.setattr(preflight, "SOCKETS", (str(table), str(tmp_path / "none")))
    said = lines(preflight.port, place)
    assert said.startswith("user 12345 listens on port 9999, the instructors' server's")
    assert said.endswith(": fuser -k -n tcp 9999")


def test_what_students_run_must_be_within_reach_and_roots(tmp_path, place):
    shared = Path(place.shared)
    (shared / ".venv/bin").mkdir(parents=True)
    assert "course setup hub" in lines(preflight.shared_place, place)
    (shared / ".venv/bin/python").touch()
    (shared / "course_tools").mkdir()
    (shared / "course_tools").chmod(0o777)
    shared.chmod(0o750)
    said = lines(preflight.shared_place, place)
    assert f"nobody else can enter {shared}" in said
    assert f"others than root can write to {shared}/course_tools" in said


def test_limits_are_those_of_the_best_kind_there_is(tmp_path):
    assert spawner.make_groups("bob", 2**30, 99, 1.5, str(tmp_path)) == []
    first = {
        "memory": ("memory.limit_in_bytes",),
        "pids": ("pids.max",),
        "cpu": ("cpu.cfs_period_us", "cpu.cfs_quota_us"),
    }
    for name, files in first.items():
        (tmp_path / name / "course-hub-bob").mkdir(parents=True)
        for file in files:
            (tmp_path / name / "course-hub-bob" / file).touch()
    groups = spawner.make_groups("bob", 2**30, 99, 1.5, str(tmp_path))
    assert [Path(group).parent.name for group in groups] == [*first]
    read = {p.name: p.read_text() for g in groups for p in Path(g).iterdir()}
    assert read["memory.limit_in_bytes"] == str(2**30)
    assert (read["pids.max"], read["cpu.cfs_quota_us"]) == ("99", "150000")
    (tmp_path / "cgroup.subtree_control").write_text("cpu memory pids")
    second = tmp_path / "course-hub-bob"
    second.mkdir()
    for file in ("memory.max", "pids.max", "cpu.max"):
        (second / file).touch()
    assert spawner.make_groups("bob", 2**30, 99, 1.5, str(tmp_path)) == [str(second)]
    assert (second / "cpu.max").read_text() == "150000 100000"
