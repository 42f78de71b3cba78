"""The appendix A_ledger, made from the table of errata.

    .venv/bin/python -m course_tools.authoring.ledger

writes its cells and runs them. The rows are those of course_lib/errata/errata.tsv, the
evidence is computed by the cells; so a change belongs into the table or here, never
into the notebook. A test compares.
"""

import sys

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course_lib.errata import ledger
from course_lib.show.course_map import lectures
from course_tools.authoring.coverage import NOTEBOOKS
from course_tools.authoring.tidy import main as tidy

PATH = NOTEBOOKS / "A_ledger.ipynb"

TITLE = """\
# A · The ledger: {number} lines worth a second look

Slides, notes and blog posts on sequence models repeat some lines that are wrong, or \
true only under a condition that is left out, or written in two ways that do not mix. \
Here they are by lecture: what is often printed, what is right, and the evidence, \
computed when you run the cell.

**With this notebook you can**
- look up a doubtful line by lecture or by word;
- run the check that settles it;
- go to the section that explains it.

**You need** nothing to browse, and for an entry the lecture it points to.

**Time** exercises extra. About 10 seconds to run."""

IMPORTS = """\
import torch

from course_lib.errata import ledger
from course_lib.errata.evidence import decide, jacobian, numbers
from course_lib.seeds import set_seed
from course_lib.show import ledger as pictures
from course_lib.show.plots import show

rng = set_seed(0)"""

FIND = """\
## 1. Look something up

`find` takes a word: try *mask*, *root*, *Jacobian*, *GRU*, *bound*. The colour at the \
left is the sort of entry, as in the figure below; the small link leads to the \
lecture."""

COUNTS = """\
Fewer than half are wrong as they stand. The others need a condition, or are slips of \
the pen or unusual names; the green ones are no errors, only places where two good \
texts (or a text and PyTorch) chose differently."""

HOW = """\
## 2. How a line is settled

Three things are computed: what the printed form says, what the corrected form says, \
and a *truth* that comes from neither, such as autograd, a module of PyTorch or a list \
of all cases. The corrected form must agree with the truth up to rounding, and the \
printed one must *not*: a check that could not clear the accused would be worth \
nothing. (Two entries, on speed and on quality, print no number; there only the \
corrected half is checked. Three are facts with a reference.) Here is E1 in full. For \
$h_t = \\tanh(W h_{t-1})$ the Jacobian is $\\operatorname{diag}(1 - h_t^2)\\,W$; often \
printed is its transpose. Exchange the two, and the check refuses."""

BY_HAND = """\
W, h = numbers(1, 5, 5) / 2, numbers(2, 5)
step = lambda h: torch.tanh(W @ h)
truth = jacobian(step, h)  # autograd
corrected = (1 - step(h) ** 2)[:, None] * W
print(decide("dh_t/dh_{t-1}", truth, printed=corrected.T, holds=corrected))

try:
    decide("dh_t/dh_{t-1}", truth, printed=corrected, holds=corrected.T)
except AssertionError as refusal:
    print("exchanged,", refusal)"""

ROWS = """\
## 3. By lecture

Each check is a few lines in `course_lib/errata/`, named after what it shows."""


def cells() -> list[NotebookNode]:
    """Everything that is not an output."""
    made = [
        new_markdown_cell(TITLE.format(number=len(ledger())), id="title"),
        new_code_cell(IMPORTS, id="imports"),
        new_markdown_cell(FIND, id="look-up"),
        new_code_cell('pictures.find("softmax")', id="find"),
        new_markdown_cell(COUNTS, id="sorts"),
        new_code_cell("show(*pictures.draw_counts(ledger()))", id="counts"),
        new_markdown_cell(HOW, id="how"),
        new_code_cell(BY_HAND, id="by-hand"),
        new_markdown_cell(ROWS, id="rows"),
    ]
    for lecture in lectures():
        made += of_lecture(lecture.notebook, f"{lecture.number} · {lecture.title}")
    return made


def of_lecture(name: str, title: str) -> list[NotebookNode]:
    """Heading and table of a lecture, tagged with its entries; nothing if it has none.

    The heading is a link, and the cell computes what its rows say.
    """
    numbers = [entry.number for entry in ledger() if entry.lecture == name]
    if not numbers:
        return []
    tags = {"tags": [f"E{number}" for number in numbers]}
    place = name.split("_")[0]
    return [
        new_markdown_cell(f"### [{title}]({name}.ipynb)", id=f"lecture-{place}"),
        new_code_cell(
            f'pictures.settled("{name}")', id=f"settled-{place}", metadata=tags
        ),
    ]


def main() -> int:
    """Write the notebook, then run and store it as every other one."""
    nbformat.write(new_notebook(cells=cells()), PATH)
    return tidy([str(PATH)])


if __name__ == "__main__":
    sys.exit(main())
