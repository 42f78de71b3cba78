"""The pages of the whole book: every formula set, every link resolved, none too big."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

from course_tools.book import search_index
from course_tools.book.build import Wish, build, page_link, source_hash
from course_tools.book.contents import Chapter
from course_tools.book.markdown import Anchors, to_html

ROOT = Path(__file__).resolve().parents[2]
MOST_BYTES = 2_000_000


class Links(HTMLParser):
    """The addresses and the named places of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.places: list[str] = []
        self.images: list[dict] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.places += [values["id"]] if "id" in values else []
        self.addresses += [values[n] for n in ("href", "src") if values.get(n)]
        self.images += [values] if tag == "img" else []


@pytest.fixture(scope="module")
def pages(book) -> dict[str, Links]:
    return {path.name: Links(path.read_text("utf-8")) for path in book.glob("*.html")}


def test_every_notebook_has_a_page_below_two_megabytes(book):
    notebooks = [*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("assignments/*/*.ipynb")]
    for notebook in notebooks:
        assert (book / f"{notebook.stem}.html").stat().st_size < MOST_BYTES


def test_every_formula_is_set(book):
    """A formula that KaTeX refuses stops the build; here they are counted."""
    texts = [path.read_text("utf-8") for path in book.glob("*.html")]
    formulas = sum(text.count('<span class="katex">') for text in texts)
    assert formulas > 4000
    source = re.compile(r"\\(frac|sum|partial|mathbf|begin|left)\b")
    for path, text in zip(book.glob("*.html"), texts, strict=True):
        shown = re.sub(
            r"<annotation.*?</annotation>|<pre.*?</pre>", "", text, flags=re.S
        )
        assert not source.search(shown), path.name


def test_every_link_leads_somewhere(book, pages):
    for name, page in pages.items():
        for address in page.addresses:
            if re.match(r"(https?:|mailto:|data:)", address):
                continue
            target, _, place = unquote(address).partition("#")
            assert (book / (target or name)).exists(), f"{name}: {address}"
            if place and (target or name).endswith(".html"):
                assert place in pages[target or name].places, f"{name}: {address}"


def test_places_are_named_once(pages):
    for name, page in pages.items():
        assert len(set(page.places)) == len(page.places), name


def test_pictures_have_descriptions_and_sizes_and_wait_until_they_are_seen(pages):
    images = [image for page in pages.values() for image in page.images]
    assert len(images) > 100
    for image in images:
        assert len(image["alt"]) >= 10
        assert image["loading"] == "lazy"
        assert int(image["width"]) > 100
        assert int(image["height"]) > 50


def test_what_answers_a_prediction_is_folded(book):
    text = (book / "02_simple_rnn.html").read_text("utf-8")
    assert text.count('<details class="answer">') >= 1
    assert "Prediction made? Then compare" not in text


def test_a_solution_is_folded(book):
    assert "a solution (open it after an attempt)</summary>" in (
        book / "02_simple_rnn.html"
    ).read_text("utf-8")


def test_what_cannot_be_run_on_paper_is_folded(book):
    """Without pictures an interactive part is its code alone."""
    text = (book / "02_simple_rnn.html").read_text("utf-8")
    before, _, after = text.partition("The code of this part</summary>")
    assert "explore" in after[:400]
    assert "exercises.solution" not in re.sub("<[^>]+>", "", text)


def test_of_a_problem_set_one_sees_tasks_and_answers_first(book):
    """Its tests and the referee are folded, as the referee is in JupyterLab."""
    text = (book / "ps9_state_spaces.html").read_text("utf-8")
    for title in ("The tests of <code>predict</code>", "The code of this cell"):
        assert f"<details><summary>{title}</summary>" in text
    unfolded = re.sub("(?s)<details>.*?</details>", "", text)
    assert "check_predict" not in unfolded
    assert "YOUR CODE HERE" in unfolded


def test_a_second_build_takes_what_was_made_before(book, monkeypatch):
    def refuse(*arguments):
        raise AssertionError("nothing has changed, so nothing is made again")

    monkeypatch.setattr("course_tools.book.build.make_body", refuse)
    before = (book / "02_simple_rnn.html").read_bytes()
    build(ROOT, Wish(book, frames=0))
    assert (book / "02_simple_rnn.html").read_bytes() == before


def test_the_look_of_pages_counts_as_their_source():
    assert source_hash() == source_hash()
    assert len(source_hash()) == 64


def test_links_between_notebooks_become_links_between_pages():
    link_to = page_link({"04_lstm": "04_lstm.html", "ps1_rnn": "ps1_rnn.html"})
    assert link_to("04_lstm.ipynb") == "04_lstm.html"
    assert link_to("04_lstm.ipynb#gates") == "04_lstm.html#gates"
    assert link_to("../assignments/ps1_rnn/ps1_rnn.ipynb") == "ps1_rnn.html"
    assert link_to("../assignments") == ""
    assert link_to("https://example.org/04_lstm.ipynb").startswith("https:")


def test_boxes_and_headings():
    anchors = Anchors()
    markup = to_html(
        "## Two $x$\n\n> **Careful.** A trap.\n\n## Two $x$\n", anchors, lambda a: a
    )
    assert [heading.anchor for heading in anchors.headings] == ["two-x", "two-x-2"]
    assert '<div class="box careful"' in markup


