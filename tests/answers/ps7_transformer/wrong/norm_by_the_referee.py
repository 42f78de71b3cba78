"""A folded cell has one already."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_norm
# fails: norm, encoder_pre, encoder_post, decoder_pre, decoder_post, cache, cache_many
# message: torch_norm belongs to the tests: answers cannot use it
# rule: judge_alone


def layer_norm(x, gamma, beta, eps=1e-5):
    return torch_norm(x, {"gamma": gamma, "beta": beta}, eps)
