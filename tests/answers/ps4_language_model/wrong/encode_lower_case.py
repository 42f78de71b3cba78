"""The and the are one word."""

# replaces: answer_encode
# fails: encode
# message: capital and small letters are different tokens


def encode(tokens, vocabulary):
    number = {}
    for place, token in enumerate(vocabulary):
        number.setdefault(token.lower(), place)
    return [number.get(token.lower(), 0) for token in tokens]
