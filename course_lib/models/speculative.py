r"""Speculative decoding: a cheap model guesses ahead, the real one checks. Lecture 12b.

A draft model $q$ proposes $\gamma$ tokens. One pass of the target $p$ over all of them
gives $p_1, \dots, p_{\gamma+1}$. Token $x_i$ is accepted with probability
$\min(1, p_i(x_i) / q_i(x_i))$; at the first refusal a token is drawn from what $q$ has
too little of, $\max(p_i - q_i, 0)$ made to add up to 1, and the round ends. If all are
accepted, $p_{\gamma+1}$ gives one more. What comes out has the distribution of $p$.

    text = write(model, draft, prompt, length=100, gamma=4, generator=draws)
    text.tokens, text.calls, text.accepted
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Generator, Tensor

from course_lib.models.gpt import GPT, Past
from course_lib.models.transformer import KeyValues

Draft = Callable[[list[int]], Tensor]  # tokens so far -> probability of each next one


class Written(NamedTuple):
    """Tokens behind the prompt, and what they took."""

    tokens: list[int]
    calls: int  # passes of the target
    proposed: int  # draft tokens that the target was asked about
    accepted: int


def checked(
    p: Float[Tensor, "gamma_and_one V"],
    q: Float[Tensor, "gamma V"],
    drafts: list[int],
    generator: Generator,
) -> list[int]:
    """The tokens of one round: some of the drafts, and one of the target's own."""
    for i, x in enumerate(drafts):
        if torch.rand((), generator=generator) >= p[i, x] / q[i, x]:
            rest = (p[i] - q[i]).clamp(min=0)
            return [*drafts[:i], int(torch.multinomial(rest, 1, generator=generator))]
    return [*drafts, int(torch.multinomial(p[-1], 1, generator=generator))]


def cut(past: Past, length: int) -> Past:
    """The cache without what stands behind the first `length` tokens."""
    kept = [KeyValues(k[:, :, :length], v[:, :, :length]) for k, v in past.kept]
    return Past(kept, past.real[:, :length])


@torch.no_grad()
def write(
    model: GPT,
    draft: Draft,
    prompt: Int[Tensor, " N"],
    length: int,
    gamma: int,
    generator: Generator,
) -> Written:
    """`length` tokens behind the prompt, drawn from the model, `gamma` drafts a round.

    With gamma = 0 there is nothing to check: one token a pass, as always.
    """
    text, past = prompt.tolist(), model.read(prompt[None, :-1])[1]
    calls = proposed = accepted = 0
    while len(text) < len(prompt) + length:
        drafts, q = [], []
        for _ in range(min(gamma, len(prompt) + length - len(text) - 1)):
            q.append(draft(text + drafts))
            drafts.append(int(torch.multinomial(q[-1], 1, generator=generator)))
        logits, past = model.read(torch.tensor([[text[-1], *drafts]]), None, past)
        p = logits[0].softmax(dim=-1)
        q_all = torch.stack(q) if q else p[:0]
        made = checked(p, q_all, drafts, generator)
        text += made
        past = cut(past, len(text) - 1)
        calls, proposed = calls + 1, proposed + len(drafts)
        accepted += len(made) - 1
    return Written(text[len(prompt) :], calls, proposed, accepted)


def overlap(p: Float[Tensor, "*n V"], q: Float[Tensor, "*n V"]) -> Float[Tensor, "*n"]:
    """The probability that a draft is accepted: what p and q have in common."""
    return torch.minimum(p, q).sum(dim=-1)


def tokens_per_call(alpha: float, gamma: int) -> float:
    r"""$1 + \alpha + \dots + \alpha^\gamma$, if each draft is accepted alike."""
    return sum(alpha**i for i in range(gamma + 1))