def test_a_formula_and_the_stop_behind_it_stay_on_one_line():
    anchors = Anchors()
    text = "## Of ($x$)\n\nA state ($h_t$), the $t$-th $y$ of **$z$.** And " + (
        "$a + b + c + d + e + f + g$.\n"
    )
    markup = to_html(text, anchors, lambda a: a)
    assert markup.count('class="whole"') == 5
    # of a long one only the last piece, so that the line may still end within it
    assert re.search(r'"whole"><span class="katex-base">(?:(?!base).)*>g<.*\.', markup)
    assert markup.count("<span") == markup.count("</span>")
    assert '"whole">(<span class="katex">' in markup
    assert "</span></span></span>),</span>" in markup
    assert "</span></span></span>-th</span>" in markup
    assert anchors.headings[0].text == "Of (x)"
    assert not re.search("[\ue000\ue001]", markup)


# ---- search ----

QUESTIONS = {
    "why do gradients vanish": "03_vanishing_gradients",
    "truncated back-propagation": "02_simple_rnn",
    "forget gate": "04_lstm",
    "gated recurrent unit": "05_gru",
    "perplexity of a language model": "06_language_models",
    "beam search": "07_seq2seq",
    "attention weights alignment": "08_attention",
    "scaled dot product": "09_attention_layers",
    "sinusoidal positions": "10_transformer",
    "masked language model": "11_pretraining",
    "differential privacy": "13b_private_training",
    "permutation invariant sets": "14_sets",
    "linear attention": "15_efficient_attention",
    "Kalman filter": "16_state_spaces",
    "vanishign gradeint": "03_vanishing_gradients",  # typed in a hurry
    "exploding gradients": "03_vanishing_gradients",
    "word vectors": "06b_word_vectors",
    "teacher forcing": "07_seq2seq",
    "layer normalisation": "10_transformer",
    "silent bugs": "B_silent_bugs",
}
# in words that the course does not use
OTHER_WORDS = {
    "melody": "06c_music_mood_weather",
    "orchestra": "06c_music_mood_weather",
    "emotions": "06c_music_mood_weather",
    "rainfall": "06c_music_mood_weather",
    "interpreter": "08_attention",
    "gaze": "08b_looking_at_pictures",
}

# written down before any of their results was looked at, with the lectures that a
# reader would be content with; 19 of them succeeded at the first trial
UNSEEN = {
    "how are unknown words split into pieces": ("06_", "06b_"),
    "clip the gradient norm": ("03_",),
    "peephole connections": ("05_",),
    "bidirectional network": ("05b_",),
    "BLEU score": ("07_",),
    "what does the temperature do when sampling": ("06_",),
    "causal mask": ("09_",),
    "rotary positions": ("10_", "12_"),
    "key value cache": ("10_", "12_", "15_"),
    "fine-tuning with few labels": ("11_",),
    "how many tokens per parameter should I train on": ("12_",),
    "low-rank adaptation": ("12b_",),
    "reward hacking": ("12b_",),
    "quantise weights to 4 bits": ("12b_",),
    "was this sentence in the training data": ("13_",),
    "image captioning": ("08b_", "14b_"),
    "hidden Markov model most likely path": ("16_",),
    "evidence lower bound": ("16b_",),
    "selective state space Mamba": ("17_",),
    "can a GPU run a recurrence in parallel": ("17_",),
}


@pytest.fixture(scope="module")
def index(book) -> str:
    return (book / "assets" / "search.js").read_text("utf-8")


@pytest.mark.parametrize(("words", "lecture"), QUESTIONS.items())
def test_a_question_finds_its_lecture_among_the_first_three(index, words, lecture):
    found = search_index.find(index, words, 3)
    assert any(hit["address"].startswith(lecture) for hit in found), found


@pytest.mark.parametrize(("words", "lecture"), OTHER_WORDS.items())
def test_the_meaning_of_a_word_finds_what_the_word_does_not(index, words, lecture):
    null = "window.courseMeaning = null;"
    without = re.sub(r"^window\.courseMeaning = .*$", null, index, flags=re.M)
    for text, is_found in ((index, True), (without, False)):
        found = [hit["address"] for hit in search_index.find(text, words, 3)]
        assert any(a.startswith(lecture) for a in found) is is_found, found


def test_questions_asked_before_any_result_was_seen(index):
    missed = [
        words
        for words, lectures in UNSEEN.items()
        if not any(
            hit["address"].startswith(lectures)
            for hit in search_index.find(index, words, 3)
        )
    ]
    assert len(UNSEEN) == 20
    assert len(missed) <= 2, missed


def test_a_table_of_everything_comes_before_nothing():
    heading = '<h1 id="a">Shown<a class="anchor" href="#a">#</a></h1>'
    markup = f"{heading}Made.<table><tr><td>perplexity</td></tr></table>"
    chapter = Chapter("coverage", "Shown", "Appendix", Path("coverage.md"), None)
    (section,) = search_index.sections(chapter, markup)
    assert section.text.strip() == "Made."


def test_nonsense_finds_nothing(index):
    assert search_index.find(index, "qqqqzzzzxxxx") == []
    assert search_index.find(index, "   ") == []
    assert search_index.find(index, "\"'<>\\") == []
