"""Which submissions share more than the set itself explains."""

import itertools
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from course_tools.similar import fingerprints
from course_tools.similar.fingerprints import Piece

LEAST_PIECES = 20  # shared by two, or nothing can be said: some ten lines of code
LEAST_SHARE = 0.35  # of what the shorter of the two has of its own
COMMON = 0.2  # of the class: a piece that so many have is an idiom of the set
TOKENS = 200_000  # of one submission: more would keep the class waiting
LETTERS = 5  # of one token, on average; a text without tokens takes its time, too
OWN = "own cell"  # begins the names of cells that are not of the set
FEW = 3  # students may always share a piece before it counts as an idiom


@dataclass(frozen=True)
class Answer:
    """One answer: the name of its cell, its text, and whether it is a program."""

    name: str
    text: str
    is_code: bool = True


@dataclass(frozen=True)
class Match:
    """A part that two answers share: the lines of the one and of the other."""

    name: str
    other: str
    lines: tuple[int, int]
    other_lines: tuple[int, int]


@dataclass(frozen=True)
class Pair:
    """Two submissions, how many pieces they share, and where."""

    one: str
    other: str
    shared: int
    share: float  # of what the shorter one has of its own, in all or in one answer
    matches: tuple[Match, ...]

    @property
    def answers(self) -> tuple[str, ...]:
        """The answers in which they are alike, those with most in common first."""
        counts = Counter(match.name for match in self.matches)
        return tuple(name for name, _ in counts.most_common())


Found = dict[int, list[tuple[str, Piece]]]  # by hash: the answer, and the piece in it


def find(answers: Sequence[Answer], known: Collection[str]) -> Found:
    """The pieces of one submission: of its answers first, and of the short ones."""
    found: Found = defaultdict(list)
    room = TOKENS
    for answer in sorted(answers, key=_rank):
        if room <= 0:
            break
        tokens = _tokens(answer, known)
        looked_at = min(len(answer.text), fingerprints.CHARACTERS)
        room -= max(len(tokens), looked_at // LETTERS)
        for piece in fingerprints.pieces(tokens):
            found[piece.hash].append((answer.name, piece))
    return dict(found)


def _rank(answer: Answer) -> tuple[bool, int]:
    return answer.name.startswith(OWN), len(answer.text)


def _tokens(answer: Answer, known: Collection[str]) -> list[fingerprints.Token]:
    if answer.is_code:
        return fingerprints.code_tokens(answer.text, known)
    return fingerprints.text_tokens(answer.text)


def explained(texts: Sequence[Sequence[Answer]], known: Collection[str]) -> set[int]:
    """The pieces of stub and solution; all of their runs, not only those kept."""
    runs: set[int] = set()
    for answers in texts:
        for answer in answers:
            runs.update(_all_runs(answer, known))
    return runs


def _all_runs(answer: Answer, known: Collection[str]) -> set[int]:
    tokens = _tokens(answer, known)
    length = fingerprints.RUN
    runs = (tokens[i : i + length] for i in range(len(tokens) - length + 1))
    return {piece.hash for run in runs for piece in fingerprints.pieces(run)}


def alike(
    submissions: Mapping[str, Sequence[Answer]],
    given: Sequence[Sequence[Answer]],
    known: Collection[str] = (),
    least: float = LEAST_SHARE,
) -> list[Pair]:
    """The pairs that share enough, those that share most first."""
    own = {student: find(answers, known) for student, answers in submissions.items()}
    counts = Counter(piece for found in own.values() for piece in found)
    allowed = max(FEW, COMMON * len(own))
    usual = {piece for piece, count in counts.items() if count > allowed}
    usual |= explained(given, known)
    own = {
        student: {hash_: where for hash_, where in found.items() if hash_ not in usual}
        for student, found in own.items()
    }
    pairs = [_pair(one, other, own) for one, other in itertools.combinations(own, 2)]
    kept = [p for p in pairs if p.shared >= LEAST_PIECES and p.share >= least]
    return sorted(kept, key=lambda p: (-p.share * p.shared, p.one, p.other))


def _pair(one: str, other: str, own: Mapping[str, Found]) -> Pair:
    mine, theirs = own[one], own[other]
    shared = mine.keys() & theirs.keys()
    matches = [_match(mine[piece][0], theirs[piece][0]) for piece in shared]
    share = len(shared) / max(min(len(mine), len(theirs)), 1)
    share = max(share, _best_answer(matches, mine, theirs))
    ordered = sorted(matches, key=lambda match: (match.name, match.lines))
    return Pair(one, other, len(shared), share, tuple(ordered))


def _best_answer(matches: Sequence[Match], mine: Found, theirs: Found) -> float:
    """The largest share in one answer that has enough pieces: only it was copied."""
    sizes, others = _sizes(mine), _sizes(theirs)
    together = Counter((match.name, match.other) for match in matches)
    return max(
        (
            count / min(sizes[name], others[other])
            for (name, other), count in together.items()
            if count >= LEAST_PIECES
        ),
        default=0.0,
    )


def _sizes(found: Found) -> Counter[str]:
    """How many pieces stand first in each answer."""
    return Counter(where[0][0] for where in found.values())


def _match(mine: tuple[str, Piece], theirs: tuple[str, Piece]) -> Match:
    (name, piece), (other, twin) = mine, theirs
    lines, other_lines = (piece.first, piece.last), (twin.first, twin.last)
    return Match(name, other, lines, other_lines)
