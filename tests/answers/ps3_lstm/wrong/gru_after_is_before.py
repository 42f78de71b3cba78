"""Before or after, a product is a product: the second cell calls the first."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_gru_after
# fails: gru_after
# message: the reset gate acts before the product; here it acts after


def gru_step_after(x_t, h_prev, W_x, W_h, b_h, b_inner):
    return gru_step(x_t, h_prev, W_x, W_h, b_h)
