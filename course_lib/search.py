r"""Search: from a model of the next token to a whole sentence. Lecture 07.

    step(previous, state) -> log_p, state

is all that is asked of a model: `previous` (N,) are the last tokens of N prefixes,
`state` is what the model remembers of them (a tensor whose first axis is N, or a tuple,
list or dict of such things), and `log_p` (N, V) are the log-probabilities of the next
token. A sentence ends with <eos>, or after `max_length` tokens without one.

| search | what it returns | cost |
|---|---|---|
| `greedy` | the best token at every step | $T'$ steps |
| `sample` | a random sentence, with temperature, top-k, top-p | $T'$ steps |
| `beam_search` | the best of $k$ prefixes kept per step | $k T'$ steps |
| `exhaustive` | every sentence there is: for proofs | $V^{T'}$ steps |
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Bool, Float, Int
from torch import Generator, Tensor

from course_lib.data.vocabulary import EOS, PAD, SOS

StepFunction = Callable[[Tensor, Any], tuple[Tensor, Any]]
NEVER = float("-inf")


@dataclass(frozen=True)
class Sentences:
    """One sentence for each row of the batch."""

    tokens: Int[Tensor, "B U"]  # <eos> where the model ended, <pad> after it
    log_p: Float[Tensor, " B"]  # log-probability of the whole row


def pick(state: Any, index: Tensor) -> Any:
    """The state of the prefixes `index`, whatever it is made of; None stays None."""
    if state is None:
        return None
    if isinstance(state, Tensor):
        return state[index]
    if isinstance(state, dict):
        return {name: pick(part, index) for name, part in state.items()}
    if isinstance(state, tuple) and hasattr(state, "_fields"):  # a named tuple
        return type(state)(*(pick(part, index) for part in state))
    if isinstance(state, tuple | list):
        return type(state)(pick(part, index) for part in state)
    raise ValueError(
        f"a decoder state must be made of tensors, tuples, lists and dicts, "
        f"not of {type(state).__name__}: rows of it are picked and repeated"
    )


def greedy(
    step: StepFunction,
    state: Any,
    batch: int,
    max_length: int,
    sos: int = SOS,
    eos: int = EOS,
) -> Sentences:
    """The most likely token at every step, for each row on its own."""
    choose = lambda log_p: log_p.argmax(dim=1)  # noqa: E731
    return _follow(choose, step, state, batch, max_length, sos, eos)


def sample(
    step: StepFunction,
    state: Any,
    batch: int,
    max_length: int,
    generator: Generator,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    sos: int = SOS,
    eos: int = EOS,
) -> Sentences:
    """Ancestral sampling: each token is drawn given the tokens drawn before it.

    `log_p` of the result is the model's own, before temperature and cutting.
    """

    def choose(log_p: Tensor) -> Tensor:
        p = adjusted(log_p, temperature, top_k, top_p).exp()
        return torch.multinomial(p, 1, generator=generator)[:, 0]

    return _follow(choose, step, state, batch, max_length, sos, eos)


def adjusted(
    log_p: Float[Tensor, "N V"],
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
) -> Float[Tensor, "N V"]:
    r"""Sharpened and cut, then normalised again; in this order:

    temperature  $p_i \leftarrow p_i^{1/\tau} / \sum_j p_j^{1/\tau}$; below 1 sharpens
    top_k        only the k most likely tokens stay
    top_p        only the fewest tokens stay whose probabilities reach top_p together
    """
    if temperature <= 0:
        raise ValueError(f"temperature must be positive, got {temperature}")
    if top_k is not None and top_k < 1:
        raise ValueError(f"top_k must be at least 1, got {top_k}")
    if top_p is not None and not 0 < top_p <= 1:
        raise ValueError(f"top_p must lie in (0, 1], got {top_p}")
    log_p = (log_p / temperature).log_softmax(dim=1)
    order = log_p.argsort(dim=1, descending=True, stable=True)
    ranked = log_p.gather(1, order)
    keep = torch.ones_like(ranked, dtype=torch.bool)
    if top_k is not None:
        keep[:, top_k:] = False
    if top_p is not None:
        ranked_p = ranked.masked_fill(~keep, NEVER).softmax(dim=1)
        keep &= ranked_p.cumsum(dim=1) - ranked_p < top_p  # reached before this token?
    kept = torch.zeros_like(keep).scatter(1, order, keep)
    return log_p.masked_fill(~kept, NEVER).log_softmax(dim=1)


def _follow(
    choose: Callable[[Tensor], Tensor],
    step: StepFunction,
    state: Any,
    batch: int,
    max_length: int,
    sos: int,
    eos: int,
) -> Sentences:
    """One token after the other, until every row has ended."""
    _check_length(max_length)
    token = torch.full((batch,), sos)
    done = torch.zeros(batch, dtype=torch.bool)
    tokens, gains = [], []
    for _ in range(max_length):
        log_p, state = step(token, state)
        token = choose(log_p)
        gain = log_p.gather(1, token[:, None])[:, 0]
        gains.append(gain.masked_fill(done, 0.0))
        tokens.append(token.masked_fill(done, PAD))
        done = done | (token == eos)
        if bool(done.all()):
            break
    return Sentences(torch.stack(tokens, dim=1), sum(gains[1:], gains[0]))


def exhaustive(
    step: StepFunction,
    state: Any,
    max_length: int,
    sos: int = SOS,
    eos: int = EOS,
) -> list[tuple[tuple[int, ...], float]]:
    r"""Every sentence for one input, most likely first: (tokens, log-probability).

    A sentence is up to `max_length` tokens; it ends with <eos> or has the full length.
    There are about $V^{T'}$ of them (those of probability 0 are left out), so this is
    for tiny models: more than a million prefixes are refused.
    """
    _check_length(max_length)
    open_prefixes: list[tuple[int, ...]] = [()]
    totals, last = torch.zeros(1), torch.tensor([sos])
    found: list[tuple[tuple[int, ...], float]] = []
    for length in range(1, max_length + 1):
        log_p, state = step(last, state)
        if log_p.numel() > 1_000_000:
            raise ValueError(
                f"{log_p.numel()} prefixes of length {length}: exhaustive search is "
                "for tiny vocabularies and short sentences"
            )
        grown = totals.to(log_p)[:, None] + log_p
        vocabulary = range(log_p.shape[1])
        prefixes = [(*tokens, v) for tokens in open_prefixes for v in vocabulary]
        ends = torch.tensor([p[-1] == eos or length == max_length for p in prefixes])
        flat = grown.flatten()
        possible = flat > NEVER
        for at in torch.nonzero(ends & possible)[:, 0].tolist():
            found.append((prefixes[at], flat[at].item()))
        onward = torch.nonzero(~ends & possible)[:, 0]
        if not len(onward):
            break
        open_prefixes = [prefixes[at] for at in onward.tolist()]
        state = pick(state, onward // log_p.shape[1])
        totals, last = flat[onward], onward % log_p.shape[1]
    return sorted(found, key=lambda pair: -pair[1])


@dataclass(frozen=True)
class BeamStep:
    """What one step of a beam search looked at, and what it kept."""

    candidates: Float[Tensor, "B K V"]  # log-probability of every prefix plus token
    parent: Int[Tensor, "B K"]  # which of the K old prefixes each kept one continues
    token: Int[Tensor, "B K"]
    log_p: Float[Tensor, "B K"]
    done: Bool[Tensor, "B K"]  # has it ended, now or before?


@dataclass(frozen=True)
class Beam:
    """The K best sentences of every row, best first, and the way to them."""

    tokens: Int[Tensor, "B K U"]
    log_p: Float[Tensor, "B K"]
    score: Float[Tensor, "B K"]  # log_p / length ** alpha
    steps: list[BeamStep]

    @property
    def best(self) -> Sentences:
        return Sentences(self.tokens[:, 0], self.log_p[:, 0])


def beam_search(
    step: StepFunction,
    state: Any,
    batch: int,
    max_length: int,
    width: int,
    alpha: float = 0.0,
    sos: int = SOS,
    eos: int = EOS,
) -> Beam:
    r"""Keep the `width` best prefixes at every step; all rows of the batch at once.

    Prefixes are ranked by $\log p / \text{length}^\alpha$. With alpha = 0 that is the
    log-probability; alpha = 1 is the mean per token, which no longer favours short
    sentences. A sentence that has ended stays in the beam and competes.
    """
    _check_length(max_length)
    if width < 1:
        raise ValueError(f"width must be at least 1, got {width}")
    row = torch.arange(batch)[:, None] * width  # where each row's prefixes begin
    state = pick(state, torch.arange(batch).repeat_interleave(width))
    token = torch.full((batch, width), sos)
    length, done = torch.zeros_like(token), torch.zeros_like(token, dtype=torch.bool)
    tokens = torch.empty(batch, width, 0, dtype=torch.int64)
    total = torch.full((batch, width), NEVER)
    total[:, 0] = 0.0  # all prefixes are empty at first: let one of them live
    steps: list[BeamStep] = []
    for _ in range(max_length):
        log_p, state = step(token.flatten(), state)
        log_p = _only_wait(log_p.unflatten(0, (batch, width)), done, eos)
        candidates = total.to(log_p)[..., None] + log_p  # (B, K, V)
        length = length + (~done).long()
        score = candidates / length[..., None].to(log_p) ** alpha
        best = score.flatten(1).topk(width).indices  # (B, K), best first
        parent, token = best // log_p.shape[2], best % log_p.shape[2]
        total = candidates.flatten(1).gather(1, best)
        new = token.masked_fill(done.gather(1, parent), PAD)
        tokens = tokens.gather(1, parent[..., None].expand_as(tokens))
        tokens = torch.cat([tokens, new[..., None]], dim=2)
        length = length.gather(1, parent)
        done = done.gather(1, parent) | (token == eos)
        steps.append(BeamStep(candidates, parent, token, total, done))
        state = pick(state, (row + parent).flatten())
        if bool((done | (total == NEVER)).all()):
            break
    return Beam(tokens, total, total / length.to(total) ** alpha, steps)


def _only_wait(log_p: Tensor, done: Tensor, eos: int) -> Tensor:
    """A sentence that has ended goes on in one way only, <eos> again, for free."""
    wait = torch.full_like(log_p[0, 0], NEVER)
    wait[eos] = 0.0
    return torch.where(done[..., None], wait, log_p)


def _check_length(max_length: int) -> None:
    if max_length < 1:
        raise ValueError(f"max_length must be at least 1, got {max_length}")
