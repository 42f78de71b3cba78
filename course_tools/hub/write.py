"""The files of a hub: written whole, never over something that is there."""

import os
import pprint
from pathlib import Path
from string import Template

from course_tools.atomic import write_file
from course_tools.errors import CommandError
from course_tools.hub.preflight import GRADERS_PORT, Place
from course_tools.hub.settings import Settings

TEMPLATES = Path(__file__).parent / "templates"
CONFIG = "jupyterhub_config.py"
# name -> template and mode: students read what is theirs, root the rest
FILES = {
    CONFIG: ("jupyterhub_config.txt", 0o600),
    "students/nbgrader_config.py": ("students_nbgrader_config.txt", 0o644),
    "nbgrader_local.py": ("nbgrader_local.txt", 0o600),
    "course-hub.service": ("service.txt", 0o644),
}
STUDENTS = "students.txt"
NO_GRADERS_TOOLS = """{
  "ServerApp": {
    "jpserver_extensions": {
      "nbgrader.server_extensions.formgrader": false,
      "nbgrader.server_extensions.course_list": false
    }
  }
}
"""
NO_GRADERS_MENUS = """{
  "disabledExtensions": {
    "@jupyter/nbgrader:create-assignment": true,
    "@jupyter/nbgrader:formgrader": true,
    "@jupyter/nbgrader:course-list": true
  }
}
"""
PLAIN = {
    "students/jupyter_server_config.json": NO_GRADERS_TOOLS,
    "students/labconfig/page_config.json": NO_GRADERS_MENUS,
}


def start_command(settings: Settings) -> str:
    return f"{settings.python} -P -m jupyterhub -f {settings.folder / CONFIG}"


def place_of(settings: Settings) -> Place:
    """What preflight looks at, before there is a configuration that says so."""
    return Place(
        str(settings.folder),
        str(settings.shared),
        str(settings.course),
        str(settings.exchange),
        settings.course_id,
        settings.grader,
        settings.instructors,
        settings.group,
        settings.proxy,
    )


def texts(settings: Settings) -> dict[str, tuple[str, int]]:
    """{name: (text, mode)} of all files."""
    values = {
        **{key: repr(value) for key, value in place_of(settings)._asdict().items()},
        "instructors": pprint.pformat(settings.instructors, width=70),
        "address": repr(settings.address),
        "authenticator": repr(settings.authenticator),
        "gradebook": repr(settings.gradebook),
        "python": repr(str(settings.python)),
        "graders_python": repr(str(settings.graders_python)),
        "memory": repr(settings.memory),
        "cores": repr(settings.cores),
        "processes": repr(settings.processes),
        "service": repr(f"http://127.0.0.1:{GRADERS_PORT}"),
        "certificate": certificate(settings),
        "pam": pam(settings),
        "start": start_command(settings),
    }
    made = {name: (fill(file, values), mode) for name, (file, mode) in FILES.items()}
    unit = values | {"folder": str(settings.folder), "course_id": settings.course_id}
    made["course-hub.service"] = (fill("service.txt", unit), 0o644)
    made |= {name: (text, 0o644) for name, text in PLAIN.items()}
    if settings.students:
        made[STUDENTS] = ("\n".join(settings.students) + "\n", 0o600)
    return made


def fill(file: str, values: dict[str, str]) -> str:
    return Template((TEMPLATES / file).read_text("utf-8")).substitute(values)


def certificate(settings: Settings) -> str:
    if settings.certificate is None:
        return "# passwords: put a proxy with a certificate before this address"
    key, file = map(str, settings.certificate)
    return f"c.JupyterHub.ssl_key = {key!r}\nc.JupyterHub.ssl_cert = {file!r}"


def pam(settings: Settings) -> str:
    if settings.authenticator != "pam":
        return "# its settings go into local_config.py"
    return "c.PAMAuthenticator.open_sessions = False"


def write(settings: Settings, replace: bool) -> list[str]:
    """Write all files; returns their names."""
    made = texts(settings)
    there = [name for name in made if os.path.lexists(settings.folder / name)]
    if there and not replace:
        line = f"{settings.folder / there[0]} is there already; choose another folder"
        raise CommandError(f"{line}, or keep it as .before with --replace", code=2)
    old = os.umask(0o022)
    try:
        for name in ("state", "students/labconfig"):
            (settings.folder / name).mkdir(parents=True, exist_ok=True)
        (settings.folder / "state").chmod(0o700)
        for name in there:
            os.replace(settings.folder / name, settings.folder / f"{name}.before")
        for name, (text, mode) in made.items():
            write_file(settings.folder / name, text, mode)
    finally:
        os.umask(old)
    return sorted(made)
