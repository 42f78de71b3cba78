"""The width is not needed."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_beam
# fails: beam, beam_alpha
# message: width


def beam_search(next_log_p, width, max_length, alpha=0.0):
    words, total = (), 0.0
    while len(words) < max_length and EOS not in words:
        log_p = next_log_p(words)
        words, total = (*words, int(log_p.argmax())), total + log_p.max()
    return words, total
