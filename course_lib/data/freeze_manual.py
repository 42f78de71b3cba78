r"""How the text of manual.py was made: the prose of Python's manual, topic by topic.

    python -m course_lib.data.freeze_manual

writes python_manual/topics.txt from `pydoc_data.topics` of the Python that runs it, the
texts behind `help()`. Every release has a slightly different manual, so the course
keeps one of them: then a result that depends on the text is the same everywhere.
"""

import platform
import re
from pathlib import Path
from pydoc_data.topics import topics

from course_lib.data.manual import LETTERS, TOPICS

PLAIN = str.maketrans(
    {"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "...", "ß": "ss"}
)
SHORTEST = 80  # characters; shorter paragraphs are headings and fragments


def prose(topic: str) -> list[str]:
    """The paragraphs of prose of one topic, each on one line, without its bullet."""
    blocks = re.split(r"\n\s*\n", topic.translate(PLAIN))
    texts = [" ".join(block.split()).removeprefix("* ") for block in blocks]
    return [text for text in texts if is_prose(text)]


def is_prose(text: str) -> bool:
    """Starts with a capital, ends like a sentence, is made of words, says enough."""
    words = sum(letter.isalpha() or letter == " " for letter in text)
    return (
        len(text) >= SHORTEST
        and text[0].isupper()
        and text[-1] in ".:"
        and words >= 0.88 * len(text)
        and set(text) <= set(LETTERS)
    )


def frozen(manual: dict[str, str], release: str) -> str:
    """The file: where it comes from, then every topic's name and its paragraphs."""
    head = (
        f"# Prose of the manual of Python {release} (pydoc_data.topics), chosen and "
        "put on one line a paragraph by course_lib/data/freeze_manual.py.\n"
        "# Copyright (c) 2001-2023 Python Software Foundation; All Rights Reserved. "
        "See LICENSE.txt beside this file.\n"
    )
    parts = [[f"[{name}]", *prose(manual[name])] for name in sorted(manual)]
    return head + "".join("\n" + "\n".join(part) + "\n" for part in parts)


def write(path: Path = TOPICS) -> None:
    """Replace the text of the course by the manual of the Python that runs this."""
    text = frozen(topics, platform.python_version())
    path.write_text(text, encoding="utf8", newline="\n")


if __name__ == "__main__":
    write()
