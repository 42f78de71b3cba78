"""At <eos> one stops, before writing it down."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_greedy
# fails: greedy_search
# message: lacks its <eos>


def greedy(next_log_p, max_length):
    words, total = (), 0.0
    while len(words) < max_length:
        log_p = next_log_p(words)
        if log_p.argmax() == EOS:
            break
        words = (*words, int(log_p.argmax()))
        total += log_p.max()
    return words, total
