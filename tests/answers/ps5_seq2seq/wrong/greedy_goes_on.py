"""Every sentence gets max_length words."""

# replaces: answer_greedy
# fails: greedy_search
# message: it went on after <eos>


def greedy(next_log_p, max_length):
    words, total = (), 0.0
    for _ in range(max_length):
        log_p = next_log_p(words)
        words = (*words, int(log_p.argmax()))
        total += log_p.max()
    return words, total
