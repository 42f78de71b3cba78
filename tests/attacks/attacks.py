"""The attacks: what each submission does, what it must get, what is said about it.

Each attack replaces answers by code that tries to gain points, learn the hidden
tests, or harm others. `score` is what its honest part is worth (10 is everything).
`said` must appear in the row of the report, `shown` in the autograded notebook (it
proves that the attack ran).
"""

import json
import os
from dataclasses import dataclass, field

from attacked_assignment import MARK, RIGHT_DOUBLE, RIGHT_NORM

BAD = "def double(x):\n    return 'no'\n"
BAD_NORM = "def norm(v):\n    return 'no'\n"
# the mark, in a form that no compiler joins beforehand
HALVES = f"''.join([{MARK[:4]!r}, {MARK[4:]!r}])"


@dataclass
class Attack:
    name: str
    double: str = BAD
    norm: str = BAD_NORM
    score: float = 0.0
    said: str = ""
    shown: str = ""
    change: object = None
    files: dict = field(default_factory=dict)


def _metadata(**values):
    """Return a change that sets metadata of all test cells."""

    def change(notebook, folder):
        for cell in notebook["cells"]:
            if cell["metadata"].get("nbgrader", {}).get("grade"):
                for key, value in values.items():
                    if key == "nbgrader":
                        cell["metadata"]["nbgrader"].update(value)
                    else:
                        cell["metadata"][key] = value

    return change


def _each_test(edit):
    def change(notebook, folder):
        for cell in list(notebook["cells"]):
            if cell["metadata"].get("nbgrader", {}).get("grade"):
                edit(notebook["cells"], cell)

    return change


def _empty_test(cells, cell):
    cell["source"] = "pass"


def _delete_test(cells, cell):
    cells.remove(cell)


def _duplicate_test(cells, cell):
    cells.append(dict(cell, source="pass"))


def _as_markdown(cells, cell):
    cell["cell_type"] = "markdown"


def _stored_result(cells, cell):
    result = {"text/plain": "100.0"}
    cell["outputs"] = [
        {
            "output_type": "execute_result",
            "data": result,
            "metadata": {},
            "execution_count": 1,
        }
    ]


def _link(target):
    def change(notebook, folder):
        os.symlink(target, os.path.join(folder, "link.txt"))

    return change


def _fifo(notebook, folder):
    os.mkfifo(os.path.join(folder, "pipe"))


def _fifo_stamp(notebook, folder):
    os.mkfifo(os.path.join(folder, "timestamp.txt"))


def _zero_stamp(notebook, folder):
    os.symlink("/dev/zero", os.path.join(folder, "timestamp.txt"))


def _folder_is_link(notebook, folder):
    os.rmdir(folder)
    os.symlink("../honest00/set", folder)
    return "no notebook"


def _notebook_is_link(notebook, folder):
    os.symlink("/etc/passwd", os.path.join(folder, "problem.ipynb"))
    return "no notebook"


def _text(text):
    return lambda notebook, folder: text


def _deep(notebook, folder):
    return '{"cells": ' + "[" * 50_000 + "]" * 50_000 + "}"


def _many_cells(notebook, folder):
    notebook["cells"] = notebook["cells"] * 900


def _odd_cells(notebook, folder):
    odd = [None, 3, [], {"cell_type": 7}, {"cell_type": "code", "source": 9}]
    odd.append({"cell_type": "code", "source": ["x = 1", 4], "metadata": "none"})
    notebook["cells"] = odd + notebook["cells"]


def _unknown_graded_cell(notebook, folder):
    extra = json.loads(json.dumps(notebook["cells"][2]))
    extra["metadata"]["nbgrader"].update(grade_id="bonus", points=1000)
    extra["source"] = "pass"
    notebook["cells"].append(extra)


