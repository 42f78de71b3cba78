"""A text as a set of pieces that survive renaming, reordering and comments.

Winnowing (Schleimer, Wilkerson and Aiken, 2003): of all runs of RUN tokens, one of each
WINDOW neighbours is kept, the one whose hash is the smallest. Whatever two texts share
in RUN + WINDOW - 1 tokens or more is certain to be found, wherever it stands.
"""

import hashlib
import io
import keyword
import re
import tokenize
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

RUN = 12  # tokens that make up one piece
WINDOW = 5  # neighbouring pieces of which one is kept
TOKENS = 20_000  # of one text that are looked at
CHARACTERS = 5 * TOKENS  # of the same: to take a text apart takes time, too
LOOSE = re.compile(r"\w+|[^\w\s]")
SILENT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}


@dataclass(frozen=True)
class Token:
    """What counts of a word, and the line in which it stands."""

    text: str
    line: int


@dataclass(frozen=True)
class Piece:
    """A kept run of tokens: its hash, and the lines from and to which it goes."""

    hash: int
    first: int
    last: int


def code_tokens(source: str, known: Collection[str] = ()) -> list[Token]:
    """The tokens of a program; names that the student chose are all the same.

    `known` are names that everybody has been given: these stay, as do attributes.
    """
    source = source[:CHARACTERS]
    try:
        return list(_normalised(_tokens(source), known))[:TOKENS]
    except (tokenize.TokenError, SyntaxError):  # no program: words and signs will do
        return text_tokens(re.sub(r"#.*", "", source))


def _tokens(source: str) -> list[tokenize.TokenInfo]:
    found = tokenize.generate_tokens(io.StringIO(source).readline)
    return [token for token in found if token.type not in SILENT or _ends(token)]


def _ends(token: tokenize.TokenInfo) -> bool:
    return token.type == tokenize.NEWLINE


def _normalised(
    tokens: Sequence[tokenize.TokenInfo], known: Collection[str]
) -> Iterator[Token]:
    before, starts = "", True
    for token in tokens:
        text, line = token.string, token.start[0]
        if token.type == tokenize.NEWLINE:
            starts, before = True, ""
            continue
        if token.type == tokenize.STRING:
            if starts:  # a docstring
                continue
            text = "S"
        elif token.type == tokenize.NAME and before != ".":
            kept = keyword.iskeyword(text) or text in known
            text = text if kept else "N"
        starts, before = False, token.string
        yield Token(text, line)


def text_tokens(text: str) -> list[Token]:
    """The words and signs of a text, in small letters."""
    return [
        Token(word, number)
        for number, line in enumerate(text[:CHARACTERS].lower().splitlines(), 1)
        for word in LOOSE.findall(line)
    ][:TOKENS]


def pieces(tokens: Sequence[Token]) -> list[Piece]:
    """The pieces that winnowing keeps."""
    runs = [
        Piece(_hash(run), run[0].line, run[-1].line)
        for run in (tokens[i : i + RUN] for i in range(len(tokens) - RUN + 1))
    ]
    kept: dict[int, Piece] = {}
    for start in range(max(len(runs) - WINDOW + 1, min(1, len(runs)))):
        near = range(start, min(start + WINDOW, len(runs)))
        least = min(near, key=lambda i: (runs[i].hash, -i))  # the last of equal ones
        kept[least] = runs[least]
    return list(kept.values())


def _hash(run: Sequence[Token]) -> int:
    """The same in every run of the program, unlike Python's own."""
    text = "\0".join(token.text for token in run)
    digest = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8)
    return int.from_bytes(digest.digest())
