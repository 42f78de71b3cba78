"""torch has the elu."""

# replaces: answer_features
# fails: features
# message: was used: answers to this question may use numpy alone
# rule: modules

import torch


def elu_features(x):
    return (torch.nn.functional.elu(torch.tensor(x)) + 1).numpy()
