"""The prompt never grows."""

# replaces: answer_extract
# fails: extraction
# message: not the prompt alone

import numpy as np


def extract(next_scores, prompt, length):
    return [int(np.argmax(next_scores(prompt))) for _ in range(length)]
