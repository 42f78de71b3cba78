"""One learning rate, the state carried on, a smaller network, log-softmax by hand."""

# ruff: noqa: F821  (the notebook defines what is not defined here)

# replaces: answer_training

import torch
import torch.nn.functional as F


def train_model(draw, seed):
    torch.manual_seed(seed)
    model, state = LanguageModel(6, 5, 29), None
    optimiser = torch.optim.Adam(model.parameters(), lr=0.02, betas=(0.9, 0.99))
    for _ in range(170):
        piece = torch.as_tensor(draw())
        scores, (h, c) = model(piece[:, :-1], state)
        state = h.detach(), c.detach()
        optimiser.zero_grad()
        log_p = F.log_softmax(scores, dim=-1)
        log_p.gather(2, piece[:, 1:, None]).mean().neg().backward()
        optimiser.step()
    return {k: w.detach().numpy() for k, w in model.state_dict().items()}
