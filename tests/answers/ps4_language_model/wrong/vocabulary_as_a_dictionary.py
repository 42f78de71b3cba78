"""From token to number, as it is needed later."""

# ruff: noqa: F821  (the notebook defines what is not defined here)

# replaces: answer_vocabulary
# fails: vocabulary
# message: return a list


def build_vocabulary(tokens, min_count):
    counts = Counter(tokens)
    known = sorted(counts, key=lambda token: (-counts[token], token))
    words = ["<unk>", *(t for t in known if counts[t] >= min_count)]
    return {token: number for number, token in enumerate(words)}
