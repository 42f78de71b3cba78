"""Search by meaning: a small vector for each word, distilled from the course's encoder.

MiniLM reads each word by itself; of its 384 numbers the 48 directions are kept in which
common words differ most, each as a whole number. A section is the mean of its words,
rare ones counting more. In the browser a question is a mean of words, too: no encoder
runs there. Words that were read before are kept in .cache/book.
"""

import base64
import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

COMMON = 10_000  # words of the encoder's own list, the most frequent ones
DIRECTIONS = 48
BATCH = 256
WORD = re.compile(r"[a-z][a-z0-9]*")
TITLE = 3  # a word of a heading counts so often


@dataclass(frozen=True)
class Vectors:
    """Vectors of length 1 for words and for sections, and how much a word counts."""

    words: list[str]
    of_words: np.ndarray  # (words, DIRECTIONS)
    of_sections: np.ndarray  # (sections, DIRECTIONS)
    weights: np.ndarray  # (words,)

    def tables(self) -> dict[str, object]:
        """As the script of the search reads them."""
        return {
            "words": " ".join(self.words),
            "size": self.of_words.shape[1],
            "ofWords": packed(self.of_words),
            "ofSections": packed(self.of_sections),
            "weights": [round(float(weight), 2) for weight in self.weights],
        }


def words_of(text: str) -> list[str]:
    return WORD.findall(text.lower())


def packed(vectors: np.ndarray) -> str:
    """Whole numbers from -127 to 127, as base64."""
    top = np.abs(vectors).max(axis=1, keepdims=True)
    whole = np.round(127 * vectors / np.maximum(top, 1e-9)).astype(np.int8)
    return base64.b64encode(whole.tobytes()).decode("ascii")


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)


def common_words(vocabulary: Iterable[str]) -> list[str]:
    """The first whole words of the encoder's list, which begins with frequent ones."""
    whole = (word for word in vocabulary if re.fullmatch(r"[a-z]{3,}", word))
    return [word for word, _ in zip(whole, range(COMMON), strict=False)]


def read_words(words: list[str], cache: Path) -> tuple[list[str], np.ndarray]:
    """The encoder's vectors of its common words and of these; returns the words, too.

    Common words come first. Only words that were never read before are read now.
    """
    stored = cache / f"words-{COMMON}.npz"
    known: dict[str, np.ndarray] = {}
    common: list[str] = []
    if stored.exists():
        with np.load(stored) as kept:
            names, vectors = kept["words"].tolist(), kept["vectors"]
            common = names[:COMMON]
            known = dict(zip(names, vectors, strict=True))
    missing = [word for word in words if word not in known]
    if missing or not known:
        import torch

        from course_lib.models.bert import load_minilm

        torch.set_num_threads(1)
        encoder = load_minilm()
        if not known:
            ids = encoder.tokenizer.get_vocab()
            common = common_words(sorted(ids, key=lambda word: ids[word]))
        missing = list(dict.fromkeys([*common, *missing] if not known else missing))
        read = encoder.embed(missing, BATCH).numpy().astype(np.float16)
        known |= dict(zip(missing, read, strict=True))
        cache.mkdir(parents=True, exist_ok=True)
        draft = cache / "words-draft.npz"
        np.savez(
            draft, words=np.array(list(known)), vectors=np.stack([*known.values()])
        )
        draft.replace(stored)
    names = list(dict.fromkeys([*common, *words]))
    return names, np.stack([known[name] for name in names]).astype(np.float32)


def directions(common: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mean of common words, and the directions in which they differ most."""
    mean = common.mean(axis=0)
    _, _, rows = np.linalg.svd(common - mean, full_matrices=False)
    return mean, rows[:DIRECTIONS].T


def vectors(texts: list[tuple[str, str]], cache: Path) -> Vectors:
    """Vectors for sections, each given as (title, text), and for all words."""
    counts = [Counter(words_of(f"{title} " * TITLE + text)) for title, text in texts]
    in_sections = Counter(word for count in counts for word in count)
    # what stands once in the whole course is a name or a slip
    total = sum(counts, Counter())
    words = sorted(word for word, times in total.items() if times > 1)
    names, read = read_words(words, cache)
    mean, basis = directions(read[:COMMON])
    of_words = unit((read - mean) @ basis)
    place = {name: number for number, name in enumerate(names)}
    rare = np.array(
        [math.log((1 + len(texts)) / (1 + in_sections[name])) for name in names]
    )
    weights = np.minimum(rare, math.log((1 + len(texts)) / 3))
    of_sections = np.zeros((len(texts), of_words.shape[1]))
    for number, count in enumerate(counts):
        for word, times in count.items():
            if word in place:
                at = place[word]
                of_sections[number] += (
                    (1 + math.log(times)) * weights[at] * of_words[at]
                )
    of_sections = unit(of_sections)
    of_sections = unit(of_sections - of_sections.mean(axis=0))  # what all share
    return Vectors(names, of_words, of_sections, weights)
