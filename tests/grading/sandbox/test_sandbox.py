"""The sandbox, as root and through user namespaces, and what happens without one."""

import contextlib
import errno
import os
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from made_notebook import Bench

from course_tools.grading import protections
from course_tools.grading.limits import Limits
from course_tools.grading.run import zygote_client
from course_tools.grading.sandbox import cgroups, namespaces
from course_tools.grading.sandbox import system_call_filter as seccomp
from course_tools.grading.sandbox import system_call_numbers as system_calls

LOOK = """
import os
NET = "/proc/self/net/dev"
status = dict(l.split(":", 1) for l in open("/proc/self/status") if ":" in l)
facts = {
    "pid": os.getpid(),
    "caps": [status[k].strip() for k in ("CapEff", "CapPrm", "CapBnd")],
    "no new": status["NoNewPrivs"].strip(),
    "filter": status["Seccomp"].strip(),
    "others": [p for p in os.listdir("/proc") if p.isdigit() and p != "1"],
    "interfaces": [l.split(":")[0].strip() for l in open(NET) if ":" in l],
    "home": os.getcwd(),
}
def get(name): return facts[name]
def can_write(path):
    try:
        open(path, "w").close()
        return True
    except OSError:
        return False
"""
CHECK = """
assert get("pid") == 1 and get("others") == []
assert set(get("caps")) == {"0" * 16}
assert get("no new") == "1" and get("filter") == FILTER
assert get("interfaces") == ["lo"] and get("home") == "/home/student"
assert can_write("/home/student/x") and can_write("/tmp/x")
assert not can_write("/x") and not can_write("/usr/x") and not can_write("/etc/x")
"""


def check_mode(mode):
    zygote = zygote_client.ZygoteClient(mode)
    try:
        test = CHECK.replace("FILTER", repr("2" if seccomp.available() else "0"))
        ok, message = Bench(zygote).check(LOOK, test)
        assert ok, message
    finally:
        zygote.close()


def test_user_namespace():
    check_mode("user")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can try the way of root")
def test_as_root():
    check_mode("root")


def test_numbers_of_half_the_precision_can_be_multiplied(monkeypatch):
    # with it, torch need not ask what the processor can
    monkeypatch.delenv("ATEN_CPU_CAPABILITY", raising=False)
    code = """
import torch
def product():
    both = torch.ones(2, 3).half(), torch.ones(3, 2).half()
    return (both[0] @ both[1]).float()
"""
    with contextlib.closing(zygote_client.start(many=False)) as zygote:
        ok, message = Bench(zygote).check(code, "assert product().sum() == 12")
    assert ok, message


def test_the_course_folder_is_not_there(bench):
    here = str(Path(__file__).resolve())
    student = f"import os\ndef f(): return os.path.exists({here!r})"
    ok, message = bench.check(student, "assert f() is False")
    assert ok, message


def test_the_interpreter_and_its_packages_are_there(bench):
    student = "import json, sympy, tqdm, torch\ndef f(): return 1"
    ok, message = bench.check(student, "assert f() == 1")
    assert ok, message


@pytest.mark.parametrize("module", ["course_lib", "course_tools"])
def test_our_own_code_is_not_there(bench, module):
    """The cells and layers of lectures are the answers of problem sets."""
    root = str(Path(__file__).resolve().parents[3])
    student = f"""
import importlib, os, sys
def f():
    found = [name for name in sys.modules if name.partition(".")[0] == {module!r}]
    sys.meta_path[:] = [i for i in sys.meta_path if type(i).__name__ != "Hidden"]
    importlib.invalidate_caches()
    sys.path.append({root!r})
    for name in ({module!r}, {module!r} + ".numpy_cells", {module!r} + ".grading"):
        try:
            found.append(importlib.import_module(name).__name__)
        except ImportError:
            pass
    places = [os.path.join(p, {module!r}) for p in sys.path]
    return found + [p for p in places if os.path.isdir(p) and os.listdir(p)]"""
    ok, message = bench.check(student, "assert f() == [], f()")
    assert ok, message


def test_a_copy_among_the_packages_is_covered(tmp_path):
    (tmp_path / "course_lib").mkdir()
    assert namespaces.covered([str(tmp_path)]) == [str(tmp_path / "course_lib")]


def test_a_student_process_takes_all_its_children_along(zygote):
    bench = Bench(zygote)
    spawn = "import subprocess\np = subprocess.Popen(['sleep', '997'])"
    result = bench.run(("student", spawn), ("test", "assert True"))
    assert result.incidents == ("left a process running",)
    running = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True)
    assert "sleep 997" not in running.stdout


