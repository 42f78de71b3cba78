"""Two stable sorts, counts by hand."""

# replaces: answer_vocabulary


def build_vocabulary(tokens, min_count):
    counts = {}
    for token in tokens:
        counts[token] = counts.get(token, 0) + 1
    words = sorted(counts)
    words.sort(key=counts.get, reverse=True)
    return ["<unk>"] + [w for w in words if counts[w] >= min_count]
