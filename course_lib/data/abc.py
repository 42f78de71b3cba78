r"""ABC notation: tunes as text, and what the text means in time and pitch.

A tune is a row of tokens such as `M:6/8`, `K:G`, `d2`, `^f/2`, `|`. A note token is an
accidental, a letter (capitals are the octave from middle C, small letters the one
above), marks for further octaves, and a length in units of an eighth. So `A` is an
eighth, `A2` a quarter, `A/2` a sixteenth, `z` a rest. `|` ends a bar.
"""

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import cache

NOTE = re.compile(r"([\^_=]{0,2})([A-Ga-gz])([,']*)(\d*)(/*)(\d*)")
BARS = ("|", "||", ":|", "|:", "::")
SEMITONES = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
MIDDLE_C = 60
# Where a key's tonic stands in the circle of fifths, and how far its mode shifts it.
FIFTHS = {"F": -1, "C": 0, "G": 1, "D": 2, "A": 3, "E": 4, "B": 5}
MODES = {"": 0, "maj": 0, "m": -3, "min": -3, "mix": -1, "dor": -2, "phr": -4, "lyd": 1}
SHARPS = "FCGDAEB"  # the order in which a key signature adds sharps; flats in reverse


def length_text(length: Fraction) -> str:
    """How ABC writes a length in eighths: 1 is empty, 1/2 is '/2', 3/2 is '3/2'."""
    top = "" if length.numerator == 1 else str(length.numerator)
    return top if length.denominator == 1 else f"{top}/{length.denominator}"


@cache  # a corpus repeats a few hundred tokens hundreds of thousands of times
def length(token: str) -> Fraction | None:
    """The length of a note token in eighths; None for a token that is no note."""
    match = NOTE.fullmatch(token)
    if match is None:
        return None
    *_, top, slashes, bottom = match.groups()
    below = int(bottom) if bottom else 2 ** len(slashes)
    return Fraction(int(top or 1), below)


def eighths(metre: str) -> Fraction:
    """How many eighths a bar holds: '6/8' -> 6, '2/2' -> 8."""
    match = re.fullmatch(r"(\d+)/(\d+)", metre)
    if match is None:
        raise ValueError(f"metre {metre!r}: expected two numbers such as 6/8")
    return Fraction(8 * int(match[1]), int(match[2]))


def inner_bars(tokens: Iterable[str]) -> list[Fraction]:
    """Lengths, in eighths, of the bars that stand between two plain bar lines.

    The first bar of a tune and the bars beside a repeat sign may be incomplete, because
    a tune may start with an upbeat; these are not counted.
    """
    found, total, opened = [], Fraction(0), False
    for token in tokens:
        if token in BARS:
            if opened and token == "|":
                found.append(total)
            total, opened = Fraction(0), token == "|"
        else:
            total += length(token) or 0
    return found


def full_bars(tokens: Iterable[str], metre: str) -> tuple[int, int]:
    """How many inner bars add up to the metre, and how many there are."""
    bars, wanted = inner_bars(tokens), eighths(metre)
    return sum(bar == wanted for bar in bars), len(bars)


def signature(key: str) -> dict[str, int]:
    """The sharps (+1) and flats (-1) of a key: 'D' -> F and C are sharp."""
    match = re.fullmatch(r"([A-G])([#b]?)([a-z]*)", key)
    if match is None or match[3] not in MODES:
        raise ValueError(f"key {key!r}: expected a name such as D, Em, Bb, Ador")
    tonic, accidental, mode = match.groups()
    fifths = FIFTHS[tonic] + 7 * {"#": 1, "b": -1, "": 0}[accidental] + MODES[mode]
    if fifths >= 0:
        return dict.fromkeys(SHARPS[:fifths], 1)
    return dict.fromkeys(SHARPS[::-1][:-fifths], -1)


def notes(tokens: Iterable[str], key: str) -> list[tuple[float, float, int]]:
    """(start, length, pitch) of every note: eighths, eighths, MIDI number (C4 = 60).

    An accidental holds until the end of its bar; rests take time and give no note.
    """
    now, found, holds = Fraction(0), [], signature(key)
    for token in tokens:
        match = NOTE.fullmatch(token)
        if match is None:
            if token in BARS:
                holds = signature(key)
            continue
        accidental, letter, octave, *_ = match.groups()
        long = length(token) or Fraction(0)
        if letter != "z":
            name = letter.upper()
            if accidental:
                holds[name] = accidental.count("^") - accidental.count("_")
            up = (letter != name) + octave.count("'") - octave.count(",")
            pitch = MIDDLE_C + SEMITONES[name] + 12 * up + holds.get(name, 0)
            found.append((float(now), float(long), pitch))
        now += long
    return found