def test_a_child_forked_by_a_thread_is_noticed(bench):
    spawn = """
import os, threading, time
def start():
    if os.fork() == 0:
        time.sleep(600)
    time.sleep(5)
threading.Thread(target=start, daemon=True).start()
time.sleep(0.5)
"""
    result = bench.run(("student", spawn), ("test", "assert True"))
    assert result.incidents == ("left a process running",)


def test_everything_ends_with_the_warm_process():
    zygote = zygote_client.start()
    child = zygote.fork("student", Limits(), 0)
    pid = child.outer_pid()
    assert os.path.exists(f"/proc/{pid}")
    zygote.process.kill()
    ended, _, _ = select.select([child.pidfd], [], [], 10)
    zygote.close()
    os.close(child.pidfd)
    assert ended


def test_memory_limit_holds(bench):
    limits = Limits(cell_seconds=20, memory=300 << 20)
    hog = "def hog(n):\n    return sum(len(bytearray(50 << 20)) for _ in range(n))\n"
    hog += "def keep(n):\n    return [bytearray(50 << 20) for _ in range(n)] and 1"
    few, many = bench.verdicts(
        ("student", hog),
        ("test", "assert hog(20) and keep(3)"),
        ("test", "keep(20)"),
        limits=limits,
    )
    assert few.score == 7.0, few.message
    assert many.score == 0.0


def test_protections_are_listed():
    found = {name: (active, words) for name, active, words in protections.protections()}
    assert found["sandbox"][0] is True, found
    assert " core" in found["memory and process limits"][1]
    assert set(found) == {
        "sandbox",
        "system call filter",
        "memory and process limits",
    }


REFUSAL = "no sandbox can be made here (root: OSError:"


def test_refusal_in_one_line():
    """Inside a user namespace that allows no further process spaces."""
    script = """
from course_tools.grading.run import zygote_client
try:
    zygote_client.start()
except zygote_client.NoSandbox as error:
    print("refused", str(error).count(chr(10)), error)
"""
    shell = "for n in pid user; do echo 0 > /proc/sys/user/max_${n}_namespaces; done; "
    done = subprocess.run(
        ["unshare", "-Ur", "sh", "-c", shell + '"$0" -c "$1"', sys.executable, script],
        capture_output=True,
        text=True,
    )
    assert done.stdout.startswith(f"refused 0 {REFUSAL}"), done.stdout + done.stderr


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_filter_program_is_well_formed(machine):
    code = seccomp.program(machine)
    steps = [struct.unpack("<HBBI", code[i : i + 8]) for i in range(0, len(code), 8)]
    for position, (operation, if_true, if_false, _) in enumerate(steps):
        assert position + 1 + max(if_true, if_false) < len(steps) or operation == 0x06
    assert steps[-1] == (0x06, 0, 0, seccomp.ALLOW)


def decide(code, number, first=0, machine="x86_64", third=(0, 0)):
    """Run a filter program on one system call, as the kernel would."""
    words = {0: number, 4: seccomp.ARCHITECTURES[machine], 16: first}
    words.update(zip(seccomp.THIRD_ARGUMENT, third, strict=True))
    position = value = 0
    while True:
        operation, yes, no, k = struct.unpack("<HBBI", code[position * 8 :][:8])
        position += 1
        if operation == 0x20:
            value = words[k]
        elif operation == 0x06:
            return k
        else:
            test = {0x15: value == k, 0x45: bool(value & k), 0x35: value >= k}
            position += yes if test[operation] else no


@pytest.mark.parametrize("machine", system_calls.MACHINES)
def test_filter_refuses_what_it_lists(machine):
    code = seccomp.program(machine)
    for name in seccomp.REFUSED:
        answer = decide(code, system_calls.number_of(name, machine), machine=machine)
        assert answer == seccomp.FAIL | 1, name
    socket_ = system_calls.number_of("socket", machine)
    clone = system_calls.number_of("clone", machine)
    clone3 = system_calls.number_of("clone3", machine)
    for family, allowed in ((1, True), (2, True), (10, True), (16, False), (40, False)):
        answer = decide(code, socket_, family, machine)
        assert (answer == seccomp.ALLOW) is allowed, family
    assert decide(code, clone, 0x1200011, machine) == seccomp.ALLOW
    assert decide(code, clone, 0x10000000, machine) == seccomp.FAIL | errno.EPERM
    assert decide(code, clone3, machine=machine) == seccomp.FAIL | errno.ENOSYS
    assert decide(code, 0, machine=machine) == seccomp.ALLOW
    limit = system_calls.number_of("prlimit64", machine)
    for pointer in ((0, 0), (8, 0), (0, 8), (8, 8)):
        answer = decide(code, limit, machine=machine, third=pointer)
        assert (answer == seccomp.ALLOW) is (pointer == (0, 0)), pointer


