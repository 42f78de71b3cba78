"""Interactive parts that need no pictures: their formula is a few lines of script.

The script is assets/explore.js; a test compares its numbers with Python's on a grid. A
part stands where the lecture has its own, or below the cell that it belongs to.
"""

import re

from course_tools.book.controls import control_html

# part of a lecture -> how its cell begins or what it calls
ACCOUNTANT, SIZE = "accountant", "size"
CELLS = {
    ACCOUNTANT: re.compile(r"^explore\(\s*pictures\.draw_accountant\b", re.M),
    SIZE: re.compile(r"^def built\(kind, layers, width\b", re.M),
}
SIGMAS = [n / 2 for n in range(1, 17)]
BATCHES = [1, 2, 4, 8, 16, 32, 48, *range(64, 501, 4)]
STEPS = [1, 2, 5, 10, 20, 50, 100, 150, *range(200, 2001, 50)]
LAYERS = [*range(1, 13), *range(14, 49, 2), *range(52, 129, 4)]
WIDTHS = [64, 128, 256, 384, 512, 768, 1024, 1280, 1600, 2048, 4096, 8192, 12288]
WORDS = [256, 1000, 8000, 30522, 40478, 50257, 128000, 256000]
CONTEXTS = [128, 256, 512, 1024, 2048, 4096, 8192]
CONTROLS = {
    ACCOUNTANT: [
        ("noise σ", SIGMAS, 1.0),
        ("records per step, of 1000", BATCHES, 64),
        ("training steps", STEPS, 200),
    ],
    SIZE: [
        ("layers L", LAYERS, 12),
        ("width d", WIDTHS, 768),
        ("tokens of the vocabulary V", WORDS, 50257),
        ("positions C", CONTEXTS, 1024),
    ],
}
HEIGHTS = {ACCOUNTANT: 300, SIZE: 100}


def part_of(source: str) -> str | None:
    """The part that belongs to a cell with this source, if there is one."""
    return next((name for name, cell in CELLS.items() if cell.search(source)), None)


def markup(name: str) -> str:
    """The part on a page: controls, a drawing, and what it shows in words."""
    controls = "\n".join(
        control_html(
            {
                "kind": "slider",
                "label": label,
                "options": [f"{value:g}" for value in values],
                "start": values.index(start),
            }
        )
        for label, values, start in CONTROLS[name]
    )
    return f"""<div class="explorer" role="group" aria-label="Interactive part"
     data-computed="{name}">
{controls}
<svg viewBox="0 0 640 {HEIGHTS[name]}" role="img" aria-label="Drawn by a script"></svg>
<p class="said" aria-live="polite"></p>
</div>"""
