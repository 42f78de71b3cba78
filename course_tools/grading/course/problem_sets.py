"""Problem sets by name, and their notebooks as files."""

import difflib
from pathlib import Path
from typing import TYPE_CHECKING

from course_tools.errors import CommandError

if TYPE_CHECKING:
    from nbformat import NotebookNode


def sets_in(*folders: Path) -> list[str]:
    """The names of the problem sets: folders SET that hold a notebook SET.ipynb."""
    names = {book.stem for folder in folders for book in folder.glob("*/*.ipynb")}
    return sorted(
        name
        for name in names
        if any((folder / name / f"{name}.ipynb").is_file() for folder in folders)
    )


def find_set(word: str, known: list[str]) -> str:
    """The set that `word` means: its name, or the part before `_`, as in ps1."""
    name = Path(word).stem  # a path that the shell has completed is welcome, too
    fitting = [s for s in known if name in (s, s.split("_")[0])]
    if len(fitting) == 1 or name in fitting:
        return name if name in fitting else fitting[0]
    if fitting:
        raise CommandError(f"'{word}' may mean {' or '.join(fitting)}", code=2)
    if not known:
        raise CommandError("there are no problem sets here yet", code=2)
    close = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.4)
    hint = f"did you mean {close[0]}?" if close else f"there are: {', '.join(known)}"
    raise CommandError(f"there is no problem set '{word}'; {hint}", code=2)


def read_notebook(path: Path) -> "NotebookNode":
    """The notebook in `path`; a file that is none is reported in one line."""
    import nbformat

    try:
        text = path.read_text(encoding="utf-8")
        book = nbformat.reads(text, as_version=4)
        nbformat.validate(book)
    except FileNotFoundError:
        raise CommandError(f"there is no notebook {path}", code=2) from None
    except OSError as error:
        reason = f"{path} cannot be read: {error.strerror}"
        raise CommandError(reason, code=2) from None
    except (AttributeError, TypeError):
        raise CommandError(
            f"{path} is not a notebook: it has no cells", code=2
        ) from None
    except Exception as error:  # nbformat has another exception for every kind of harm
        reason = (str(error).splitlines() or [type(error).__name__])[0][:80]
        raise CommandError(f"{path} is not a notebook: {reason}", code=2) from None
    return book