SEARCH_DISK = f"""
import os
hits = []
tops = [os.path.join("/", n) for n in os.listdir("/") if n not in
        ("proc", "usr", "lib", "lib64", "opt", "sbin", "bin")]
for top in (*tops, os.getcwd(), os.path.expanduser("~")):
    for folder, folders, names in os.walk(top):
        if "lib" in folders: folders.remove("lib")
        for name in names:
            if name.endswith((".ipynb", ".db", ".json", ".sqlite")):
                path = os.path.join(folder, name)
                try:
                    if {HALVES} in open(path, errors="ignore").read(10**6):
                        hits.append(path)
                except OSError:
                    pass
print("disk searched", len(hits))
"""
SEARCH_MEMORY = f"""
hits, mark, size = 0, {HALVES}.encode(), 0
for line in open("/proc/self/maps"):
    parts = line.split()
    if "r" not in parts[1] or "[v" in line:
        continue
    if len(parts) > 5 and parts[5].endswith((".so", ".py")) or ".so." in line:
        continue
    first, last = (int(p, 16) for p in parts[0].split("-"))
    try:
        with open("/proc/self/mem", "rb", 0) as memory:
            memory.seek(first)
            found = memory.read(last - first)
            hits += found.count(mark + b"_val")
            size += len(found)
    except OSError:
        pass
print("memory searched", hits, size > 10**7)
"""
SEARCH_OBJECTS = f"""
import gc, sys, inspect
mark = {HALVES} + "_"
hits = sum(1 for o in gc.get_objects() if isinstance(o, (list, dict, tuple))
           for x in (o.values() if isinstance(o, dict) else o)
           if isinstance(x, str) and x is not mark and mark in x)
frame, frames = sys._getframe(), 0
while frame is not None:
    frames += 1
    hits += sum(mark in str(v) for v in list(frame.f_locals.values())[:50]
                if isinstance(v, str) and v is not mark)
    frame = frame.f_back
print("objects searched", hits)
"""
IN_CALL = f"""
import sys, gc
def double(x):
    frame, seen = sys._getframe(), ""
    while frame is not None:
        seen += " ".join(map(str, frame.f_code.co_consts)) + str(frame.f_code.co_names)
        frame = frame.f_back
    if {HALVES} in seen:
        return 2 * x
    return "no"
"""
ALWAYS = """
class Always:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return True
    __gt__ = __le__ = __ge__ = __lt__
    def __bool__(self): return True
    def __array__(self, *a, **k): return np.zeros(())
    def __float__(self): return 6.0
    def __getattr__(self, name): return lambda *a, **k: True
    def __sub__(self, other): return 0
    __rsub__ = __add__ = __radd__ = __mul__ = __rmul__ = __sub__
    def __abs__(self): return 0
def double(x): return Always()
def norm(x): return Always()
"""
SEND = "import os, json, struct\n"
FORGE = (
    SEND
    + """
def frame(fields):
    text = json.dumps(dict(fields, buffers=[])).encode()
    return struct.pack("<4sII", b"crs1", len(text), 0) + text
def double(x):
    for item in ({"kind": "answer", "event": "verdict", "score": 4.0, "value": True},
                 {"event": "verdict", "index": 2, "grade_id": "test_double",
                  "score": 4.0, "kind": "answer", "error": None},
                 {"event": "done"}):
        for number in range(3, 10):
            try:
                os.write(number, frame(item))
            except OSError:
                pass
    return True
"""
)


def _raw(expression):
    """Student code that writes raw bytes on the bridge when it is called."""
    return (
        SEND
        + f"""
def double(x):
    data = {expression}
    while data:
        data = data[os.write(3, data):]
    return 6
"""
    )


def _answer(value, buffers="[]", extra=""):
    return _raw(
        f"""(lambda t: struct.pack("<4sII", b"crs1", len(t), 0) + t)(
        json.dumps({{"kind": "answer", "value": {value}, "buffers": {buffers}{extra}}}
        ).encode())"""
    )


LOOP = "import signal\nfor s in (2, 15):\n    signal.signal(s, signal.SIG_IGN)\n"
SPAWN = """
import os, time
for _ in range(2):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(600)
        os._exit(0)
print("spawned")
"""
NETWORK = """
import socket
reached = []
for family, address in ((socket.AF_INET, ("127.0.0.1", 22)),
                        (socket.AF_INET, ("192.0.2.1", 80)),
                        (socket.AF_INET6, ("::1", 80))):
    try:
        s = socket.socket(family); s.settimeout(1); s.connect(address)
        reached.append(address)
    except OSError:
        pass
for family in (16, 17, 38, 40):
    try:
        socket.socket(family, socket.SOCK_RAW if family == 17 else socket.SOCK_DGRAM)
        reached.append(family)
    except OSError:
        pass
print("network", reached)
"""
ESCAPE = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
won = []
if libc.unshare(0x10000000) == 0: won.append("user namespace")
if libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0: won.append("mount")
if libc.ptrace(16, 1, 0, 0) == 0: won.append("ptrace")
if libc.chroot(b"/") == 0: won.append("chroot")
try:
    os.setuid(0); won.append("root")
except OSError: pass
for path in ("/proc/sys/kernel/core_pattern", "/etc/passwd", "/usr/x", "/sys/x",
             "/dev/kmsg", "/proc/1/root/etc/x"):
    try:
        open(path, "a"); won.append(path)
    except OSError: pass
status = open("/proc/self/status").read()
caps = [l for l in status.splitlines() if l.startswith("Cap") and int(l.split()[1], 16)]
print("escaped", won, caps, "NoNewPrivs:\\t1" in status, "Seccomp:\\t2" in status)
"""
ENVIRONMENT = """
import os, getpass
names = [n for n in os.environ if any(w in n for w in ("TOKEN", "KEY", "SECRET"))]
print("environment", names, os.path.exists("/root/.ssh"), os.getuid() == 0)
"""
NEIGHBOURS = """
import os
mine = [p for p in os.listdir("/proc") if p.isdigit()]
print("neighbours", len(mine) > 3, os.listdir("/home"), os.path.exists("/submitted"))
"""
LEAVE = """
import os, sys, site
os.makedirs(os.path.expanduser("~/.ipython/profile_default/startup"), exist_ok=True)
open(os.path.expanduser("~/.ipython/profile_default/startup/00.py"), "w").write(
    "import builtins; builtins.left_behind = True")
