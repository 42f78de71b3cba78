"""From notebooks to a folder of pages.

Each notebook becomes the body of a page; bodies are kept in .cache/book under a hash of
the notebook and of this package, so that after one change only one is made again. With
and without pictures of interactive parts they are kept side by side.
"""

import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from urllib.parse import unquote

import jinja2

from course_tools.atomic import write_file
from course_tools.book import frames, progress, search_index, slides
from course_tools.book.cells import PageParts, cell_html
from course_tools.book.contents import PROBLEMS, Chapter, chapters, in_parts, read
from course_tools.book.markdown import Heading, place_name
from course_tools.book.progress import Tell, silent
from course_tools.katex.formulas import FILES as KATEX

HERE = Path(__file__).parent
ASSETS = {
    "book.css": HERE / "assets" / "book.css",
    "book.js": HERE / "assets" / "book.js",
    "explore.js": HERE / "assets" / "explore.js",
    "theme.js": HERE / "assets" / "theme.js",
    "slides.css": HERE / "assets" / "slides.css",
    "slides.js": HERE / "assets" / "slides.js",
    "reveal": HERE / "assets" / "reveal",
    "katex/katex.min.css": KATEX / "katex.min.css",
    "katex/fonts": KATEX / "fonts",
}
NOTEBOOK_LINK = re.compile(r"(?:[^:#]*/)?([^/:#]+)\.(?:ipynb|md)(#.*)?\Z")
LEVELS = (2, 3)  # headings that the list "On this page" shows


@dataclass
class Body:
    """What one notebook gives to its page."""

    markup: str
    headings: list[Heading]
    deck: str  # its slides; none for a problem set


@dataclass(frozen=True)
class Wish:
    """What is to be built: where, which chapters (none named: all), how it is drawn."""

    to: Path
    only: tuple[str, ...] = ()
    frames: int = 150  # of each interactive part, at most
    cores: int = 1
    meaning: bool = True  # search also by meaning: the encoder reads new words


def cache_of(root: Path) -> Path:
    return root / ".cache" / "book"


def source_hash() -> str:
    """A hash of everything in this package that decides how a page looks."""
    digest = hashlib.sha256()
    for path in sorted(HERE.rglob("*")):
        if path.suffix in (".py", ".jinja"):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def page_link(known: dict[str, str]) -> Callable[[str], str]:
    """Links to notebooks become links to pages; what is not in the book has none."""

    def link_to(address: str) -> str:
        match = NOTEBOOK_LINK.match(address)
        if match and match[1] in known:
            place = unquote(match[2] or "").removeprefix("#")
            return known[match[1]] + (f"#{place_name(place)}" if place else "")
        return address if re.match(r"#|[a-z]+:", address) else ""

    return link_to


def make_body(
    chapter: Chapter, folder: Path, drawn: Path | None, link_to: Callable[[str], str]
) -> Body:
    """Its pictures are written to figures/ below `folder`; `drawn` holds its frames."""
    nb = read(chapter.path)
    explorers = [
        frames.explorer(part, f"frames/{chapter.name}/{part.name}")
        for part in frames.parts(drawn)
    ]
    page = PageParts(chapter.name, folder, link_to, list(explorers))
    markup = "\n".join(cell_html(cell, page) for cell in nb.cells)
    deck = ""
    if chapter.part != PROBLEMS and chapter.path.suffix == ".ipynb":
        on_slides = PageParts(chapter.name, folder, link_to, list(explorers))
        shown = slides.slides_of(nb.cells, on_slides)
        deck = "\n".join(slide.markup() for slide in shown)
    return Body(markup, page.anchors.headings, deck)


