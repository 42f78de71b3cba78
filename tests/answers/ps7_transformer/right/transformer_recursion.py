"""The stacks as recursions, the words as one-hot vectors."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_transformer

import torch
import torch.nn.functional as F


def transformer_scores(p, source, inputs, heads, parts):
    codes, norm, encode, decode = parts

    def read_in(E, words):
        one_hot = F.one_hot(words, len(E)).to(E)
        x = one_hot @ E * E.shape[1] ** 0.5
        return x + torch.as_tensor(codes(words.shape[1], E.shape[1]), dtype=E.dtype)

    def up(x, blocks):
        if not blocks:
            return norm(x, p["norm_encoder"]["gamma"], p["norm_encoder"]["beta"])
        return up(encode(x, blocks[0], heads, hide), blocks[1:])

    def down(y, blocks):
        if not blocks:
            return norm(y, p["norm_decoder"]["gamma"], p["norm_decoder"]["beta"])
        return down(decode(y, memory, blocks[0], heads, past, hide), blocks[1:])

    hide = source.ne(PAD).unsqueeze(1).expand(-1, inputs.shape[1], -1)
    past = torch.tril(torch.ones(inputs.shape[1], inputs.shape[1])) > 0
    hide, over = hide[:, :1], hide
    memory = up(read_in(p["E_source"], source), list(p["encoder"]))
    hide = over
    return (
        down(read_in(p["E_target"], inputs), list(p["decoder"])) @ p["W_y"].T + p["b_y"]
    )
