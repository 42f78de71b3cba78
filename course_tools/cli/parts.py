"""What of the course a command needs: a student's part, and more on first use.

Each part has a lock file in requirements/, written by `./course lock` from the extra of
the same name in pyproject.toml; the student's part has two more, for what pip must be
asked for in another way.  To add a part: an extra there, a line in FILES, and
the commands that need it in NEEDED.

Like stamp.py, this file must parse on old Pythons.
"""

# The files that an install of the part depends on.
FILES = {
    "base": ("requirements/build.lock", "pyproject.toml"),
    "student": (
        "requirements/student.lock",
        "requirements/texts.lock",
        "requirements/torch.txt",
    ),
    "grade": ("requirements/grade.lock",),
    "book": ("requirements/book.lock",),
    "hub": ("requirements/hub.lock",),
    "test": ("requirements/test.lock",),
    "develop": ("requirements/develop.lock",),
}

# What the parts are for, in the words of --help and doctor.
CHOICES = {
    "student": "lectures and problem sets",
    "grade": "grading, feedback, export",
    "book": "the web edition, search in the terminal",
    "hub": "JupyterHub for a class",
    "test": "the tests of the course",
    "develop": "writing the lock files",
}

STUDENT = ("base", "student")
GRADE = STUDENT + ("grade",)
BOOK = STUDENT + ("book",)
HUB = STUDENT + ("hub",)
TEST = GRADE + ("book", "hub", "test", "develop")

# Commands that need more, or less, than a student's part.
NEEDED = {
    "grade": GRADE,
    "feedback": GRADE,
    "export": GRADE,
    "similar": GRADE,
    "book": BOOK,
    "find": BOOK,
    "hub": HUB,
    "test": TEST,
    "lock": ("base", "develop"),
}


def needed(arguments):
    """The parts that `./course ARGUMENTS` needs, in the order of their installation."""
    if not arguments:
        return STUDENT
    if arguments[0] != "setup":
        return NEEDED.get(arguments[0], STUDENT)
    if "--all" in arguments:
        return tuple(FILES)
    chosen = set(STUDENT)  # type: set[str]
    for name in arguments[1:]:
        if name in CHOICES:
            chosen.update(TEST if name == "test" else (name,))
    return tuple(name for name in FILES if name in chosen)