def cached_body(
    chapter: Chapter,
    cache: Path,
    drawn: Path | None,
    tools: str,
    link_to: Callable[[str], str],
) -> tuple[Body, Path]:
    """The body as it was made before, if neither the notebook nor this code changed.

    Also the folder that holds its pictures.
    """
    key = f"{tools} {drawn.name if drawn else 'no frames'}".encode()
    digest = hashlib.sha256(chapter.path.read_bytes() + key).hexdigest()[:16]
    kind = "page" if drawn else "still"
    folder = cache / f"{chapter.name}-{kind}-{digest}"
    stored = folder / "body.json"
    if stored.exists():
        values = json.loads(stored.read_text(encoding="utf-8"))
        headings = [Heading(**heading) for heading in values["headings"]]
        return Body(values["markup"], headings, values["deck"]), folder
    for old in cache.glob(f"{chapter.name}-{kind}-*"):
        shutil.rmtree(old)
    body = make_body(chapter, folder, drawn, link_to)
    folder.mkdir(parents=True, exist_ok=True)
    write_file(stored, json.dumps(asdict(body)), 0o644)
    return body, folder


def bodies(
    root: Path, wish: Wish, tell: Tell = silent
) -> Iterator[tuple[Chapter, Body, Path, Path | None]]:
    """The chosen chapters (all, if none is named) with their bodies.

    Also the folders with their figures and with their frames, if any are wished for.
    Lectures run side by side to draw those.
    """
    all_chapters = chapters(root)
    known = {chapter.name: chapter.page for chapter in all_chapters}
    cache, tools, link_to = cache_of(root), source_hash(), page_link(known)
    chosen = [c for c in all_chapters if not wish.only or c.name in wish.only]

    def drawn(chapter: Chapter) -> Path | None:
        if not wish.frames:
            return None
        begin = partial(tell, progress.DRAWING, chapter.name)
        return frames.draw_frames(chapter.path, root, cache, wish.frames, begin)

    with ThreadPoolExecutor(wish.cores) as pool:
        for chapter, folder in zip(chosen, pool.map(drawn, chosen), strict=True):
            tell(progress.WRITING, chapter.name)
            body, figures = cached_body(chapter, cache, folder, tools, link_to)
            yield chapter, body, figures, folder
            tell(progress.WRITTEN, chapter.name)


def build(root: Path, wish: Wish, tell: Tell = silent) -> list[Chapter]:
    """Write the book, or only some of its chapters; returns those that were written."""
    all_chapters, chosen, sections, to = chapters(root), [], [], wish.to
    to.mkdir(parents=True, exist_ok=True)
    copy_assets(to)
    for chapter, body, folder, drawn in bodies(root, wish, tell):
        chosen.append(chapter)
        copy_tree(folder / "figures", to / "figures")
        for part in frames.parts(drawn):
            copy_tree(part, to / "frames" / chapter.name / part.name)
        write_file(to / chapter.page, page(chapter, all_chapters, body), 0o644)
        if body.deck:
            deck = template("slides").render(chapter=chapter, deck=body.deck)
            write_file(to / chapter.slides, deck, 0o644)
        sections += search_index.sections(chapter, body.markup)
    tell(progress.SEARCH, "")
    near = search_index.by_meaning(sections, cache_of(root)) if wish.meaning else None
    write_file(to / "assets" / "search.js", search_index.script(sections, near), 0o644)
    write_file(to / "index.html", template("index").render(first=chosen[0]), 0o644)
    return chosen


def template(name: str) -> jinja2.Template:
    loader = jinja2.FileSystemLoader(HERE / "templates")
    environment = jinja2.Environment(loader=loader, trim_blocks=True)
    return environment.get_template(f"{name}.html.jinja")


def page(chapter: Chapter, all_chapters: list[Chapter], body: Body) -> str:
    place = all_chapters.index(chapter)
    return template("page").render(
        chapter=chapter,
        parts=in_parts(all_chapters),
        body=body.markup,
        body_has_slides=bool(body.deck),
        before=all_chapters[place - 1] if place else None,
        after=all_chapters[place + 1] if place + 1 < len(all_chapters) else None,
        headings=[heading for heading in body.headings if heading.level in LEVELS],
    )


def copy_assets(to: Path) -> None:
    for name, source in ASSETS.items():
        target = to / "assets" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            copy_tree(source, target)
        else:
            shutil.copyfile(source, target)


def copy_tree(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
