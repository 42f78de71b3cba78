"""Sentences of probability 0 are sentences, too."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_exhaustive
# fails: all_sentences
# message: probability 0 are to be left out


def exhaustive(next_log_p, max_length):
    def below(words, total):
        if len(words) == max_length or words[-1:] == (EOS,):
            return [(words, total)]
        found = []
        for word, gain in enumerate(next_log_p(words)):
            found += below((*words, word), total + gain)
        return found

    return sorted(below((), 0.0), key=lambda pair: -pair[1])
