"""The mechanisms of the course as diagrams: each module writes one, as data.

show(*panels(lstm_cell()))            # its steps in one figure
show(*draw(lstm_cell(), step=2))      # one of them
play(lstm_cell())                     # with a slider
"""

from course_lib.show.mechanisms.additive import additive_attention
from course_lib.show.mechanisms.chain import gradient_chain
from course_lib.show.mechanisms.delta_step import delta_step
from course_lib.show.mechanisms.designs import three_designs
from course_lib.show.mechanisms.dot_product import dot_product_attention
from course_lib.show.mechanisms.encoder_decoder import transformer
from course_lib.show.mechanisms.forward import forward_step
from course_lib.show.mechanisms.gru import gru_cell
from course_lib.show.mechanisms.kalman import kalman_step
from course_lib.show.mechanisms.kv_cache import kv_cache
from course_lib.show.mechanisms.language_model import language_model_unrolled
from course_lib.show.mechanisms.low_rank import low_rank_update
from course_lib.show.mechanisms.lstm import lstm_cell
from course_lib.show.mechanisms.mamba_step import mamba_step
from course_lib.show.mechanisms.modern_block import grouped_attention, swiglu
from course_lib.show.mechanisms.multi_head import two_heads
from course_lib.show.mechanisms.norms import norm_placement
from course_lib.show.mechanisms.rnn import rnn_unrolled
from course_lib.show.mechanisms.scan_tree import scan_tree
from course_lib.show.mechanisms.self_attention import attention_by_hand
from course_lib.show.mechanisms.seq2seq import encoder_decoder
from course_lib.show.mechanisms.set_blocks import (
    attention_block,
    induced_attention,
    set_attention_and_pooling,
)
from course_lib.show.mechanisms.speculative import speculative_round
from course_lib.show.mechanisms.task_shapes import task_shapes
from course_lib.show.mechanisms.vision_transformer import vision_transformer

ALL = (
    three_designs,
    task_shapes,
    rnn_unrolled,
    gradient_chain,
    lstm_cell,
    gru_cell,
    language_model_unrolled,
    encoder_decoder,
    additive_attention,
    attention_by_hand,
    dot_product_attention,
    two_heads,
    transformer,
    norm_placement,
    kv_cache,
    low_rank_update,
    speculative_round,
    kalman_step,
    forward_step,
    attention_block,
    set_attention_and_pooling,
    induced_attention,
    vision_transformer,
    scan_tree,
    delta_step,
    mamba_step,
)

__all__ = [
    "ALL",
    "grouped_attention",
    "swiglu",
    "attention_block",
    "induced_attention",
    "set_attention_and_pooling",
    "vision_transformer",
    "additive_attention",
    "delta_step",
    "dot_product_attention",
    "encoder_decoder",
    "forward_step",
    "gru_cell",
    "kalman_step",
    "kv_cache",
    "language_model_unrolled",
    "low_rank_update",
    "lstm_cell",
    "mamba_step",
    "two_heads",
    "norm_placement",
    "rnn_unrolled",
    "scan_tree",
    "attention_by_hand",
    "speculative_round",
    "transformer",
]
