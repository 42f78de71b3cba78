r"""Real folk tunes: O'Neill's *Music of Ireland* (1903) in ABC notation.

Data: folder `oneills1850` of the package music21; the tunes are in the public domain,
the ABC texts are by the transcribers named there, given to music21 (BSD-3-Clause).

A tune becomes a row of tokens, see `abc.py`. What does not matter to rhythm and melody
(slurs, grace notes, ornaments, titles) is left out, and what ABC abbreviates is written
out: `A>B` becomes `A3/2 B/2`, the triplet `(3ABc` becomes `A2/3 B2/3 c2/3`. Tunes with
chords or with a change of metre are left out. Introduced in lecture 06c.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import prod

import numpy as np

from course_lib.data.abc import BARS, NOTE, length, length_text, signature
from course_lib.data.installed import folder

METRES = {"C": "4/4", "C|": "2/2"}  # the old signs; others stand as they are
KEPT = ("6/8", "2/2", "2/4", "3/4", "4/4", "9/8")
ORNAMENTS = re.compile(r'%.*|"[^"]*"|\{[^}]*\}|![^!]*!|[~.THSuv`\\-]')
SYMBOLS = re.compile(
    rf"(?P<note>{NOTE.pattern})|\((?P<tuplet>\d)|(?P<broken>[<>]+)"
    r"|(?P<bar>:\|\]?[|:]*|\|:|\|\||\|\]|::|\[?\|)|(?P<skip>[\s()\]]|\[?[12])"
)
BAR_NAMES = {"|]": "||", "[|": "||", ":|]": ":|", ":||": ":|", ":|:": "::"}


@dataclass(frozen=True)
class Tune:
    """One tune: its number in the book, and its tokens after metre and key."""

    number: int
    title: str
    metre: str
    key: str
    tokens: tuple[str, ...]

    @property
    def text(self) -> tuple[str, ...]:
        """All a model reads: metre, key, then the tune."""
        return (f"M:{self.metre}", f"K:{self.key}", *self.tokens)


@dataclass(frozen=True)
class Tunes:
    """Tunes to learn from, and tunes kept back."""

    train: tuple[Tune, ...]
    test: tuple[Tune, ...]


def load(
    seed: int = 0, metres: tuple[str, ...] = KEPT, test_share: float = 0.1
) -> Tunes:
    """The tunes in these metres, shuffled with this seed and split."""
    unknown = set(metres) - set(KEPT)
    if unknown or not metres:
        raise ValueError(f"metres {sorted(unknown)} are not among {KEPT}")
    found = [tune for tune in book() if tune.metre in metres]
    order = np.random.default_rng(seed).permutation(len(found))
    shuffled = [found[i] for i in order]
    kept_back = round(test_share * len(found))
    return Tunes(tuple(shuffled[kept_back:]), tuple(shuffled[:kept_back]))


def book() -> list[Tune]:
    """Every tune we can read, once, in the order of the book."""
    where = folder("music21", "corpus/oneills1850", "the folk tunes")
    found: dict[int, Tune] = {}
    melodies = set()
    for path in sorted(where.glob("*.abc")):
        text = path.read_text(encoding="utf8", errors="replace")
        for part in re.split(r"(?m)^X:", text)[1:]:
            tune = read("X:" + part)
            if tune and tune.number not in found and tune.tokens not in melodies:
                found[tune.number] = tune
                melodies.add(tune.tokens)
    return [found[number] for number in sorted(found)]


def read(text: str) -> Tune | None:
    """One tune from its ABC text; None if it holds something we leave out."""
    head, body, in_body = {}, [], False
    for line in text.splitlines():
        field = re.match(r"([A-Za-z]):\s*(.*?)\s*(%.*)?$", line)
        if field and in_body and field[1] in "MLK":
            return None  # a change of metre, unit or key
        if field:
            head.setdefault(field[1], field[2])
            in_body = in_body or field[1] == "K"
        elif in_body:
            body.append(line)
    metre = METRES.get(head.get("M", ""), head.get("M", ""))
    key, number = head.get("K", "").lower().capitalize(), head.get("X", "")
    unit = re.fullmatch(r"1/(\d+)", head.get("L", "1/8"))
    if metre not in KEPT or not unit or not number.isdigit() or not _key_known(key):
        return None
    tokens = tokenise("\n".join(body), Fraction(8, int(unit[1])))
    if tokens is None or sum(map(_is_note, tokens)) < 24:
        return None
    return Tune(int(number), head.get("T", ""), metre, key, tokens)


def tokenise(body: str, unit: Fraction) -> tuple[str, ...] | None:
    """The body's notes and bar lines, lengths written out in eighths.

    unit  how many eighths a note without a length lasts (ABC's field L)
    """
    body = re.sub(r"\((?!\d)", " ", ORNAMENTS.sub("", body))
    tokens, position, factors, broken = [], 0, [], None
    while position < len(body):
        match = SYMBOLS.match(body, position)
        if match is None:
            return None  # a chord, a word, a sign we do not read
        position = match.end()
        kind, piece = match.lastgroup, match.group()
        if match["note"]:
            tuplet = factors.pop() if factors else 1
            tokens.append(_scaled(piece, unit, tuplet, broken or 1))
            broken = None
        elif kind == "tuplet":
            if piece != "(3":
                return None
            factors = [Fraction(2, 3)] * 3
        elif kind == "broken":
            if not tokens or not _is_note(tokens[-1]):
                return None
            short = Fraction(1, 2 ** len(piece))
            mine, broken = (2 - short, short) if ">" in piece else (short, 2 - short)
            tokens[-1] = _scaled(tokens[-1], mine)
        elif kind == "bar":
            name = BAR_NAMES.get(piece, piece)
            if name not in BARS:
                return None
            if not (tokens and tokens[-1] in BARS):
                tokens.append(name)
    return tuple(tokens)


@cache  # the same few hundred cases come a quarter of a million times
def _scaled(piece: str, *factors: Fraction) -> str:
    """The note with its length multiplied by all the factors."""
    match, now = NOTE.fullmatch(piece), length(piece)
    if match is None or now is None:
        raise ValueError(f"{piece!r} is no note")
    accidental, letter, octave, *_ = match.groups()
    return accidental + letter + octave + length_text(now * prod(factors))


@cache
def _is_note(token: str) -> bool:
    return NOTE.fullmatch(token) is not None


def _key_known(key: str) -> bool:
    try:
        signature(key)
    except ValueError:
        return False
    return True
