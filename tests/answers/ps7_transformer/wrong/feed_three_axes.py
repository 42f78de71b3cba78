"""Vectors come in sentences, sentences in batches."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_feed
# fails: feed
# message: einsum


def feed_forward(x, w):
    inner = torch.einsum("bnd,fd->bnf", x, w["W_1"]) + w["b_1"]
    return torch.einsum("bnf,df->bnd", inner.relu(), w["W_2"]) + w["b_2"]
