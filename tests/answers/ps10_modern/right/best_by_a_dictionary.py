"""Only answers that the reference gives."""

# replaces: answer_best

import math


def best_policy(ref, reward, beta):
    some = {k: r / beta for k, r in enumerate(reward) if ref[k] > 0}
    top = max(some.values())
    raised = {k: ref[k] * math.exp(s - top) for k, s in some.items()}
    total = math.fsum(raised.values())
    return [raised.get(k, 0.0) / total for k in range(len(ref))]
