"""The special token goes to the end."""

# replaces: answer_vocabulary
# fails: vocabulary
# message: it stands first, not last

from collections import Counter


def build_vocabulary(tokens, min_count):
    counts = Counter(tokens)
    known = [t for t in counts if counts[t] >= min_count]
    return sorted(known, key=lambda t: (-counts[t], t)) + ["<unk>"]