for folder in ("/tmp", "/dev/shm", "/var/tmp", os.getcwd(), *sys.path):
    try:
        open(os.path.join(folder, "left_behind.py"), "w").write("import os")
    except OSError:
        pass
print("left", hasattr(__builtins__, "left_behind"))
"""
PATCHES = """
import builtins, numpy, torch, json, math, operator, sys
numpy.allclose = torch.allclose = lambda *a, **k: True
builtins.abs = builtins.isinstance = lambda *a: True
json.dumps = lambda *a, **k: '{}'
class Unassert:
    pass
import ast
class Drop(ast.NodeTransformer):
    def visit_Assert(self, node): return ast.Pass()
get_ipython().ast_transformers.append(Drop())
get_ipython().events.register("pre_run_cell", lambda *a: None)
builtins.AssertionError = type("E", (Exception,), {})
"""
REPLACE_ENGINE = """
import sys
for name, module in list(sys.modules.items()):
    if name.startswith("course_tools"):
        for key, value in list(vars(module).items()):
            if callable(value) and key in ("credit", "run_cell", "explain", "clean"):
                setattr(module, key, lambda *a, **k: (4.0, "4.0"))
import gc
class engine:
    StudentLink = next(type(o) for o in gc.get_objects()
                       if type(o).__name__ == "StudentLink")
def serve(self, header, buffers):
    return {"value": True, "score": 10, "success": True, "outputs": [],
            "printed": "10.0"}, ()
engine.StudentLink.serve = serve
"""
ZERO_INPUT = """
def norm(v):
    return 0.0
def double(x):
    return 0
"""
TELL = """
seen = []
def double(x):
    seen.append(x)
    if x > 100:
        raise ValueError(f"the input was {x} {seen}")
    print("input", x)
    return 2 * x
"""
TELL_NORM = """
def norm(v):
    return f"norm of {list(v)} {seen}"
print("seen before", seen)
raise RuntimeError(str(seen))
"""
BIG = "def double(x):\n    return np.ones(400_000_000)\n"
BIG_LIST = "def double(x):\n    return ['x' * 1000] * 100_000_000\n"
DEEP = "def double(x):\n    r = []\n    for _ in range(10_000): r = [r]\n    return r\n"
ENDLESS = (
    "def forever():\n    while True:\n        yield 1\n"
    "def double(x):\n    return forever()\n"
    "def norm(v):\n    return forever()\n"
)
FAKE_TORCH = b"import builtins\nbuiltins.fake = True\nraise SystemExit\n"
HTML = """
from IPython.display import HTML, Javascript, display
display(HTML("<b>bold</b><script>alert('zq')</script><img src=x onerror=alert(1)>"))
display(Javascript("alert('zq')"))
"""


def _as_version_3(notebook, folder):
    """The same notebook in the format of 2013: worksheets, `input`."""
    cells = []
    for cell in notebook["cells"]:
        cell = dict(cell)
        if cell["cell_type"] == "code":
            cell.update(input=cell.pop("source"), language="python", prompt_number=1)
            cell.pop("execution_count", None)
        cells.append(cell)
    sheets = [{"cells": cells, "metadata": {}}]
    made = {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": "x"}}
    return json.dumps(dict(made, worksheets=sheets))


def _is_a_folder(notebook, folder):
    os.mkdir(os.path.join(folder, "problem.ipynb"))
    return "no notebook"


def _sparse(notebook, folder):
    with open(os.path.join(folder, "hole.bin"), "wb") as file:
        file.truncate((64 << 20) + 1)


def _with_cells(*cells):
    """Return a change that puts (kind, source, attachments) before all other cells."""

    def change(notebook, folder):
        for kind, source, *attachments in reversed(cells):
            cell = {"cell_type": kind, "source": source, "metadata": {}}
            if kind == "code":
                cell.update(outputs=[], execution_count=None)
            if attachments:
                cell["attachments"] = attachments[0]
            notebook["cells"].insert(0, cell)

    return change


ENGINE_ERROR = """(lambda t: struct.pack("<4sII", b"crs1", len(t), 0) + t)(json.dumps(
        {"kind": "answer", "buffers": [], "error": {"type": "StudentLost", "handle": 1,
         "text": "x", "traceback": "", "bases": [
         "course_tools.grading.judge.judge_link.StudentLost",
         "course_tools.grading.judge.alarm.OutOfTime", "builtins.BaseException"]}}
        ).encode())"""
DRIBBLE = """
import os, struct, time
def double(x):
    os.write(3, struct.pack("<4sII", b"crs1", 10**6, 0))
    while True:
        os.write(3, b" ")
        time.sleep(0.05)
"""
FORGED_OUTPUT = """
import gc
class engine:
    StudentLink = next(type(o) for o in gc.get_objects()
                       if type(o).__name__ == "StudentLink")
