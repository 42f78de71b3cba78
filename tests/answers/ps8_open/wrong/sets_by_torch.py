"""torch's functions for the block, one set after the other."""

# replaces: answer_mab
# fails: mab_block
# message: was used: answers to this question may use numpy alone
# rule: modules

import numpy as np
import torch
import torch.nn.functional as F


def mab(x, y, p):
    x, y = torch.tensor(x), torch.tensor(y)
    t = {name: torch.tensor(w) for name, w in p.items()}
    made = x @ t["W_q"].T, y @ t["W_k"].T, y @ t["W_v"].T
    q, k, v = (a.unflatten(2, (p["heads"], -1)).transpose(1, 2) for a in made)
    read = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2)
    size = x.shape[2:]
    h = F.layer_norm(x + read @ t["W_o"].T, size, t["gain_1"], t["shift_1"])
    fed = F.linear(F.linear(h, t["W_1"], t["b_1"]).relu(), t["W_2"], t["b_2"])
    return F.layer_norm(h + fed, size, t["gain_2"], t["shift_2"]).numpy()


# replaces: answer_isab


def isab(x, inducing, mab_a, mab_b):
    results = []
    for one in x:
        summary = mab_a(inducing[None], one[None])
        results.append(mab_b(one[None], summary)[0])
    return np.stack(results)


# replaces: answer_pma


def pma(x, seeds, feed, read):
    shape = (len(x), *seeds.shape)
    return read(np.zeros(shape) + seeds, feed(x))
