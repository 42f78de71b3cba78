r"""Additive attention: a decoder that looks back at every encoder state.

$$e_{l,t} = w^\top \tanh(W_q s_{l-1} + W_k f_t), \qquad
\alpha_{l,t} = \frac{\exp e_{l,t}}{\sum_{t'} \exp e_{l,t'}}, \qquad
v_l = \sum_t \alpha_{l,t} f_t ,$$

after Bahdanau, Cho and Bengio (2015). The score is a perceptron with one hidden layer
on the pair $[s; f]$; because its first layer is linear, $W [s; f] = W_q s + W_k f$, the
products $W_k f_t$ are made once per sentence. Introduced in lecture 08.

Shapes: features f (B, T, d_f), query s (B, d_q), weights alpha (B, T), v (B, d_f).
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from course_lib.data.vocabulary import PAD, lengths
from course_lib.models.losses import masked_cross_entropy, shifted
from course_lib.models.seq2seq import State, Step, remembering


class Features(NamedTuple):
    """What can be looked at; a tuple, so that a search can pick rows."""

    values: Float[Tensor, "B T d_f"]  # f_t
    keys: Float[Tensor, "B T d_a"]  # W_k f_t, made once
    mask: Bool[Tensor, "B T"]  # True where there is something to see


class AdditiveAttention(nn.Module):
    """Score every feature against a query; return their weighted mean and the weights.

    d_q, d_f  sizes of query and features; they need not agree
    d_a       hidden units of the score
    """

    def __init__(self, d_q: int, d_f: int, d_a: int) -> None:
        super().__init__()
        self.W_q = nn.Linear(d_q, d_a)
        self.W_k = nn.Linear(d_f, d_a, bias=False)  # the bias of W_q is enough
        self.w = nn.Linear(d_a, 1, bias=False)  # a shift of all scores changes nothing

    def look_at(
        self, values: Float[Tensor, "B T d_f"], mask: Tensor | None = None
    ) -> Features:
        """The features with their keys; every row needs something that is not masked"""
        if mask is None:
            mask = torch.ones(values.shape[:2], dtype=torch.bool)
        if mask.shape != values.shape[:2]:
            raise ValueError(
                f"mask of shape {tuple(mask.shape)} for features of shape "
                f"{tuple(values.shape)}: one entry per feature is needed"
            )
        if not bool(mask.any(dim=1).all()):
            empty = torch.nonzero(~mask.any(dim=1))[:, 0].tolist()
            raise ValueError(
                f"rows {empty} have nothing to look at: weights that add up to one "
                "cannot all be zero"
            )
        return Features(values, self.W_k(values), mask)

    def forward(
        self, query: Float[Tensor, "B d_q"], features: Features
    ) -> tuple[Float[Tensor, "B d_f"], Float[Tensor, "B T"]]:
        """The context v and the weights alpha, which are exactly 0 where masked"""
        hidden = torch.tanh(self.W_q(query)[:, None] + features.keys)  # (B, T, d_a)
        scores = self.w(hidden)[..., 0].masked_fill(~features.mask, -torch.inf)
        weights = scores.softmax(dim=1)
        return (weights[:, None] @ features.values)[:, 0], weights


class FixedContext(nn.Module):
    """What a decoder without attention is given: the same context at every step.

    "last"  the state after the last token; two_way: of the reader forwards, beside
            that of the reader backwards after the first token
    "mean"  the mean of all features

    It stands where an AdditiveAttention would stand, to compare.
    """

    def __init__(self, kind: str, two_way: bool) -> None:
        super().__init__()
        if kind not in ("last", "mean"):
            raise ValueError(f"a fixed context is last or mean, not {kind!r}")
        self.kind, self.two_way = kind, two_way

    def look_at(
        self, values: Float[Tensor, "B T d_f"], mask: Bool[Tensor, "B T"]
    ) -> Features:
        """The features; no keys are needed"""
        return Features(values, values, mask)

    def forward(
        self, query: Float[Tensor, "B d_q"], features: Features
    ) -> tuple[Float[Tensor, "B d_f"], Float[Tensor, "B T"]]:
        """The context and the weights that give it; the query is not asked"""
        values, _, mask = features
        count = mask.sum(dim=1)
        if self.kind == "mean":
            weights = mask.to(values) / count[:, None]
            return (weights[:, None] @ values)[:, 0], weights
        weights = F.one_hot(count - 1, mask.shape[1]).to(values)
        last = (weights[:, None] @ values)[:, 0]
        if self.two_way:
            half = values.shape[2] // 2
            last = torch.cat([last[:, :half], values[:, 0, half:]], dim=1)
        return last, weights


class FeatureEncoder(nn.Module):
    r"""One feature for each token: the states of an LSTM, or of one for each direction.

    $$f_t = [\overrightarrow{h}_t; \overleftarrow{h}_t] + E_x[x_t]$$

    two_way  read backwards as well; each direction has half of the d_f units
    added    add the token's own embedding, so that f_t says most of token t
    """

    def __init__(
        self, vocab_size: int, d_f: int, two_way: bool = True, added: bool = True
    ) -> None:
        super().__init__()
        if two_way and d_f % 2:
            raise ValueError(f"d_f={d_f} must be even: half for each direction")
        self.embed = nn.Embedding(vocab_size, d_f, padding_idx=PAD)
        width = d_f // 2 if two_way else d_f
        lstm = nn.LSTM(d_f, width, batch_first=True, bidirectional=two_way)
        self.lstm, self.added = remembering(lstm), added

    def forward(self, source: Int[Tensor, "B T"]) -> Float[Tensor, "B T d_f"]:
        """The features, zero on padding"""
        count = lengths(source)
        if len(source) == 0 or int(count.min()) == 0:
            raise ValueError(
                f"source of shape {tuple(source.shape)} has an empty row: every row "
                "needs at least <eos>, otherwise there is nothing to look at"
            )
        embedded = self.embed(source)
        packed = pack_padded_sequence(
            embedded, count, batch_first=True, enforce_sorted=False
        )
        out, _ = self.lstm(packed)
        h, _ = pad_packed_sequence(out, batch_first=True, total_length=source.shape[1])
        return h + embedded if self.added else h


class AttentiveDecoder(nn.Module):
    r"""An LSTM that is given the token before and what it looked up for this step.

    $$v_l = \text{attend}(h_{l-1}, f), \quad
    h_l, c_l = \text{LSTM}([E y_{l-1}; v_l], h_{l-1}, c_{l-1}), \quad
    p(y_l) = \text{softmax}(W_y [h_l; v_l] + b_y)$$
    """

    def __init__(
        self,
        vocab_size: int,
        d_e: int,
        d_h: int,
        d_f: int,
        attend: FixedContext | None = None,
    ) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocab_size, d_e)
        self.attend = attend or AdditiveAttention(d_h, d_f, d_h)
        self.cell = remembering(nn.LSTMCell(d_e + d_f, d_h))
        self.read_out = nn.Linear(d_h + d_f, vocab_size)

    def start(self, features: Features) -> State:
        """Zero: all that the decoder learns of the input comes through the contexts"""
        h = features.values.new_zeros(len(features.values), self.cell.hidden_size)
        return h, h

    def hidden(
        self, embedded: Float[Tensor, "B d_e"], state: State, features: Features
    ) -> tuple[Float[Tensor, "B d"], State, Float[Tensor, "B T"]]:
        """One step up to the read-out: [h; v], the new state, the weights"""
        context, weights = self.attend(state[0], features)
        h, c = self.cell(torch.cat([embedded, context], dim=1), state)
        return torch.cat([h, context], dim=1), (h, c), weights

    def step(
        self, previous: Int[Tensor, " B"], state: State, features: Features
    ) -> Step:
        """The token before and the state before -> log p, new state, weights"""
        seen, state, weights = self.hidden(self.embed(previous), state, features)
        return Step(F.log_softmax(self.read_out(seen), dim=1), state, weights)

    def forward(
        self, target: Int[Tensor, "B U"], state: State, features: Features
    ) -> tuple[Float[Tensor, "B U V"], Float[Tensor, "B U T"]]:
        """Teacher forcing: the logits of every target, and where each step looked"""
        inputs, outs, looks = self.embed(shifted(target)), [], []
        for embedded in inputs.unbind(dim=1):
            seen, state, weights = self.hidden(embedded, state, features)
            outs.append(seen)
            looks.append(weights)
        return self.read_out(torch.stack(outs, dim=1)), torch.stack(looks, dim=1)


class AttentionSeq2Seq(nn.Module):
    """An encoder of features, a decoder with additive attention: lecture 08's model.

    It fits running_task and search as `Seq2Seq` of lecture 07 does. The last three
    arguments are those of lecture 08's ablation.

    context  "attention", or what the decoder is given instead: "last", "mean"
    """

    def __init__(
        self,
        source_vocab_size: int,
        target_vocab_size: int,
        d_e: int = 32,
        d_h: int = 64,
        two_way: bool = True,
        added: bool = True,
        context: str = "attention",
    ) -> None:
        super().__init__()
        self.encode = FeatureEncoder(source_vocab_size, d_h, two_way, added)
        fixed = None if context == "attention" else FixedContext(context, two_way)
        self.decode = AttentiveDecoder(target_vocab_size, d_e, d_h, d_h, fixed)

    def look(self, source: Int[Tensor, "B T"]) -> tuple[State, Features]:
        """The decoder's first state, and what it may look at"""
        features = self.decode.attend.look_at(self.encode(source), source != PAD)
        return self.decode.start(features), features

    def forward(
        self, source: Int[Tensor, "B T"], target: Int[Tensor, "B U"]
    ) -> tuple[Float[Tensor, "B U V"], Float[Tensor, "B U T"]]:
        """Teacher forcing: logits, and the weights of every step"""
        return self.decode(target, *self.look(source))

    def loss(self, source: Tensor, target: Tensor) -> Tensor:
        """Mean cross-entropy per target token; no alignment is ever given"""
        return masked_cross_entropy(self(source, target)[0], target)

    def decoder(self, source: Int[Tensor, "B T"]) -> tuple[Callable, tuple]:
        """`step, state` for the searches of course_lib.search, one row per sentence"""
        return searchable(self.decode, *self.look(source))


def searchable(
    decode: AttentiveDecoder, state: State, features: Features
) -> tuple[Callable, tuple]:
    """The decoder as a step function; its state carries the features along"""

    def step(previous: Tensor, both: tuple) -> tuple[Tensor, tuple]:
        own, seen = both
        made = decode.step(previous, own, seen)
        return made.log_p, (made.state, seen)

    return step, (state, features)
