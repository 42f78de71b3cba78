"""00_start_here: the map, the contents and the links to outside resources."""

import re
from urllib.parse import urlparse

import matplotlib.pyplot as plt
import pytest
from lectures import LECTURES

from course_lib.show import course_map
from course_lib.show.start_here import RESOURCES, second_voices

# What the course promises to name (row C362 of the table of concepts), by its host.
PROMISED = {
    "Olah": "colah.github.io",
    "Goodfellow": "deeplearningbook.org",
    "Dive into Deep Learning": "d2l.ai",
    "annotated Transformer": "nlp.seas.harvard.edu",
    "illustrated Transformer": "jalammar.github.io",
    "explainer": "poloclub.github.io",
    "TensorFlow": "tensorflow.org",
    "Hugging Face": "huggingface.co",
    "MIT 6.S191": "introtodeeplearning.com",
    "DAIR.AI": "github.com",
    "step by step": "towardsdatascience.com",
    "climate": "kaggle.com",
}


def test_the_table_holds_every_notebook_in_its_order():
    numbered = [path.stem for path in LECTURES if path.stem != "00_start_here"]
    assert [lecture.notebook for lecture in course_map.lectures()] == numbered


def test_the_parts_are_not_torn_apart():
    parts = [lecture.part for lecture in course_map.lectures()]
    assert list(course_map.parts()) == list(dict.fromkeys(parts))
    changes = sum(one != other for one, other in zip(parts, parts[1:], strict=False))
    assert changes == len(set(parts)) - 1


def test_the_map_shows_every_lecture_and_no_label_leaves_its_box():
    fig, alt = course_map.draw_map()
    ax = fig.axes[0]
    fig.canvas.draw()
    boxes = [patch.get_window_extent() for patch in ax.patches]
    drawn = {" ".join(text.get_text().split()): text for text in ax.texts}
    for lecture in course_map.lectures():
        extent = drawn[f"{lecture.number} {lecture.title}"].get_window_extent()
        corners = extent.get_points()
        assert any(all(box.contains(*point) for point in corners) for box in boxes)
        assert lecture.part in alt
    plt.close(fig)


NUMBER = "97"  # apart from the words, for no notebook has these names


@pytest.mark.parametrize(
    ("notebook", "companion"),
    [(f"{NUMBER}b_more", True), (f"{NUMBER}_main", False), ("Z_appendix", False)],
)
def test_companions_are_those_with_a_letter(notebook, companion):
    assert course_map.Lecture("", notebook, "", "").companion == companion


def test_the_contents_link_every_lecture():
    linked = re.findall(r"\]\((\w+)\.ipynb\)", course_map.contents())
    assert linked == [lecture.notebook for lecture in course_map.lectures()]


def test_the_story_is_told_in_order():
    """Sequences, recurrent networks, their drawbacks, attention, Transformers."""
    order = [lecture.notebook for lecture in course_map.lectures()]
    story = "01_sequences 02_simple_rnn 03_vanishing_gradients 08_attention"
    places = [order.index(name) for name in [*story.split(), "10_transformer"]]
    assert places == sorted(places)


@pytest.mark.parametrize("words", PROMISED)
def test_what_is_promised_is_linked(words):
    (first, *_) = [r for r in RESOURCES if words.lower() in r.markdown.lower()]
    assert urlparse(first.address).hostname.endswith(PROMISED[words])


def test_links_are_links_to_lectures_that_exist():
    numbers = {path.stem.split("_")[0] for path in LECTURES}
    for resource in RESOURCES:
        address = urlparse(resource.address)
        assert address.scheme == "https"
        assert address.path
        assert set(resource.lectures.split("-")) <= numbers
        assert f"]({resource.address})" in second_voices()
