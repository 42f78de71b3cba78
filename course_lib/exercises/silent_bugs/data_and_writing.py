"""Bugs in data, and in what is done with outputs: five programs as they should be."""

import torch
from numpy.random import Generator
from torch import Tensor

from course_lib.exercises.silent_bugs.properties import apart, recognised, tensor


def squared_error(predictions: Tensor, targets: Tensor) -> Tensor:
    """With an axis too many, (B, 1) against (B,), the difference would be (B, B)."""
    return ((predictions.squeeze(-1) - targets) ** 2).mean()


def predictions_and_targets(rng: Generator) -> tuple:
    B = int(rng.integers(2, 8))
    return tensor(rng, B, 1), tensor(rng, B)


def squared_fault(got: Tensor, predictions: Tensor, targets: Tensor) -> str:
    right = squared_error(predictions, targets)
    if torch.isclose(got, right * len(targets)):
        return "The squares are added: a larger batch has a larger error."
    if torch.isclose(got, ((predictions - targets) ** 2).mean()):
        return (
            "A perfect prediction has an error above 0 here: every prediction is "
            "compared with every target."
        )
    return apart(got, right)


def last_state(states: Tensor, lengths: Tensor) -> Tensor:
    """The state after the last real token of each sequence, not after its padding."""
    return states[torch.arange(len(states)), lengths - 1]


def states_and_lengths(rng: Generator) -> tuple:
    lengths = torch.tensor(rng.permutation([1, 3, 5]))
    return tensor(rng, 3, 5, 2), lengths


def last_fault(got: Tensor, states: Tensor, lengths: Tensor) -> str:
    if got.shape == states[:, -1].shape and torch.equal(got, states[:, -1]):
        return "Longer padding changes what is read of a sequence."
    rows = torch.arange(len(states))
    if got.shape == states[:, -1].shape:
        neighbours = {
            "The state before the last real token is read.": states[rows, lengths - 2],
            "The state after the last real token's is read: it belongs to padding.": (
                states[rows, lengths.clamp(max=states.shape[1] - 1)]
            ),
        }
        if sentence := recognised(got, neighbours):
            return sentence
    return apart(got, last_state(states, lengths))


def standardised(series: Tensor, split: int) -> tuple[Tensor, Tensor]:
    """Mean and spread come from the training part alone, and serve both."""
    known = series[:split]
    scaled = (series - known.mean()) / known.std()
    return scaled[:split], scaled[split:]


def series_and_split(rng: Generator) -> tuple:
    steps = torch.tensor(rng.normal(size=11)).cumsum(0) + torch.arange(11.0)
    return steps, int(rng.integers(5, 9))


def standardised_fault(got: tuple, series: Tensor, split: int) -> str:
    if not isinstance(got, tuple | list) or len(got) != 2:
        return "Two parts are expected: training and test."
    train, test = (torch.as_tensor(part) for part in got)
    if len(train) != split or len(test) != len(series) - split:
        return f"The parts have {len(train)} and {len(test)} numbers."
    known = series[:split]
    if abs(train.mean()) > 1e-6:
        zero = known.mean() - train.mean() * known.std() / train.std()
        if torch.isclose(zero, series.mean()):  # the number that became 0
            return (
                "Change a number of the test part, and the training part changes with "
                "it: the model has seen the future."
            )
        return f"The training part has mean {train.mean():.2f}, not 0."
    if abs(test.mean()) < 1e-6:
        return "The test part was scaled by itself: a rise in it can no longer be seen."
    spreads = [train.std(correction=c).item() for c in (0, 1)]
    if all(abs(spread - 1) > 1e-6 for spread in spreads):
        return (
            f"The training part has spread {spreads[1]:.2f}, not 1: the spread, too, "
            "comes from that part alone."
        )
    # the spread with T or with T - 1 below it: both will do
    spread = known.std(correction=int(abs(spreads[1] - 1) < 1e-6))
    if wrong := apart(test, (series[split:] - known.mean()) / spread):
        return f"Mean and spread of the training part scale the test part too. {wrong}"
    return ""


def next_token(logits: Tensor, temperature: float) -> Tensor:
    """Probabilities of the next token: the temperature divides the logits."""
    return torch.softmax(logits / temperature, dim=-1)


def logits_and_temperature(rng: Generator) -> tuple:
    return 2 * tensor(rng, 5), float(rng.choice([0.25, 0.5, 2.0, 4.0]))


def next_token_fault(got: Tensor, logits: Tensor, temperature: float) -> str:
    if abs(got.sum() - 1) > 1e-5:
        return f"Probabilities sum to one; these to {got.sum():.3f}."
    if torch.allclose(got, torch.softmax(logits, dim=-1)):
        return "The temperature changes nothing."
    ratio = (got.max() / got.min()).log() / (logits.max() - logits.min())
    if not torch.isclose(ratio, torch.tensor(1 / temperature).double(), atol=1e-4):
        return (
            f"The log odds of two tokens should be 1/{temperature:g} of the difference "
            f"of their logits; here they are {ratio:.2f} of it."
        )
    return apart(got, next_token(logits, temperature))


EOS = 1  # the token that ends a sentence


def exact_matches(outputs: Tensor, targets: Tensor) -> float:
    """A sentence ends at its first <eos>; what a model writes after it is not read."""
    ended = (targets == EOS).cumsum(1) - (targets == EOS).long() > 0
    return ((outputs == targets) | ended).all(dim=1).double().mean().item()


def outputs_and_targets(rng: Generator) -> tuple:
    """Wrong sentences, of each kind another number, and right ones; all go on."""
    kinds = ["right"] * int(rng.integers(1, 4))
    kinds = rng.permutation([*kinds, "wrong token", "goes on", *["ends early"] * 2])
    targets = rng.integers(2, 7, size=(len(kinds), 6))
    outputs, ends = targets.copy(), rng.integers(2, 5, len(kinds))
    for row, (kind, end) in enumerate(zip(kinds, ends, strict=True)):
        targets[row, end:] = [EOS] + [0] * (5 - end)
        outputs[row, end] = 7 if kind == "goes on" else EOS
        if kind == "wrong token":
            outputs[row, rng.integers(end)] += 7
        if kind == "ends early":
            outputs[row, rng.integers(1, end)] = EOS
    return torch.tensor(outputs), torch.tensor(targets)


def share(right: Tensor) -> float:
    """Of the rows that are right in every entry."""
    return right.all(1).double().mean().item()


def matches_fault(got: float, outputs: Tensor, targets: Tensor) -> str:
    alike = outputs == targets
    if abs(got - share(alike)) < 1e-6:
        return (
            "Sentences that are right up to <eos> count as wrong, for what the model "
            "wrote after their end."
        )
    if abs(got - share(alike | (targets <= EOS))) < 1e-6:
        return "A sentence that goes on where it should end counts as right."
    if abs(got - share(alike | ((outputs == EOS).cumsum(1) > 0))) < 1e-6:
        return "A sentence that ends too early counts as right."
    return apart(got, exact_matches(outputs, targets))
