"""np.unique, lexsort, a tuple as result."""

# replaces: answer_vocabulary

import numpy as np


def build_vocabulary(tokens, min_count):
    words, counts = np.unique(np.array(tokens, dtype=str), return_counts=True)
    order = np.lexsort((words, -counts))
    kept = [str(words[i]) for i in order if counts[i] >= min_count]
    return ("<unk>", *kept)
