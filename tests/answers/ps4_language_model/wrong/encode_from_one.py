"""The first word has number 1."""

# replaces: answer_encode
# fails: encode
# message: numbers begin at 0


def encode(tokens, vocabulary):
    number = {t: i for i, t in enumerate(vocabulary, 1)}
    return [number.get(t, 1) for t in tokens]
