"""Position by position, single precision."""

# replaces: answer_loss

import numpy as np


def masked_loss(scores, targets, mask):
    total, count = 0.0, 0
    for b in range(len(mask)):
        for t in range(mask.shape[1]):
            if not mask[b, t]:
                continue
            s = np.float32(scores[b, t])
            total += s.max() + np.log(np.exp(s - s.max()).sum()) - s[targets[b, t]]
            count += 1
    return total / count if count else 0
