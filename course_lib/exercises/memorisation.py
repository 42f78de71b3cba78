"""Exercises of lecture 13, memorisation."""

import math

import numpy as np
from numpy.random import Generator
from torch import nn

from course_lib.exercises.exercise import Exercise, Exercises
from course_lib.models import canaries


def exposure(scores: np.ndarray, secret: int) -> float:
    """log2 n - log2 rank, a tie counting half."""
    better = (scores > scores[secret]).sum()
    tied = (scores == scores[secret]).sum() - 1  # the secret itself is no tie
    return math.log2(len(scores)) - math.log2(1 + better + tied / 2)


def scores_with_ties(rng: Generator) -> tuple:
    """Ten scores; some are better than the secret, some tied with it, some worse."""
    better, tied = int(rng.integers(1, 5)), int(rng.integers(1, 4))
    places = [*range(better), *[better] * (tied + 1), *range(better + 1, 10 - tied)]
    scores = -1.0 - np.array(places) - int(rng.integers(5))
    order = rng.permutation(10)
    return scores[order], int(np.flatnonzero(order == better)[0])


def bits(n: int, place: float) -> float:
    return math.log2(n) - math.log2(place)


EXPOSURE_MISTAKES = {
    "You let the secret win its ties: then a model that gives all codes the same "
    "score would seem to know every secret.": (
        lambda s, k: bits(len(s), 1 + (s > s[k]).sum())
    ),
    "You let the secret lose its ties; they count half.": (
        lambda s, k: bits(len(s), (s >= s[k]).sum())
    ),
    "The secret itself is not a tie.": (
        lambda s, k: bits(len(s), 1 + (s > s[k]).sum() + (s == s[k]).sum() / 2)
    ),
    "The best code has rank 1, not 0: one more than the number of better ones.": (
        lambda s, k: bits(len(s), (s > s[k]).sum() + ((s == s[k]).sum() - 1) / 2)
    ),
    "argsort lists the codes in order; it does not say at which place a code is.": (
        lambda s, k: bits(len(s), 1 + float(np.argsort(-s)[k]))
    ),
    "You counted from the worst code; rank 1 is the largest score.": (
        lambda s, k: exposure(-s, k)
    ),
    "That is the rank; exposure is a logarithm.": (
        lambda s, k: len(s) / 2 ** exposure(s, k)
    ),
    "That is log2 of the rank; exposure is what is missing to log2 n.": (
        lambda s, k: math.log2(len(s)) - exposure(s, k)
    ),
    "Bits: use logarithms to base 2.": lambda s, k: math.log(2) * exposure(s, k),
    "That is how surprised the model is by the secret, -log2 p; exposure asks at which "
    "place it stands.": lambda s, k: math.log2(np.exp(s - s[k]).sum()),
    "That compares the probability of the secret with 1/n; exposure asks for its place "
    "among the codes.": lambda s, k: math.log2(len(s) / np.exp(s - s[k]).sum()),
}


def chance(n: int) -> float:
    """Every rank has probability 1/n."""
    return math.log2(n) - sum(math.log2(r) for r in range(1, n + 1)) / n


def some_codes(rng: Generator) -> tuple:
    return (int(rng.integers(3, 40)),)


CHANCE_MISTAKES = {
    "That is the exposure of the mean rank; the mean of the exposures is larger, "
    "because the logarithm is concave.": lambda n: (
        math.log2(n) - math.log2((n + 1) / 2)
    ),
    "That is the limit for large n; asked is the exact mean.": (
        lambda n: 1 / math.log(2)
    ),
    "That is Stirling's approximation; asked is the exact mean.": lambda n: (
        (1 - math.log(2 * math.pi * n) / (2 * n)) / math.log(2)
    ),
    "The last place counts too: ranks go from 1 to n.": lambda n: (
        chance(n) + math.log2(n) / n
    ),
    "Bits: use logarithms to base 2.": lambda n: math.log(2) * chance(n),
    "That is the mean of log2 rank; subtract it from log2 n.": (
        lambda n: math.log2(n) - chance(n)
    ),
    "Every rank has probability 1/n: divide the sum of the logarithms by n.": (
        lambda n: math.log2(n) - n * (math.log2(n) - chance(n))
    ),
}


def next_hash(H: int, first: int, new: int, w: int, base: int, prime: int) -> int:
    """Take away the first digit, shift, append the new one."""
    return (base * (H - first * base ** (w - 1)) + new) % prime


def a_window(rng: Generator) -> tuple:
    """The hash of w letters, the letter that leaves and the one that comes."""
    w, base, prime = int(rng.integers(3, 6)), 31, 1_000_003
    letters = [int(x) for x in rng.integers(1, 27, size=w + 1)]
    H = 0
    for x in letters[:w]:
        H = (H * base + x) % prime
    return H, letters[0], letters[w], w, base, prime


