"""How large models are: parameters counted."""

# ruff: noqa: E731  (a short lambda reads like the formula it stands for)
from torch import nn

from course_lib.errata.evidence import CONVENTION, decide, fresh

MILLION = 1e6


def encoder_block(d: int, d_ff: int) -> int:
    """Four projections, two layers of the feed-forward network, two norms, biases."""
    return 4 * d * d + 4 * d + 2 * d * d_ff + d_ff + d + 2 * 2 * d


def decoder_block(d: int, d_ff: int) -> int:
    """An encoder block with a second attention and a third norm."""
    return encoder_block(d, d_ff) + 4 * d * d + 4 * d + 2 * d


def check_blocks() -> None:
    """The two formulas against torch's own layers, in small."""
    count = lambda make: sum(p.numel() for p in fresh(make).parameters())
    encoder = lambda: nn.TransformerEncoderLayer(6, 2, 11)
    decoder = lambda: nn.TransformerDecoderLayer(6, 2, 11)
    assert encoder_block(6, 11) == count(encoder)
    assert decoder_block(6, 11) == count(decoder)


def gpt2(layers: int, d: int) -> int:
    """Tables of 50257 words and 1024 positions, blocks, one last norm."""
    return (50257 + 1024) * d + layers * encoder_block(d, 4 * d) + 2 * d


def gpt2_has_124_million_parameters() -> str:
    """E57: three sizes hold 124, 355 and 774 million, by layers and width."""
    check_blocks()
    built = [gpt2(*shape) / MILLION for shape in ((12, 768), (24, 1024), (36, 1280))]
    printed, holds = [117, 345, 762], [124, 355, 774]
    return decide("millions", built, printed, holds, bound=0.6, at_least=5)


def translator(encoder: int, decoder: int, d: int = 512, d_ff: int = 2048) -> float:
    """Millions of parameters of the Transformer of 2017; one table of 37000 words."""
    blocks = encoder * encoder_block(d, d_ff) + decoder * decoder_block(d, d_ff)
    return (blocks + 37_000 * d) / MILLION


def twelve_layers_are_six_and_six() -> str:
    """E90: in the rows of 2017 "12 layers" are 6 + 6; in the others one stack of 12."""
    check_blocks()
    published = 65  # million, base model, as the paper gives it
    stands, translated = translator(12, 12), translator(6, 6)
    settled = decide(
        "millions in the base model",
        published,
        stands,
        translated,
        bound=3,
        at_least=10,
        names=CONVENTION,
    )
    return f"{settled}: {translator(6, 6):.1f} counted, {published} published"
