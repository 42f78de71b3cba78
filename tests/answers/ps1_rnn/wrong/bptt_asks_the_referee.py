"""The referee knows all gradients: put the arrays into a network, and it tells them."""

# replaces: answer_bptt
# fails: bptt
# message: truth belongs to the tests: answers cannot use it
# rule: judge_alone


def bptt(x, states, d_o, W_h, W_y):
    p = example(*x.shape, len(W_h), len(W_y), seed=10)  # noqa: F821
    t = truth(p._replace(x=x, W_h=W_h, W_y=W_y))  # noqa: F821
    return t.delta, t.dW_h, t.dW_x, t.db_h