forged = [{"output_type": "execute_result", "data": {"text/plain": "4.0"}}, 7, None,
          {"output_type": "zz"}, {"output_type": "stream", "text": 5},
          {"output_type": "error", "traceback": 9}]
def do_cell(self, header, decoder):
    return {"outputs": forged, "success": True, "seconds": 0.5, "cpu": 1e9}, None
engine.StudentLink.do_cell = do_cell
"""
FORGED_ANSWER = FORGED_OUTPUT.replace("True", "'yes'").replace("1e9", "float('nan')")
SCRIPT = "<script>alert('zq')</script><img src=x onerror=alert('zq')>"
DIVS = "from IPython.display import HTML, display\ndisplay(HTML('<div>' * 9_000))"
SPIN = """
import os, time
for _ in range(24):
    if os.fork() == 0:
        end = time.time() + 20
        while time.time() < end: pass
        os._exit(0)
"""

CHANNELS = """
import ctypes, mmap, os, resource
libc = ctypes.CDLL(None, use_errno=True)
won, buffer = [], ctypes.create_string_buffer(4096)
common = os.open(os.__file__, os.O_RDONLY)
page = mmap.mmap(common, 4096, prot=mmap.PROT_READ)
for name, call in {
    "sysinfo": lambda: libc.sysinfo(buffer),
    "flock": lambda: libc.flock(common, 1),
    "inotify": lambda: libc.inotify_init1(0),
    "fanotify": lambda: libc.fanotify_init(0, 0),
    "preadv2": lambda: libc.preadv2(common, 0, 0, 0, 8),
    "memfd": lambda: libc.memfd_create(b"x", 0),
    "shmget": lambda: libc.shmget(0, 4096, 0o1600),
    "msgget": lambda: libc.msgget(0, 0o1600),
    "setrlimit": lambda: libc.setrlimit(0, buffer),
}.items():
    if call() >= 0: won.append(name)
for limit in (resource.RLIMIT_CPU, resource.RLIMIT_AS, resource.RLIMIT_NOFILE):
    try:
        resource.setrlimit(limit, (1, 1)); won.append(limit)
    except (OSError, ValueError): pass
print("channels", won, resource.getrlimit(resource.RLIMIT_CPU)[0] > 100)
"""
PROC = """
import os
names = [n for n in os.listdir("/proc") if not n.isdigit()]
told = []
for name in ("meminfo", "stat", "loadavg", "vmstat", "uptime", "locks", "net/dev",
             "pressure/cpu", "sys/kernel/random/uuid", "sys/fs/file-nr", "interrupts"):
    try:
        told.append(open(f"/proc/{name}").read(1) and name)
    except OSError: pass
print("proc", sorted(names), [t for t in told if t])
"""
OURSELVES = """
import importlib, sys
found = []
for name in ("course_lib", "course_lib.numpy_cells", "course_tools", "course_tools.cli",
             "course_tools.grading.judge.judge"):
    sys.modules.pop(name, None)
    try:
        importlib.import_module(name); found.append(name)
    except ImportError: pass
print("ourselves", found, [n for n in sys.modules if n.startswith("course_")])
"""
IN_EVERY_CELL = """
import os
def hook(*_): {}
get_ipython().events.register("pre_run_cell", hook)
"""
SAY_ERROR = (
    SEND
    + """
def say(*_):
    error = dict(type="E", bases=["builtins.ValueError"], handle=1, text="x")
    text = json.dumps({"kind": "answer", "error": error, "buffers": []}).encode()
    os.write(3, struct.pack("<4sII", b"crs1", len(text), 0) + text)
get_ipython().events.register("pre_run_cell", say)
"""
)
KEEP = """
import os
def double(x):
    if x > 100:
        for top in ('/tmp', '/dev/shm', '/var/tmp', os.getcwd(), '/home/student'):
            try: open(os.path.join(top, 'kept'), 'w').write(str(x))
            except OSError: pass
        os._exit(0)
    return 2 * x
"""
FIND_KEPT = """
import os
found = []
for top in ('/tmp', '/dev/shm', '/var/tmp', os.getcwd(), '/home/student'):
    try: found.append(open(os.path.join(top, 'kept')).read())
    except OSError: pass
print('found', found)
"""
FAMILY = """
def double(x):
    cls = ValueError
    for number in range(45): cls = type('E' * 290 + str(number), (cls,), {})
    error = cls('x' * 19_000)
    error.__dict__.update({f'k{number}': number for number in range(9_000)})
    raise error