def kernel_header(machine):
    """Return the kernel's own list of system calls, or skip: not every machine has it.

    The package of x86_64 holds the general list, too, which aarch64 uses.
    """
    places = {
        "x86_64": ["x86_64-linux-gnu/asm/unistd_64.h", "asm/unistd_64.h"],
        "aarch64": ["asm-generic/unistd.h"],
    }[machine]
    paths = [Path("/usr/include", place) for place in places]
    found = [path for path in paths if path.is_file()]
    if machine == "x86_64" and os.uname().machine != "x86_64":
        found = []  # this folder would then be about another machine
    if not found:
        pytest.skip(f"no {places[0]}: the package linux-libc-dev is not installed")
    return found[0].read_text()


@pytest.mark.parametrize("machine", system_calls.MACHINES)
def test_numbers_of_system_calls_are_those_of_the_kernel(machine):
    lines = re.findall(r"#define __NR_(\w+)\s+(\d+)\b", kernel_header(machine))
    numbers = {name: int(number) for name, number in lines}
    assert len(numbers) > 200
    for name in system_calls.NUMBERS:
        own = system_calls.number_of(name, machine)
        assert own == numbers.get(name, own), name  # a header may be older


def test_every_number_is_used():
    elsewhere = {"socket", "clone", "clone3", "capset", "prlimit64"}
    assert set(seccomp.REFUSED) | elsewhere == set(system_calls.NUMBERS)


def test_an_unknown_machine_has_no_numbers():
    with pytest.raises(KeyError, match="riscv64"):
        system_calls.number_of("mount", "riscv64")


def test_an_unknown_machine_type_is_refused_by_the_filter():
    code = seccomp.program("x86_64")
    assert decide(code, 0, machine="aarch64") == seccomp.FAIL | 1


ORDINARY = """
import sys
import tempfile
sys.path.insert(0, {folder!r})
from made_notebook import Bench
from course_tools.grading.run import zygote_client
import os
assert os.geteuid() == 12345
zygote = zygote_client.start()
assert zygote.mode == "user"
print(Bench(zygote).check("def f(): return 3", "assert f() == 3"))
zygote.close()
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become an ordinary user")
@pytest.mark.skipif(not shutil.which("setpriv"), reason="setpriv is not installed")
def test_as_an_ordinary_user(tmp_path):
    """Root's home, where the interpreter may be, is opened in a private mount space."""
    base = os.path.realpath(sys.base_prefix)
    script = ORDINARY.format(folder=str(Path(__file__).parents[2] / "support"))
    shell = f"""
    set -e
    mkdir {tmp_path}/base && mount --bind {base} {tmp_path}/base
    case {base} in /root/*) mount -t tmpfs none /root; mkdir -p {base};
        chmod 755 /root; mount --bind {tmp_path}/base {base};; esac
    cd / && exec setpriv --reuid 12345 --regid 12345 --clear-groups \
        {sys.executable} -c "$SCRIPT"
    """
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", shell],
        env={"PATH": os.environ["PATH"], "SCRIPT": script, "HOME": "/tmp"},
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == "(True, '')", done.stderr[-2000:]


