"""The cell above has a whole model."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_transformer
# fails: transformer
# message: build it of the parts that you are given


def transformer_scores(p, source, inputs, heads, parts):
    return torch_model(p, source, inputs, heads)
