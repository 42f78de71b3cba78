"""What `./course hub` is told, checked word by word before anything is written."""

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from course_tools.errors import CommandError

ACCOUNT = re.compile(r"[a-z_][a-z0-9_.-]{0,31}")
COURSE_ID = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,62}")
MEMORY = re.compile(r"(\d+)([MG])")
UNITS = {"M": 2**20, "G": 2**30}
LEAST_MEMORY = 2**30  # a server and one kernel with PyTorch
LEAST_PROCESSES = 50  # threads count: a server, a kernel and a terminal
LOOPBACK = ("127.0.0.1", "localhost", "::1")
# Authenticators that let everybody in who knows one word, or not even that.
FOR_TRIALS = ("dummy", "shared-password", "null")


@dataclass(frozen=True)
class Settings:
    """A hub: where everything is, who may come, what one user may have."""

    folder: Path  # for the configuration and the hub's own state
    shared: Path  # the students' edition with its environment
    course: Path  # the instructor's clone
    exchange: Path
    course_id: str
    grader: str  # the account that owns the clone and the exchange's folders
    instructors: tuple[str, ...]
    students: tuple[str, ...]  # names, or none if the group says it
    group: str
    authenticator: str
    address: str
    certificate: tuple[Path, Path] | None  # key and certificate
    gradebook: str
    memory: int
    processes: int
    cores: float
    proxy: tuple[str, ...]  # the command of configurable-http-proxy

    @property
    def python(self) -> Path:
        return self.shared / ".venv" / "bin" / "python"

    @property
    def graders_python(self) -> Path:
        """The clone's own environment, if it has one."""
        own = self.course / ".venv" / "bin" / "python"
        return own if own.exists() else self.python


def refuse(line: str) -> CommandError:
    return CommandError(line, code=2)


def account(name: str) -> str:
    if not ACCOUNT.fullmatch(name):
        raise refuse(f"'{name}' is no name of an account: small letters, digits, . _ -")
    if name == "root":
        raise refuse("root is nobody's account for a class")
    return name


def course_id(text: str) -> str:
    if not COURSE_ID.fullmatch(text):
        raise refuse(f"--course-id '{text}': a letter, then letters, digits, _ and -")
    return text


def memory(text: str) -> int:
    match = MEMORY.fullmatch(text)
    size = int(match[1]) * UNITS[match[2]] if match else 0
    if size < LEAST_MEMORY:
        raise refuse(f"--memory '{text}': write it as 2G or 1500M, at least 1G")
    return size


def processes(number: int) -> int:
    if number < LEAST_PROCESSES:
        raise refuse(f"--processes {number}: at least {LEAST_PROCESSES}")
    return number


def cores(number: float) -> float:
    if not 0.1 <= number <= 1024:
        raise refuse(f"--cores {number}: from 0.1 on")
    return number


def place(path: Path, option: str) -> Path:
    """An absolute path in plain letters: it goes into files that others read."""
    if not path.is_absolute():
        raise refuse(f"{option} {path}: the whole path is needed, from / on")
    if not re.fullmatch(r"[\w/.+-]+", str(path)):
        raise refuse(f"{option} {path}: letters, digits and . _ + - only")
    return path


def certificate(key: Path | None, file: Path | None) -> tuple[Path, Path] | None:
    """Key and certificate, or neither."""
    if key is None and file is None:
        return None
    if key is None or file is None:
        raise refuse("--ssl-key and --ssl-cert go together")
    return place(key, "--ssl-key"), place(file, "--ssl-cert")


def address(text: str, encrypted: bool) -> str:
    """Passwords travel to it: beyond this machine only with a certificate."""
    host = host_of(text)
    if not host or not re.fullmatch(r"https?://[^/?#]+", text):
        raise refuse(f"--address '{text}': write it as http://127.0.0.1:8000")
    parts = urlsplit(text)
    if (parts.scheme == "https") != encrypted:
        raise refuse(
            "--address https://… needs --ssl-key and --ssl-cert, and they need it"
        )
    if host not in LOOPBACK and not encrypted:
        line = f"--address {text}: passwords would travel unencrypted; use https with"
        raise refuse(f"{line} --ssl-key and --ssl-cert, or a proxy before 127.0.0.1")
    return text


def host_of(text: str) -> str:
    """The machine in an address that has a port, too, else ""."""
    try:
        parts = urlsplit(text)
        return (parts.hostname or "") if parts.port else ""
    except ValueError:
        return ""


def gradebook(text: str, course: Path) -> str:
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    if not text:
        return f"sqlite:///{course}/gradebook.db"
    try:
        kind = make_url(text).get_backend_name()
    except ArgumentError:
        kind = ""
    if kind not in ("sqlite", "postgresql"):
        raise refuse(f"--db '{text}': write it as postgresql+psycopg:///gradebook")
    return text


def authenticator(name: str, by_group: bool) -> str:
    """One that JupyterHub can load, and that asks for more than a name."""
    from jupyterhub.app import JupyterHub
    from jupyterhub.auth import LocalAuthenticator
    from traitlets import TraitError
    from traitlets.config import Config

    if name in FOR_TRIALS:
        raise refuse(f"--authenticator {name} lets anybody in under any name")
    try:
        config = Config({"JupyterHub": {"authenticator_class": name}})
        found = JupyterHub(config=config).authenticator_class
    except (TraitError, ImportError, AttributeError):
        line = f"--authenticator {name}: there is no such class in this environment"
        raise refuse(line) from None
    if by_group and not issubclass(found, LocalAuthenticator):
        raise refuse(f"--authenticator {name} knows no groups: name --students FILE")
    return name


def names_in(file: Path) -> tuple[str, ...]:
    """Students, one a line; of nbgrader's students.csv the first column."""
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is no text"
        raise refuse(f"--students {file} cannot be read: {why}") from None
    words = [line.split(",")[0].strip().strip('"') for line in lines]
    names = [word for word in words if word and word != "id"]
    if not names:
        raise refuse(f"--students {file}: nobody is in it")
    return tuple(dict.fromkeys(account(name) for name in names))
