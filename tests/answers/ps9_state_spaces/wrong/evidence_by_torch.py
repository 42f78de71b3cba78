"""There is a class for it."""

# replaces: answer_update
# fails: evidence, update
# message: may use numpy alone
# rule: modules

import numpy as np
import torch


def update(m_minus, P_minus, x_t, C, R):
    S = C @ P_minus @ C.T + R
    K = np.linalg.solve(S, C @ P_minus).T
    mean, cov = torch.tensor(C @ m_minus), torch.tensor(S)
    seen = torch.distributions.MultivariateNormal(mean, cov)
    log_p = seen.log_prob(torch.tensor(x_t)).item()
    return m_minus + K @ (x_t - C @ m_minus), P_minus - K @ S @ K.T, log_p
