"""Words that hardly ever follow are left out, to save time."""

# replaces: answer_exhaustive
# fails: all_sentences
# message: expected 3 and 1

import numpy as np


def exhaustive(next_log_p, max_length):
    done, opened = [], [((), 0.0)]
    for _ in range(max_length):
        longer = []
        for words, total in opened:
            log_p = next_log_p(words)
            for word in np.flatnonzero(log_p > -10):
                longer.append(((*words, int(word)), total + log_p[word]))
        done += [pair for pair in longer if pair[0][-1] == 2]
        opened = [pair for pair in longer if pair[0][-1] != 2]
    return sorted(done + opened, key=lambda pair: -pair[1])