HASH_MISTAKES = {
    "The first letter stands at the power w - 1, not w.": (
        lambda H, a, b, w, B, P: (B * (H - a * B**w) + b) % P
    ),
    "The first letter is still in it: take it away before you shift.": (
        lambda H, a, b, w, B, P: (B * H + b) % P
    ),
    "Shift before you append: the new letter is the last digit.": (
        lambda H, a, b, w, B, P: B * (H - a * B ** (w - 1) + b) % P
    ),
    "The first letter is taken away before the shift; after it, it stands one power "
    "higher.": lambda H, a, b, w, B, P: (B * H - a * B ** (w - 1) + b) % P,
    "The first letter stands at the highest power, the new one at the lowest; you took "
    "them the other way round.": (
        lambda H, a, b, w, B, P: ((H - a) // B + b * B ** (w - 1)) % P
    ),
    "The first letter counts base^(w - 1) times.": (
        lambda H, a, b, w, B, P: (B * (H - a) + b) % P
    ),
    "The new letter comes before the remainder is taken, not after it.": (
        lambda H, a, b, w, B, P: (H - a * B ** (w - 1)) % P * B + b
    ),
    "The new letter leaves and the first one comes in: they are exchanged.": (
        lambda H, a, b, w, B, P: (B * (H - b * B ** (w - 1)) + a) % P
    ),
    "That is the remainder with the sign of C; % of Python is never negative.": (
        lambda H, a, b, w, B, P: int(math.fmod(B * (H - a * B ** (w - 1)) + b, P))
    ),
    "The remainder modulo the prime is missing.": (
        lambda H, a, b, w, B, P: B * (H - a * B ** (w - 1)) + b
    ),
}


def membership(read: np.ndarray, new: np.ndarray) -> float:
    """P(a line that was read has the smaller loss); a tie counts half."""
    smaller = (read[:, None] < new).mean()
    tied = (read[:, None] == new).mean()
    return float(smaller + tied / 2)


def losses(rng: Generator) -> tuple:
    """With ties between the two, and different numbers of lines."""
    read = rng.integers(10, 25, size=5) / 10
    new = np.append(rng.integers(12, 30, size=3) / 10, read[0])
    return read, new


MEMBERSHIP_MISTAKES = {
    "A tie is no hit and no miss: it counts half.": (
        lambda read, new: float((read[:, None] < new).mean())
    ),
    "A tie is no full hit: it counts half.": (
        lambda read, new: float((read[:, None] <= new).mean())
    ),
    "Turned round: a line that was read has the smaller loss.": (
        lambda read, new: 1 - membership(read, new)
    ),
    "That compares with the mean of the new lines; every pair counts.": (
        lambda read, new: float((read < new.mean()).mean())
    ),
    "That compares two means; the share of pairs is asked for.": (
        lambda read, new: float(read.mean() < new.mean())
    ),
    "That is the number of pairs; the share is asked for.": (
        lambda read, new: membership(read, new) * len(new) * len(read)
    ),
    "Every line that was read meets every new one, not only the one at its place.": (
        lambda read, new: float(
            np.mean([a < b for a, b in zip(read, new, strict=False)])
        )
    ),
    "Divide by the number of pairs, not by the number of lines that were read.": (
        lambda read, new: membership(read, new) * len(new)
    ),
}


def copies_or_steps(seeds: int = 3) -> dict[str, list[float]]:
    """Is it the copies, or the number of times that the model looks at the line?

    A key with 2c copies at step 100 has been seen as often as one with c copies at step
    200. If looks alone counted, their exposures would be alike; the model of step 200
    has also seen the rest of the text twice as often. It leaves open what happens in
    one single pass, where every look is at another moment of the training.

    Found, mean bits of the seeds 0, 1 and 2 at step 100 and at step 200: 12 looks 4.6
    and 4.7; 24 looks 12.1 and 8.1; 48 looks 9.8 and 12.4; 96 looks 13.3 and 12.6; 193
    looks 13.3 and 13.3. Once more copies are ahead, once more steps: as far as three
    seeds can say, it is the looks.
    """
    found: dict[str, list[float]] = {}

    def watch(step: int, model: nn.Module) -> None:
        if step in (100, 200):
            for copies, bits in canaries.exposures(model, seed).items():
                looks = round(copies * step * canaries.BATCH / len(lines))
                found.setdefault(f"{looks:3} looks, step {step}", []).append(bits)

    for seed in range(seeds):
        lines = canaries.plant(seed)
        canaries.learn(lines, seed, watch=watch)
    return dict(sorted(found.items()))


EXERCISES = Exercises(
    "memorisation",
    Exercise(1, "*", exposure, scores_with_ties, EXPOSURE_MISTAKES),
    Exercise(2, "*", chance, some_codes, CHANCE_MISTAKES),
    Exercise(3, "***", copies_or_steps),
    Exercise(4, "**", next_hash, a_window, HASH_MISTAKES),
    Exercise(5, "*", membership, losses, MEMBERSHIP_MISTAKES),
)
check, solution = EXERCISES.check, EXERCISES.solution
