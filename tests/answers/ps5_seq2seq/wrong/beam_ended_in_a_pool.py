"""Sentences that have ended go to a list of their own and take no place."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_beam
# fails: beam, beam_alpha
# message: one that lost it is gone

import numpy as np


def beam_search(next_log_p, width, max_length, alpha=0.0):
    def score(candidate):
        return candidate[1] / len(candidate[0]) ** alpha

    open_, done = [((), 0.0)], []
    for _ in range(max_length):
        cand = [
            ((*w, k), t + x)
            for w, t in open_
            for k, x in enumerate(next_log_p(w))
            if x > -np.inf
        ]
        done += [c for c in cand if c[0][-1] == EOS]
        going = [c for c in cand if c[0][-1] != EOS]
        open_ = sorted(going, key=score, reverse=True)[:width]
        if not open_:
            break
    return max(done + open_, key=score)
