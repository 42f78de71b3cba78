r"""GPT: a language model made of masked self-attention alone. Lecture 11.

$$x = E_{w} + P_{n}, \qquad x \leftarrow \text{layer}(x) \ (L \text{ times}), \qquad
p(w_{n+1} \mid w_{\le n}) = \text{softmax}\big(E\,N(x_n)\big)$$

    model = GPT(vocab_size=96, d_model=64, heads=4, layers=2, context=128)
    logits = model(tokens)                      # (B, N) -> (B, N, V)
    step, state = model.decoder(prompt)         # for the searches of course_lib.search

The layers are the encoder layers of lecture 10 with a causal mask, norm first, as in
GPT-2; N is one more LayerNorm; the table E is read twice, to enter and to leave ("tied"
weights). Rows may hold padding anywhere: `real` (B, N) is True on tokens. Padding is
not read, and it is not counted when tokens are given their positions.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, cast

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Generator, Tensor, nn

from course_lib.data.vocabulary import PAD, SOS
from course_lib.models.attention import causal_mask
from course_lib.models.losses import next_token_loss
from course_lib.models.positions import sinusoids
from course_lib.models.transformer import EncoderLayer, KeyValues
from course_lib.search import greedy, sample
from course_lib.shapes import check_shape

gelu = partial(F.gelu, approximate="tanh")  # as GPT-2 computes it


class Past(NamedTuple):
    """What is kept of M tokens: keys and values of every layer, which are real."""

    kept: list[KeyValues]
    real: Bool[Tensor, "B M"]


class GPT(nn.Module):
    """Tokens and positions embedded, causal layers, a norm, the embeddings again.

    Positions are learned, and there are `context` of them: longer texts are refused.
    d_ff is 4 d_model unless given.
    """

    def __init__(
        self,
        vocab_size: int,
        d_model: int = 64,
        heads: int = 4,
        layers: int = 2,
        context: int = 128,
        d_ff: int | None = None,
    ) -> None:
        super().__init__()
        self.context, d_ff = context, d_ff or 4 * d_model
        self.embed = nn.Embedding(vocab_size, d_model)
        self.position = nn.Embedding(context, d_model)
        sizes = (d_model, heads, d_ff, True, gelu)
        self.layers = nn.ModuleList(EncoderLayer(*sizes) for _ in range(layers))
        self.norm = nn.LayerNorm(d_model)
        self.start()

    def start(self) -> None:
        """The weights before training."""
        start_small(self)

    def enter(
        self, tokens: Int[Tensor, "B N"], positions: Int[Tensor, "B N"]
    ) -> Float[Tensor, "B N d"]:
        """Embeddings with their positions."""
        return self.embed(tokens) + self.position(positions)

    def forward(
        self, tokens: Int[Tensor, "B N"], real: Bool[Tensor, "B N"] | None = None
    ) -> Float[Tensor, "B N V"]:
        """Logits of the next token at every position, each from the tokens up to it."""
        return self.read(tokens, real)[0]

    def read(
        self,
        tokens: Int[Tensor, "B N"],
        real: Bool[Tensor, "B N"] | None = None,
        past: Past | None = None,
    ) -> tuple[Float[Tensor, "B N V"], Past]:
        """The same for N tokens that follow those of `past`; also what to keep."""
        check_shape("tokens", tokens, "B N", "one row of token ids per text")
        seen = torch.ones_like(tokens, dtype=torch.bool) if real is None else real
        if past is not None:
            seen = torch.cat([past.real, seen], dim=1)
        N, M = tokens.shape[1], seen.shape[1]
        x = self.enter(tokens, self.positions(seen)[:, M - N :])
        mask = causal_mask(N, M) & seen[:, None, :]  # (B, N, M)
        kept = [None] * len(self.layers) if past is None else past.kept
        grown = []
        for layer, own in zip(self.layers, kept, strict=True):
            x, keys_values, *_ = layer(x, mask, own)
            grown.append(keys_values)
        return F.linear(self.norm(x), self.embed.weight), Past(grown, seen)

    def positions(self, seen: Bool[Tensor, "B M"]) -> Int[Tensor, "B M"]:
        """0, 1, 2, … over the tokens of a row; padding takes no position of its own."""
        positions = (seen.cumsum(dim=1) - 1).clamp(min=0)
        if seen.shape[1] > self.context and positions.max() >= self.context:
            raise ValueError(
                f"{int(positions.max()) + 1} tokens, but this model has learned only "
                f"context={self.context} positions: cut the text or train a longer one"
            )
        return positions

    def loss(
        self,
        tokens: Int[Tensor, "B N"],
        asked: Bool[Tensor, "B N"] | None = None,
        real: Bool[Tensor, "B N"] | None = None,
    ) -> Float[Tensor, ""]:
        r"""Mean of $-\log p(w_n \mid w_{<n})$, n >= 2, over the tokens `asked` for."""
        logits = self(tokens[:, :-1], None if real is None else real[:, :-1])
        asked = None if asked is None else asked[:, 1:]
        return next_token_loss(logits, tokens[:, 1:], asked)

    def decoder(
        self, prompt: Int[Tensor, "B N"], real: Bool[Tensor, "B N"] | None = None
    ) -> tuple[Callable, Past]:
        """`step, state` for course_lib.search: the prompt is read once, then kept."""

        def step(previous: Tensor, past: Past) -> tuple[Tensor, Past]:
            logits, past = self.read(previous[:, None], None, past)
            return logits[:, 0].log_softmax(dim=1), past

        return step, self.read(prompt, real)[1]


class SinusoidalGPT(GPT):
    """Lecture 10's blocks in one stack: sinusoids, ReLU, its start.

    Beside lecture 10's Transformer, one stack instead of two is what differs, and with
    it the tied read-out. Positions are no parameters; `context` only limits a text.
    """

    def start(self) -> None:
        """Embeddings of length about 1, made longer by `enter`; no learned table."""
        del self.position
        nn.init.normal_(self.embed.weight, std=self.embed.embedding_dim**-0.5)
        for layer in self.layers:
            cast("EncoderLayer", layer).feed.activation = F.relu

    def enter(
        self, tokens: Int[Tensor, "B N"], positions: Int[Tensor, "B N"]
    ) -> Float[Tensor, "B N d"]:
        """Embeddings of length about sqrt(d), plus sines and cosines."""
        d = self.embed.embedding_dim
        table = sinusoids(self.context, d).to(self.embed.weight)
        return d**0.5 * self.embed(tokens) + table[positions]


def start_small(model: nn.Module, std: float = 0.04) -> None:
    """All matrices from a narrow normal distribution, so that no layer starts loud.

    GPT-2 and BERT take 0.02 at width 768; our narrow models learn faster with 0.04.
    """
    for parameter in model.parameters():
        if parameter.dim() == 2:
            nn.init.normal_(parameter, std=std)


@torch.no_grad()
def continued(
    model: GPT,
    prompt: Int[Tensor, " N"],
    length: int,
    temperature: float | int = 1.0,
    stop: int = -1,
    generator: Generator | None = None,
) -> Int[Tensor, " U"]:
    """The prompt's continuation, `length` tokens or up to and with the token `stop`.

    Temperature 0 takes the likeliest token each time; above it tokens are drawn.
    """
    if not len(prompt):
        raise ValueError("an empty prompt: a first token is needed to go on from")
    step, state = model.decoder(prompt[None, :-1])
    ends = {"sos": int(prompt[-1]), "eos": stop}
    if temperature == 0:
        return greedy(step, state, 1, length, **ends).tokens[0]
    generator = generator or torch.Generator().manual_seed(0)
    return sample(step, state, 1, length, generator, temperature, **ends).tokens[0]


class Prompted(nn.Module):
    """Translation as continuation: English <eos> <sos> French <eos>, one row of tokens.

    <sos> separates the languages. French tokens keep their ids and English ones come
    after them, so that one table holds both. The same duties as seq2seq.Seq2Seq (`loss`
    and `decoder`), so the thread can train and search it.
    """

    def __init__(
        self,
        source_vocab_size: int,
        target_vocab_size: int,
        kind: type[GPT] = GPT,
        **sizes: Any,
    ) -> None:
        super().__init__()
        self.shift = target_vocab_size
        self.gpt = kind(source_vocab_size + target_vocab_size, **sizes)

    def prompt(self, source: Int[Tensor, "B T"]) -> Int[Tensor, "B T"]:
        """English tokens as ids of the common table; padding stays padding."""
        return torch.where(source == PAD, PAD, source + self.shift)

    def loss(self, source: Int[Tensor, "B T"], target: Int[Tensor, "B U"]) -> Tensor:
        """Mean cross-entropy of the French tokens; the English is given, not asked."""
        start = torch.full_like(target[:, :1], SOS)
        tokens = torch.cat([self.prompt(source), start, target], dim=1)
        asked = tokens != PAD
        asked[:, : source.shape[1] + 1] = False
        return self.gpt.loss(tokens, asked, tokens != PAD)

    def decoder(self, source: Int[Tensor, "B T"]) -> tuple[Callable, Past]:
        """`step, state` for course_lib.search, which begins with <sos>."""
        return self.gpt.decoder(self.prompt(source), source != PAD)
