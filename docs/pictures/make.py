"""The three pictures of README.md, taken by a real browser from what the course makes.

    .venv/bin/python docs/pictures/make.py

A lecture with its slider, a slide, and a feedback page: a made submission to ps1 with
three of the wrong answers that the graders are tested with, graded by `./course grade`.
"""

import io
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

import bench  # noqa: E402
import nbformat  # noqa: E402
from browser_jupyter import browser, new_page  # noqa: E402

from course_tools.book.build import Wish, build  # noqa: E402
from course_tools.cli.programs import PROGRAMS  # noqa: E402

LECTURE, DECK, SET = "02_simple_rnn", "08_attention", "ps1_rnn"
WRONG = ("bptt_pairs_same_state", "forward_ignores_h0", "gradient_check_absolute")
WRITTEN = "There are two paths from $h_t$ to $L$, by $o_t$ and by $h_{t+1}$."
COLOURS = 128


def store(page: Page, name: str) -> None:
    """A screenshot in few colours, as small as a PNG gets."""
    path = ROOT / "docs" / "pictures" / f"{name}.png"
    with Image.open(io.BytesIO(page.screenshot())) as image:
        few = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        few.save(path, optimize=True)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} kB")


def lecture(chromium: Browser, book: Path) -> None:
    page = new_page(chromium, 1240, 780)
    page.goto((book / f"{LECTURE}.html").as_uri())
    part = page.locator(".explorer").first
    part.evaluate("(part) => part.scrollIntoView({ block: 'center' })")
    part.locator("img").evaluate("(image) => image.decode()")
    store(page, "lecture")


def slide(chromium: Browser, book: Path) -> None:
    """The first slide of which most is a figure."""
    page = new_page(chromium, 1240, 698)
    page.goto((book / f"{DECK}-slides.html").as_uri())
    page.wait_for_function("Reveal.isReady()")
    page.evaluate("""() => {
        const all = Reveal.getSlides();
        Reveal.slide(all.findIndex((one) => one.matches(".picture")));
    }""")
    page.locator("section.present img").evaluate("(image) => image.decode()")
    store(page, "slide")


def feedback(chromium: Browser, folder: Path) -> None:
    release = nbformat.read(bench.make_course(folder, SET), as_version=4)
    answers = bench.solution_cells(bench.source(SET)) | {"derivation": WRITTEN}
    for name in WRONG:
        path = bench.ANSWERS / SET / "wrong" / f"{name}.py"
        answers |= bench.read_answer(path).cells
    bench.submit(folder, SET, "ada", bench.submission(release, answers))
    words = ("-m", "course_tools", "grade", SET, "--course", str(folder))
    subprocess.run([sys.executable, "-P", *words], check=True, cwd=ROOT)
    page = new_page(chromium, 1000, 840)
    page.goto((folder / "feedback" / "ada" / SET / f"{SET}.html").as_uri())
    store(page, "feedback")


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as made,
        browser(str(PROGRAMS["chromium"].find())) as chromium,
    ):
        book, course = Path(made) / "book", Path(made) / "course"
        course.mkdir()
        wish = Wish(book, (LECTURE, DECK), meaning=False)
        build(ROOT, wish)
        lecture(chromium, book)
        slide(chromium, book)
        feedback(chromium, course)


if __name__ == "__main__":
    main()
