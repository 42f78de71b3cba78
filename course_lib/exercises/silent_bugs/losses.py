"""Bugs in losses and scores: five programs as they should be."""

import math

import torch
import torch.nn.functional as F
from numpy.random import Generator
from torch import Tensor

from course_lib.exercises.silent_bugs.properties import apart, recognised, tensor


def next_token_loss(logits: Tensor, tokens: Tensor) -> Tensor:
    """The logits at position t are about token t + 1; the last ones have no target."""
    return F.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())


def logits_and_tokens(rng: Generator) -> tuple:
    B, T, V = (int(n) for n in rng.permutation([3, 5, 7]))
    return tensor(rng, B, T, V), torch.tensor(rng.integers(V, size=(B, T)))


def next_token_fault(got: Tensor, logits: Tensor, tokens: Tensor) -> str:
    told = 9.0 * F.one_hot(tokens, logits.shape[-1]).double()
    same = F.cross_entropy(logits.flatten(0, 1), tokens.flatten())
    if torch.isclose(got, same):
        cheat = next_token_loss(told, tokens)
        return (
            "A model that only repeats the token it has just read would have a loss "
            f"near 0 here. Predicting the next one, it has {cheat:.1f}."
        )
    flat = F.cross_entropy(logits.flatten(0, 1)[:-1], tokens.flatten()[1:])
    after_last = F.cross_entropy(logits.mT, tokens.roll(-1, 1))
    before = F.cross_entropy(logits[:, 1:].mT, tokens[:, :-1])
    shifted = {
        "Shifted the other way: logits are compared with the token before.": before,
        "The last logits of a sequence have no target; here they have one, the first "
        "token of the next sequence.": flat,
        "The last logits of a sequence have no target; here they have one, its first "
        "token.": after_last,
    }
    return recognised(got, shifted) or apart(got, next_token_loss(logits, tokens))


def padded_loss(losses: Tensor, lengths: Tensor) -> Tensor:
    """The mean over real tokens: padding is neither counted nor divided by."""
    is_real = torch.arange(losses.shape[1]) < lengths[:, None]
    return (losses * is_real).sum() / is_real.sum()


def losses_and_lengths(rng: Generator) -> tuple:
    losses = torch.tensor(rng.uniform(1, 5, size=(3, 5)))
    losses[:, 0] *= losses[:, 0] > 2  # a token may be so sure that its loss is 0
    return losses, torch.tensor(rng.permutation([1, 3, 5]))


def padded_loss_fault(got: Tensor, losses: Tensor, lengths: Tensor) -> str:
    is_real = torch.arange(losses.shape[1]) < lengths[:, None]
    if torch.isclose(got, (losses * is_real).mean()):
        return "Longer padding makes this loss smaller, and nothing was learned."
    if torch.isclose(got, losses.mean()):
        return "The losses at padding are counted."
    by_row = ((losses * is_real).sum(1) / lengths).mean()
    if torch.isclose(got, by_row):
        return "A token of a short sequence counts more here than one of a long one."
    padded, wrong = losses * is_real, apart(got, padded_loss(losses, lengths))
    if wrong and torch.isclose(got, padded.sum() / (padded != 0).sum()):
        return "A real token with a loss of 0 is taken for padding and not counted."
    return wrong


def classification_loss(logits: Tensor, targets: Tensor) -> Tensor:
    """cross_entropy takes logits: it applies the (log-)softmax by itself."""
    return F.cross_entropy(logits, targets)


def logits_and_targets(rng: Generator) -> tuple:
    B, V = int(rng.integers(2, 6)), int(rng.integers(3, 8))
    return 3 * tensor(rng, B, V), torch.tensor(rng.integers(V, size=B))


def classification_fault(got: Tensor, logits: Tensor, targets: Tensor) -> str:
    twice = F.cross_entropy(torch.softmax(logits, dim=-1), targets)
    if torch.isclose(got, twice):
        V = logits.shape[-1]
        sure = 50.0 * F.one_hot(targets, V).double()
        least = F.cross_entropy(torch.softmax(sure, dim=-1), targets)
        return (
            f"With {V} classes this loss can never fall below {least:.2f}, however "
            "right and sure the model is."
        )
    of_target = logits.gather(1, targets[:, None])
    others = {
        "This is minus the mean logit of the right class: add 1 to all logits and it "
        "falls, though nothing was learned.": -of_target.mean(),
        "The losses are added: a larger batch has a larger loss.": len(targets)
        * classification_loss(logits, targets),
    }
    return recognised(got, others) or apart(got, classification_loss(logits, targets))


def perplexity(nats: Tensor) -> float:
    """Losses in nats belong to e, losses in bits to 2."""
    return math.exp(nats.mean())


def losses_of_a_text(rng: Generator) -> tuple:
    return (torch.tensor(rng.uniform(0.5, 4, size=int(rng.integers(3, 8)))),)


def perplexity_fault(got: float, nats: Tensor) -> str:
    if math.isclose(got, 2 ** nats.mean().item(), rel_tol=1e-6):
        low = 2 ** math.log(7)
        return (
            "A model that guesses among 7 tokens alike has perplexity 7. "
            f"By this function it has {low:.2f}."
        )
    if math.isclose(got, nats.exp().mean(), rel_tol=1e-6):
        return "The mean is taken of the losses, before the exponential."
    return apart(got, perplexity(nats))


def text_loss(batches: list[Tensor]) -> float:
    """Every token counts the same, in whatever batch it came."""
    return torch.cat([batch.flatten() for batch in batches]).mean().item()


def batches_of_losses(rng: Generator) -> tuple:
    sizes = [7, 7, int(rng.integers(1, 4))]
    return ([torch.tensor(rng.uniform(1, 2 + i, size=n)) for i, n in enumerate(sizes)],)


def text_loss_fault(got: float, batches: list[Tensor]) -> str:
    means = [batch.mean().item() for batch in batches]
    if abs(float(got) - sum(means) / len(means)) < 1e-9:
        return (
            f"A token of the last, small batch counts {len(batches[0])}/"
            f"{len(batches[-1])} as much as others: cut the text otherwise, and the "
            "result changes."
        )
    return apart(float(got), text_loss(batches))