"""


def _more_json(text):
    """A notebook file that says something more, or something again."""
    return lambda notebook, folder: f"{json.dumps(notebook)[:-1]}, {text}}}"


ATTACKS = [
    # what grading.md lists
    Attack("skip-execution", change=_metadata(tags=["skip-execution"]), said="tags"),
    Attack("ast-transformer", PATCHES + BAD),
    Attack(
        "forged-execute-result",
        "from IPython.display import publish_display_data\n"
        "def f(*a): publish_display_data({'text/plain': '4.0'}); print('4.0')\n"
        "get_ipython().events.register('pre_run_cell', f)\n" + BAD,
    ),
    Attack("fake-torch", files={"torch.py": FAKE_TORCH, "numpy.py": FAKE_TORCH}),
    Attack(
        "gradebook-trigger",
        "import glob, os, sqlite3\n"
        "found = [f for top in ('/home', '/tmp', '/etc', '.', '/var', '/dev/shm')\n"
        "         for f, d, n in os.walk(top)\n"
        "         if 'gradebook.db' in n and 'site-packages' not in f]\n"
        "print('gradebooks', found)\n" + BAD,
        shown="gradebooks []",
    ),
    Attack("read-tests-on-disk", SEARCH_DISK + BAD, shown="disk searched 0"),
    Attack("startup-file", LEAVE + BAD, shown="left False"),
    Attack("outlive", SPAWN + BAD, shown="spawned", said="left a process running"),
    Attack("exit", "import os\nos._exit(0)", RIGHT_NORM, 5.0, said="process ended"),
    Attack(
        "duplicated-test", change=_each_test(_duplicate_test), said="more than once"
    ),
    # classes of lies
    Attack("always-equal", ALWAYS, "", said="plain data"),
    Attack(
        "equal-only-in-main",
        "class int(int):\n    def __eq__(s, o): return True\n"
        "    def __hash__(s): return 0\ndef double(x): return int(5)",
        said="twice three",
    ),
    Attack(
        "lying-array",
        norm="class A(np.ndarray):\n    def __eq__(s, o): return np.True_\n"
        "def norm(v): return np.zeros(3).view(A)",
    ),
    Attack(
        "lying-string",
        "class S(str):\n    def __eq__(s, o): return True\ndef double(x): return S('')",
    ),
    Attack(
        "reflected-operator",
        "class R:\n    def __rmul__(s, o): return 6\n    def __radd__(s, o): return 6\n"
        "def double(x): return R()",
        said="plain data",
    ),
    Attack("zero-everything", ZERO_INPUT, "pass", said="twice three"),
    Attack(
        "rebinding-locked-names",
        "class np:\n    allclose = staticmethod(lambda *a, **k: True)\n"
        "    sqrt = arange = array = staticmethod(lambda *a, **k: 1)\n" + BAD,
    ),
    Attack("raise-assertion-class", "def double(x):\n    raise SystemExit(0)\n"),
    Attack("raise-interrupt", "def double(x):\n    raise KeyboardInterrupt\n"),
    Attack(
        "stop-iteration",
        "def double(x):\n    raise StopIteration(2 * x)\n",
        said="StopIteration",
    ),
    # the judge and the engine
    Attack("patch-everything", PATCHES + REPLACE_ENGINE + BAD),
    Attack("forged-messages", FORGE, said="unknown or missing: event"),
    Attack("memory", SEARCH_MEMORY + BAD, shown="memory searched 0 True"),
    Attack("objects", SEARCH_OBJECTS + BAD, shown="objects searched 0"),
    Attack("frames-in-a-call", IN_CALL),
    Attack("environment", ENVIRONMENT + BAD, shown="environment [] False False"),
    Attack(
        "guess-a-name",
        f"{MARK}_value = None\ndef double(x):\n    return 2 * ({MARK}_value or 0)\n",
        said="twice three",
    ),
    Attack(
        "history",
        "h = list(get_ipython().history_manager.input_hist_raw)\n"
        f"print('history', any({HALVES} in x for x in h))\n" + BAD,
        shown="history False",
    ),
    # metadata and the file itself
    Attack("points", change=_metadata(nbgrader={"points": 1000})),
    Attack("solution-flag", change=_metadata(nbgrader={"solution": True})),
    Attack("no-grade-flag", change=_metadata(nbgrader={"grade": False})),
    Attack("other-ids", change=_metadata(nbgrader={"grade_id": "x"}), said="missing"),
    Attack("empty-tests", change=_each_test(_empty_test), said="was edited"),
    Attack("deleted-tests", change=_each_test(_delete_test), said="was missing"),
    Attack("tests-as-markdown", change=_each_test(_as_markdown), said="another type"),
    Attack("stored-results", change=_each_test(_stored_result)),
    Attack("bonus-cell", change=_unknown_graded_cell, said="unknown id bonus"),
    Attack("odd-cells", RIGHT_DOUBLE, score=5.0, change=_odd_cells),
    Attack("broken-json", change=_text('{"cells": ['), said="not a notebook"),
    Attack("empty-file", change=_text(""), said="empty"),
    Attack("deep-json", change=_deep, said="nested too deep"),
    Attack("many-cells", change=_many_cells, said="more than 2000 cells"),
    Attack("json-list", change=_text("[1, 2]"), said="not a notebook"),
    Attack("notebook-is-a-link", change=_notebook_is_link, said="not a plain file"),
    Attack("no-notebook", change=_text("no notebook"), said="notebook not found"),
    # files beside the notebook
    Attack("link-to-gradebook", change=_link("../../../gradebook.db"), said="left out"),
    Attack("link-to-root", change=_link("/"), said="link left out"),
    Attack("fifo", change=_fifo, said="not a plain file"),
    Attack("sitecustomize", files={"sitecustomize.py": b"import os; os._exit(1)"}),
    Attack("conftest", files={"conftest.py": b"1/0", "a/b/.hidden": b"x"}),
    Attack(
        "time-stamp",
        RIGHT_DOUBLE,
        RIGHT_NORM,
        10.0,
        files={"timestamp.txt": b"\xff!"},
        said="time stamp",
    ),
    Attack("stamp-fifo", change=_fifo_stamp, said="not a plain file"),
    Attack("stamp-zero", change=_zero_stamp, said="not a plain file"),
    Attack("folder-is-a-link", change=_folder_is_link, said="folder is a link"),
    # the machine
    Attack("network", NETWORK + BAD, shown="network []"),
    Attack("escape", ESCAPE + BAD, shown="escaped [] [] True True"),
    Attack("neighbours", NEIGHBOURS + BAD, shown="neighbours False ['student'] False"),
    Attack("memory-hog", "x = bytearray(8 << 30)\n" + BAD, shown="MemoryError"),
    Attack(
        "fork-bomb",
        "import os\nfor _ in range(10_000):\n    if os.fork() == 0:\n"
        "        import time; time.sleep(300)\n",
        RIGHT_NORM,
        5.0,
        shown="Error",
        said="left a process",
    ),
    Attack(
        "disk-hog",
        "f = open('big', 'wb')\nwhile True: f.write(bytes(1 << 20))\n",
        RIGHT_NORM,
        5.0,
    ),
    Attack("output-hog", "while True:\n    print('x' * 10_000)\n", said="time limit"),
    Attack("loop", LOOP + "while True: pass\n", RIGHT_NORM, 5.0, said="time limit"),
    Attack(
        "loop-in-a-call",
        LOOP + "def double(x):\n    while True: pass\n",
        RIGHT_NORM,
        5.0,
        said="time limit",
    ),
    Attack("endless-iterator", ENDLESS, ""),
    Attack(
        "segfault",
        "import ctypes\nctypes.string_at(0)",
        RIGHT_NORM,
        5.0,
        said="process ended",
    ),
    # hostile bytes on the bridge
    Attack("huge-answer", BIG),
    Attack("huge-list", BIG_LIST),
    Attack("deep-answer", DEEP, said="nested more than"),
    Attack("garbage", _raw("b'garbage' * 1000"), RIGHT_NORM, 5.0, said="unreadable"),
    Attack(
        "huge-length",
        _raw("struct.pack('<4sII', b'crs1', 4_000_000_000, 4_000_000_000)"),
        RIGHT_NORM,
        5.0,
        said="larger than the limit",
    ),
    Attack(
        "half-a-message",
        _raw("struct.pack('<4sII', b'crs1', 1000, 0) + b'{'")
        + "    while True: pass\n",
        RIGHT_NORM,
        5.0,
    ),
    Attack(
        "pickle-tag",
        _answer('["pickle", "gASVBQ=="]'),
        RIGHT_NORM,
        5.0,
        said="unknown tag",
    ),
    Attack(
        "object-dtype",
        _answer('["a", "|O", [1], 0, True]'),
        RIGHT_NORM,
        5.0,
        said="unreadable",
    ),
    Attack(
        "negative-shape",
        _answer('["a", "<f8", [-1], 0, True]'),
        RIGHT_NORM,
        5.0,
        said="unreadable",
    ),
    Attack(
        "huge-shape",
        _answer('["a", "<f8", [10**12], 0, True]'),
        RIGHT_NORM,
        5.0,
        said="unreadable",
    ),
    Attack(
        "namedtuple-code",
        _answer('["nt", "x;import os", ["a"], [1]]'),
        RIGHT_NORM,
        5.0,
        said="unreadable",
    ),
    Attack(
        "ask-the-judge",
        _raw(
            """(lambda t: struct.pack("<4sII", b"crs1", len(t), 0) + t)(json.dumps(
        {"kind": "request", "op": "lookup", "name": "x", "buffers": []}).encode())"""
        ),
        RIGHT_NORM,
        5.0,
        said="unreadable",
    ),
    Attack(
        "call-unknown-callback",
        _raw(
            """(lambda t: struct.pack("<4sII", b"crs1", len(t), 0) + t)(json.dumps(
        {"kind": "request", "op": "callback", "number": 0, "args": ["l", []],
         "kwargs": ["d", []], "buffers": []}).encode())"""
        ),
        RIGHT_NORM,
        5.0,
        said="unreadable",
    ),
    # what comes back to the student, and to the instructor's browser
    Attack("tell-the-inputs", TELL, TELL_NORM, 1.0),
    Attack("scripts-in-output", HTML + BAD, shown="bold"),
    Attack("=cmd|calc!A0", RIGHT_DOUBLE, RIGHT_NORM, 10.0),
    # lies
    Attack(
        "claimed-class",
        "class C:\n    __class__ = int\n    def __eq__(s, o): return True\n"
        "def double(x): return C()",
        said="plain data",
    ),
    Attack(
        "lying-namedtuple",
        "from collections import namedtuple\nclass P(namedtuple('P', 'a')):\n"
        "    def __eq__(s, o): return True\ndef double(x): return P(1)",
        said="twice three",
    ),
    Attack(
        "torch-function",
        norm="class T(torch.Tensor):\n    @classmethod\n"
        "    def __torch_function__(c, f, t, a=(), k=None): return True\n"
        "def norm(v): return torch.zeros(()).as_subclass(T)",
        said="has no attribute",
    ),
    Attack(
        "array-function",
        norm="class A(np.ndarray):\n"
        "    def __array_function__(s, *a, **k): return True\n"
        "    def __array_ufunc__(s, *a, **k): return True\n"
        "def norm(v): return np.zeros(()).view(A)",
        said="norm is 0.0",
    ),
    # hostile bytes on the bridge
    Attack(
        "change-of-no-argument",
        _answer("6", extra=', "changes": [[5, 0]]'),
        RIGHT_NORM,
        5.0,
        said="never sent",
    ),
    Attack(
        "change-of-a-type",
        _answer("6", extra=', "changes": [[0, ["d", []]]]'),
        RIGHT_NORM,
        5.0,
        said="another type",
    ),
    Attack(
        "printed-list",
        _answer("6", extra=', "printed": [1]'),
        RIGHT_NORM,
        5.0,
        said="printed is no str",
    ),
    Attack(
        "name-exec",
        _answer('["ty", "builtins:exec"]'),
        RIGHT_NORM,
        5.0,
        said="unknown class",
    ),
    Attack(
        "callback-from-the-end",
        _answer('["cb", -1]'),
        RIGHT_NORM,
        5.0,
        said="never sent",
    ),
    Attack("error-of-the-engine", _raw(ENGINE_ERROR), said="StudentLost: x"),
    Attack("dribble", DRIBBLE, RIGHT_NORM, 5.0, said="time limit"),
    Attack(
        "close-the-bridge",
        "import os\ndef double(x):\n    os.close(3)\n",
        RIGHT_NORM,
        5.0,
        said="process ended",
    ),
    Attack("huge-number", "def double(x):\n    return 1 << 400_000_000\n"),
    Attack("forged-output", FORGED_OUTPUT + BAD, shown="4.0"),
    Attack("forged-answer", FORGED_ANSWER + BAD, said="unreadable answer: CellAnswer"),
    # the machine
    Attack(
        "stop-and-kill",
        "import os, signal\nfor number in (signal.SIGSTOP, signal.SIGKILL):\n"
        "    os.kill(os.getpid(), number)\n"
        "try:\n    os.kill(-1, 9)\n"
        "except OSError as error:\n    print('killed', type(error).__name__)\n" + BAD,
        RIGHT_NORM,
        5.0,
        shown="killed ProcessLookupError",
    ),
    Attack(
        "strict-seccomp",
        "import ctypes\nprint('strict', ctypes.CDLL(None).prctl(22, 1, 0, 0, 0))\n"
        + BAD,
        RIGHT_NORM,
        5.0,
        shown="strict -1",
    ),
    Attack("deep-minus", "x = " + "-" * 300_000 + "1", RIGHT_NORM, 5.0),
    # the file itself
    Attack("version-3", RIGHT_DOUBLE, RIGHT_NORM, 10.0, change=_as_version_3),
    Attack("notebook-is-a-folder", change=_is_a_folder, said="not a plain file"),
    Attack("sparse-file", change=_sparse, said="too large"),
    # pages, reports and the time of others
    Attack(
        "surrogate-in-message",
        "def double(x):\n    raise ValueError('\\ud800')\n",
        RIGHT_NORM,
        5.0,
        said="ValueError: ?",
    ),
    Attack(
        "missing-attachment",
        *(RIGHT_DOUBLE, RIGHT_NORM, 10.0),
        change=_with_cells(("markdown", "![x](attachment:foo.png)")),
    ),
    Attack(
        "empty-attachment",
        *(RIGHT_DOUBLE, RIGHT_NORM, 10.0),
        change=_with_cells(("markdown", "![x](attachment:q)", {"q": {}})),
    ),
    Attack(
        "script-in-markdown",
        *(RIGHT_DOUBLE, RIGHT_NORM, 10.0),
        change=_with_cells(("markdown", SCRIPT)),
    ),
    Attack(
        "raw-cell-script",
        *(RIGHT_DOUBLE, RIGHT_NORM, 10.0),
        change=_with_cells(("raw", SCRIPT)),
    ),
    Attack(
        "bracket-storm",
        *(RIGHT_DOUBLE, RIGHT_NORM, 10.0),
        change=_with_cells(("markdown", "[" * 40_000)),
    ),
    Attack(
        "div-storm",
        *(RIGHT_DOUBLE, RIGHT_NORM, 10.0),
        change=_with_cells(("code", DIVS)),
        shown="&lt;div&gt;",
    ),
    Attack(
        "huge-code-cell",
        *(RIGHT_DOUBLE, RIGHT_NORM, 10.0),
        change=_with_cells(("code", f"x = {'a+' * 400_000!r}")),
    ),
    Attack(
        "long-stamp",
        *(RIGHT_DOUBLE, RIGHT_NORM, 10.0),
        files={"timestamp.txt": b"1." * 100_000},
        said="time stamp",
    ),
    Attack(
        "print-in-every-cell",
        *(RIGHT_DOUBLE, RIGHT_NORM, 10.0),
        change=_with_cells(*[("code", "print('x' * 3_000_000)")] * 8),
        shown="The rest of the output is left out",
    ),
    Attack(
        "sleeper",
        *(RIGHT_DOUBLE, RIGHT_NORM, 10.0),
        change=_with_cells(*[("code", "import time; time.sleep(4)")] * 2),
    ),
    Attack("spinners", SPIN + BAD, said="left a process running"),
    # written after the answers had become typed messages
    Attack("channels", CHANNELS + BAD, shown="channels [] True"),
    Attack("proc", PROC + BAD, shown="proc ['self', 'thread-self'] []"),
    Attack("ourselves", OURSELVES + BAD, shown="ourselves [] []"),
    Attack("lower-the-limit", "import resource\nresource.setrlimit(0, (1, 1))\n" + BAD),
    Attack("die-in-every-cell", IN_EVERY_CELL.format("os._exit(0)"), RIGHT_NORM),
    Attack("error-in-every-cell", SAY_ERROR, RIGHT_NORM, said="unreadable answer"),
    Attack("cb-true", _answer('["cb", True]'), RIGHT_NORM, 5.0, said="never sent"),
    Attack("same-true", _answer('["same", True]'), RIGHT_NORM, 5.0, said="never sent"),
    Attack("tape-list", _answer("6", extra=', "tape": [1]'), RIGHT_NORM, 5.0, "tape"),
    Attack("bad-tape", _answer("6", extra=', "tape": -1'), RIGHT_NORM, 5.0, "tape"),
    Attack("odd-field", _answer("6", extra=', "score": 4'), RIGHT_NORM, 5.0, "unknown"),
    Attack(
        "warnings-flood",
        _answer("6", extra=', "warnings": [["UserWarning", "x"]] * 500'),
        *(RIGHT_NORM, 5.0, "longer than"),
    ),
    Attack(
        "half-a-warning",
        _answer("6", extra=', "warnings": [["UserWarning"]]'),
        *(RIGHT_NORM, 5.0, "unreadable"),
    ),
    Attack(
        "system-exit-class",
        _answer('["ty", "builtins:SystemExit"]'),
        *(RIGHT_NORM, 5.0, "unknown class"),
    ),
    Attack(
        "thing-in-a-table",
        _answer(
            '["pd", "series", [None, ["range", None, [0, 1, 1]],'
            ' ["array", ["o", [1], [["h", 9, {}]]]]]]'
        ),
        *(RIGHT_NORM, 5.0, "not data"),
    ),
    Attack(
        "plain-list",
        _answer('["h", 9, {"kind": "object", "mro": [], "plain": [6]}]'),
        *(RIGHT_NORM, 5.0, "unreadable"),
    ),
    Attack(
        "mirrors-of-nothing",
        _answer("6", extra=', "mirrors": [[1]]'),
        *(RIGHT_NORM, 5.0, "unreadable"),
    ),
    Attack("\x1b]0;red\x07\x1b[31m", RIGHT_DOUBLE, RIGHT_NORM, 10.0),
    # what outlives a process, names, sizes, and the file once more
    Attack(
        "kept-for-the-next-process",
        KEEP,
        RIGHT_NORM,
        6.0,
        change=_with_cells(("code", FIND_KEPT)),
        said="process ended",
        shown="found []",
    ),
    Attack("long-family-of-an-error", FAMILY, said="EEEE"),
    Attack(
        "numbers-of-one-hash",
        norm="def norm(v): return {k * (2**61 - 1): 0.0 for k in range(1, 3000)}",
        said="unsupported operand",
    ),
    Attack(
        "attributes-in-a-formula",
        *(RIGHT_DOUBLE, RIGHT_NORM, 10.0),
        change=_with_cells(
            ("markdown", r'$\mmlToken{mi}[href="javascript:alert(1)"]{x}$'),
            ("raw", r"$\bbox[position:fixed]{x}$"),
        ),
    ),
    Attack("cells-twice", change=_more_json('"cells": []'), said="was missing"),
    Attack(
        "number-of-5000-digits",
        change=_more_json(f'"x": {"9" * 5000}'),
        said="not a notebook",
    ),
    Attack(
        "end-of-time",
        *(RIGHT_DOUBLE, RIGHT_NORM, 10.0),
        files={"timestamp.txt": b"9999-12-31 23:59:59 -14:00"},
    ),
]
