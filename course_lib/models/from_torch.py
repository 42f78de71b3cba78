"""The library's Transformer layers with the weights of torch's own: for comparisons."""

import torch
from torch import nn

from course_lib.models.attention import from_torch as attention_from_torch
from course_lib.models.transformer import DecoderLayer, EncoderLayer, FeedForward


def encoder_layer(theirs: nn.TransformerEncoderLayer) -> EncoderLayer:
    """The layer that computes the same; dropout is not copied."""
    ours = EncoderLayer(*sizes(theirs))
    ours.attend = attention_from_torch(theirs.self_attn)
    copy_feed_forward(theirs, ours.feed)
    ours.norm_attend.load_state_dict(theirs.norm1.state_dict())
    ours.norm_feed.load_state_dict(theirs.norm2.state_dict())
    return ours.to(theirs.linear1.weight)


def decoder_layer(theirs: nn.TransformerDecoderLayer) -> DecoderLayer:
    """The layer that computes the same; dropout is not copied."""
    ours = DecoderLayer(*sizes(theirs))
    ours.attend = attention_from_torch(theirs.self_attn)
    ours.cross = attention_from_torch(theirs.multihead_attn)
    copy_feed_forward(theirs, ours.feed)
    ours.norm_attend.load_state_dict(theirs.norm1.state_dict())
    ours.norm_cross.load_state_dict(theirs.norm2.state_dict())
    ours.norm_feed.load_state_dict(theirs.norm3.state_dict())
    return ours.to(theirs.linear1.weight)


def sizes(theirs: nn.TransformerEncoderLayer | nn.TransformerDecoderLayer) -> tuple:
    """d_model, heads, d_ff, norm_first, activation, eps."""
    d_ff, d_model = theirs.linear1.weight.shape
    heads, activation = theirs.self_attn.num_heads, theirs.activation
    return d_model, heads, d_ff, theirs.norm_first, activation, theirs.norm1.eps


@torch.no_grad()
def copy_feed_forward(
    theirs: nn.TransformerEncoderLayer | nn.TransformerDecoderLayer, ours: FeedForward
) -> None:
    ours.first.load_state_dict(theirs.linear1.state_dict())
    ours.second.load_state_dict(theirs.linear2.state_dict())
