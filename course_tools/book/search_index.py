"""Search without a server: an index that is a script, and one search for all.

`assets/search.js` holds the code. In the book it stands behind its data in one file,
which a page loads from file://, too; in the terminal QuickJS runs the same file.
"""

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path

import quickjs

from course_tools.book import meaning
from course_tools.book.contents import Chapter
from course_tools.book.markdown import plain
from course_tools.book.meaning import Vectors

CODE = Path(__file__).parent / "assets" / "search.js"
HEADING = re.compile(r'<h([1-4]) id="([^"]+)">(.*?)<a class="anchor".*?</h\1>', re.S)
# code and what it printed are not searched, pictures are, by their descriptions
NOT_SEARCHED = re.compile(
    r"<pre.*?</pre>|<button.*?</button>|<summary.*?</summary>", re.S
)
TABLE = re.compile(r"<table.*?</table>", re.S)
DESCRIPTION = re.compile(r'<img [^>]*alt="([^"]*)"')


@dataclass(frozen=True)
class Section:
    """From one heading to the next."""

    address: str  # "02_simple_rnn.html#forward"
    chapter: str  # "02 The simple recurrent network"
    title: str
    text: str


def sections(chapter: Chapter, markup: str) -> list[Section]:
    """The sections of a page, with the words that they are found by."""
    pieces = HEADING.split(markup)[1:]  # level, anchor, title, text, level, …
    label = f"{chapter.label} {chapter.title}".strip()
    parts = []
    for at in range(0, len(pieces), 4):
        _, anchor, title, text = pieces[at : at + 4]
        if chapter.path.suffix == ".md":  # names every concept, and explains none
            text = TABLE.sub(" ", text)
        words = plain(DESCRIPTION.sub(r"\1 <", NOT_SEARCHED.sub(" ", text)))
        parts.append(Section(f"{chapter.page}#{anchor}", label, plain(title), words))
    return parts


def script(parts: list[Section], vectors: Vectors | None = None) -> str:
    """Data and code in one classic script."""
    data = json.dumps([asdict(section) for section in parts], ensure_ascii=False)
    data = data.replace("</", "<\\/")
    near = json.dumps(vectors.tables() if vectors else None)
    code = CODE.read_text(encoding="utf-8")
    return f"window.courseSections = {data};\nwindow.courseMeaning = {near};\n{code}"


def by_meaning(parts: list[Section], cache: Path) -> Vectors:
    """Vectors for these sections; words that are new to the encoder are read first."""
    texts = [(f"{section.title} {section.chapter}", section.text) for section in parts]
    return meaning.vectors(texts, cache)


def find(index: str, words: str, most: int = 8) -> list[dict[str, str]]:
    """What the search in the book finds, as the book finds it."""
    engine = quickjs.Context()
    engine.eval("var window = globalThis;" + index)
    call = "JSON.stringify(window.courseSearch({}, {}))"
    return json.loads(engine.eval(call.format(json.dumps(words), most)))
