"""`./course book` and `./course find`: their arguments, and what they say."""

import argparse
import time
import webbrowser
from functools import partial
from pathlib import Path

from course_tools.errors import CommandError
from course_tools.words import number_of


def book_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "lectures",
        nargs="*",
        metavar="LECTURE",
        help="only these, such as 02 or 08_attention (default: the whole course)",
    )
    parser.add_argument(
        "--to", type=Path, metavar="DIR", help="where to write it (default: book/)"
    )
    parser.add_argument(
        "--frames",
        type=partial(whole_number, least=0),
        default=150,
        metavar="N",
        help="pictures drawn for each interactive part, at most; they take minutes the "
        "first time, and 0 leaves these parts still (default: 150)",
    )
    parser.add_argument(
        "--slides", action="store_true", help="say where the slides are, not the pages"
    )
    parser.add_argument(
        "--pdf",
        action="store_true",
        help="print the lectures or problem sets to PDF files instead, by Chromium",
    )
    parser.add_argument("--open", action="store_true", help="show it in the browser")


def find_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs="+", metavar="WORDS")
    parser.add_argument(
        "--most",
        type=partial(whole_number, least=1),
        default=8,
        metavar="N",
        help="default: 8",
    )


def whole_number(text: str, least: int) -> int:
    """A count on the command line."""
    if not text.isdecimal() or int(text) < least:
        raise argparse.ArgumentTypeError(f"'{text}' is no number from {least} on")
    return int(text)


def full_names(given: list[str], root: Path) -> list[str]:
    """02 or 02_simple_rnn or ps1 -> the name of the notebook."""
    from course_tools.book.contents import chapters

    known = [(c.label or c.name, c.name) for c in chapters(root)]
    names = []
    for text in given:
        match = [name for label, name in known if text in (label, name)]
        if not match:
            labels = ", ".join(label for label, _ in known)
            raise CommandError(f"there is no lecture '{text}' ({labels})", code=2)
        names += match
    return names


def require_own_folder(to: Path) -> None:
    """Never write a book into a folder that holds something else."""
    if to.exists() and not to.is_dir():
        raise CommandError(f"{to} is a file; name a folder with --to", code=2)
    others = [p for p in to.iterdir() if p.suffix != ".pdf"] if to.is_dir() else []
    if others and not (to / "assets" / "book.css").exists():
        raise CommandError(f"{to} holds something that is no book", code=2)


def run_book(
    arguments: argparse.Namespace, root: Path, cores: int, chromium: str | None = None
) -> int:
    """Write the pages, with a bar; what was made before is not made again."""
    from course_tools.book import build
    from course_tools.book.contents import chapters
    from course_tools.book.progress import Progress

    names = full_names(arguments.lectures, root)
    to = arguments.to or root / "book"
    require_own_folder(to)
    if arguments.pdf:
        return run_pdf(names, root, to, chromium)
    begun = time.monotonic()
    total = len(names) or len(chapters(root))
    wish = build.Wish(to, tuple(names), arguments.frames, cores)
    with Progress(total, build.cache_of(root)) as tell:
        chapters = build.build(root, wish, tell)
    seconds = time.monotonic() - begun
    print(f"{number_of(len(chapters), 'page')} in {seconds:.0f} s")
    first = to / "index.html"
    if arguments.slides:
        decks = [to / c.slides for c in chapters if (to / c.slides).exists()]
        first = decks[0] if decks else first
        print("\n".join(f"slides: {deck}" for deck in decks))
    else:
        print(f"open {first}")
    if arguments.open:
        webbrowser.open(first.resolve().as_uri())
    return 0


def run_pdf(names: list[str], root: Path, to: Path, chromium: str | None) -> int:
    """Print pages without interactive parts: paper does not move."""
    import tempfile

    from course_tools.book import build, pdf
    from course_tools.book.contents import chapters
    from course_tools.book.progress import Progress

    if chromium is None:
        raise CommandError("a PDF is printed by Chromium, which is not here")
    with tempfile.TemporaryDirectory() as folder:
        wish = build.Wish(Path(folder), tuple(names), frames=0, meaning=False)
        total = len(names) or len(chapters(root))
        with Progress(total, build.cache_of(root)) as tell:
            built = build.build(root, wish, tell)
        for chapter in built:
            target = to / f"{chapter.name}.pdf"
            pdf.print_page(chromium, Path(folder) / chapter.page, target)
            print(f"{target}: {target.stat().st_size / 1e6:.1f} MB")
    return 0


def run_find(arguments: argparse.Namespace, root: Path) -> int:
    from course_tools.book import search_index
    from course_tools.book.build import Wish, bodies, cache_of
    from course_tools.book.contents import chapters
    from course_tools.book.progress import SEARCH, Progress

    with Progress(len(chapters(root)), cache_of(root)) as tell:
        parts = [
            section
            for chapter, body, *_ in bodies(root, Wish(root, frames=0), tell)
            for section in search_index.sections(chapter, body.markup)
        ]
        tell(SEARCH, "")
        near = search_index.by_meaning(parts, cache_of(root))
    words = " ".join(arguments.words)
    hits = search_index.find(search_index.script(parts, near), words, arguments.most)
    if not hits:
        print(f"Nothing about “{words}”.")
        return 1
    for hit in hits:
        print(f"{hit['title']}\n    {hit['chapter']}")
    return 0