class TestGroups:
    """Control groups of version 2 and 1, on folders that look like them."""

    def make_v2(self, root):
        (root / "cgroup.subtree_control").write_text("cpu memory pids\n")

    def test_version_2_is_preferred(self, tmp_path):
        self.make_v2(tmp_path)
        kinds = [kind.kind for kind, _ in cgroups.candidates(str(tmp_path))]
        assert kinds == ["cgroup v2"]

    def test_version_2_files(self, tmp_path, monkeypatch):
        group = tmp_path / "g"
        group.mkdir()
        (group / "memory.events").write_text("low 0\noom_kill 2\n")
        made = cgroups.GroupV2(str(tmp_path), "g", Limits(memory=1 << 30, processes=31))
        assert (group / "memory.max").read_text() == str((1 << 30) + (256 << 20))
        assert (group / "pids.max").read_text() == "31"
        assert made.one_core is False
        made.add(4711)
        assert (group / "cgroup.procs").read_text() == "4711"
        assert made.out_of_memory() is False
        (group / "memory.events").write_text("oom_kill 3\n")
        assert made.out_of_memory() is True
        assert made.out_of_memory() is False

    def test_version_2_with_a_limit_of_the_processor(self, tmp_path):
        group = tmp_path / "g"
        group.mkdir()
        (group / "memory.events").write_text("oom_kill 0\n")
        (group / "cpu.max").write_text("max 100000")
        made = cgroups.GroupV2(str(tmp_path), "g", Limits())
        assert made.one_core is True
        assert (group / "cpu.max").read_text() == "100000 100000"

    @pytest.mark.parametrize("cpu", ["cpu", "cpu,cpuacct", None])
    def test_version_1_files(self, tmp_path, cpu):
        for hierarchy in filter(None, ("memory", "pids", cpu)):
            (tmp_path / hierarchy).mkdir()
        (tmp_path / "memory" / "g").mkdir()
        (tmp_path / "memory" / "g" / "memory.oom_control").write_text("oom_kill 0\n")
        made = cgroups.GroupV1(str(tmp_path), "g", Limits())
        assert made.one_core is (cpu is not None)
        made.add(4711)
        assert (tmp_path / "pids" / "g" / "cgroup.procs").read_text() == "4711"
        if cpu is not None:
            folder = tmp_path / cpu / "g"
            assert (folder / "cpu.cfs_quota_us").read_text() == "100000"
            assert (folder / "cpu.cfs_period_us").read_text() == "100000"
            assert (folder / "cgroup.procs").read_text() == "4711"

    def test_a_processor_limit_that_is_refused_is_left_out(self, tmp_path, monkeypatch):
        for hierarchy in ("memory", "pids", "cpu"):
            (tmp_path / hierarchy).mkdir()
        (tmp_path / "memory" / "g").mkdir()
        (tmp_path / "memory" / "g" / "memory.oom_control").write_text("oom_kill 0\n")
        write = cgroups._write

        def refuse(folder, name, value):
            if name.startswith("cpu."):
                raise PermissionError(name)
            write(folder, name, value)

        monkeypatch.setattr(cgroups, "_write", refuse)
        made = cgroups.GroupV1(str(tmp_path), "g", Limits())
        assert made.one_core is False
        assert not (tmp_path / "cpu" / "g").exists()

    def test_nothing_there(self, tmp_path):
        made = cgroups.make_group(1, Limits(), root=str(tmp_path))
        assert made.kind == "rlimits only"
        made.add(1)
        assert made.members() is None

    def test_stale_groups_are_removed(self, tmp_path):
        for name in ("grading-999999999-0", "grading-00ff-1", "other"):
            for hierarchy in ("memory", "cpu"):
                (tmp_path / hierarchy / name).mkdir(parents=True)
        cgroups.remove_stale(str(tmp_path))
        for hierarchy in ("memory", "cpu"):
            assert os.listdir(tmp_path / hierarchy) == ["other"]

    def test_a_group_belongs_to_who_holds_its_lock(self, tmp_path):
        """Not to a process number: another engine may count its processes anew."""
        folder = tmp_path / "memory" / "grading-00ff-1"
        folder.mkdir(parents=True)
        held = cgroups._locked(str(folder))
        assert held is not None
        cgroups.remove_stale(str(tmp_path))
        assert folder.exists()
        assert cgroups._locked(str(folder)) is None
        os.close(held)  # as when its owner ends
        cgroups.remove_stale(str(tmp_path))
        assert not folder.exists()

    def test_the_groups_of_two_engines_have_names_of_their_own(self):
        made = [cgroups.make_group(0, Limits()) for _ in range(2)]
        folders = [folder for group in made for folder in getattr(group, "folders", [])]
        for group in made:
            group.remove()
        assert len(folders) == len(set(folders))
        assert not any(map(os.path.exists, folders))


def test_what_students_can_read_is_known():
    root = Path(__file__).resolve().parents[3]
    assert not namespaces.shows(root)
    assert not namespaces.shows(Path(zygote_client.__file__).parent)
    assert namespaces.shows("/usr/share/course")
    assert namespaces.shows(Path(sys.prefix, "course"))
    assert not namespaces.shows(sys.prefix + "-course")


@pytest.mark.parametrize("place", ["--course", "--submissions"])
def test_a_folder_that_students_could_read_is_refused(place, tmp_path):
    with tempfile.TemporaryDirectory(dir=sys.prefix) as shown:
        folders = {"--course": str(tmp_path), "--submissions": str(tmp_path)}
        words = sum(({**folders, place: shown}).items(), ("grade", "ps1"))
        done = subprocess.run(
            [sys.executable, "-P", "-m", "course_tools", *words],
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "among the programs that submitted code can read" in line
