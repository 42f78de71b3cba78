"""Every prefix begins with <sos>."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_greedy
# fails: greedy_search
# message: without <sos>


def greedy(next_log_p, max_length):
    words, total = (SOS,), 0.0
    while len(words) <= max_length and words[-1] != EOS:
        log_p = next_log_p(words)
        words = (*words, int(log_p.argmax()))
        total += log_p.max()
    return words[1:], total
