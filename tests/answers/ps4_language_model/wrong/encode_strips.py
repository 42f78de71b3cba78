"""Spaces are no part of a token."""

# replaces: answer_encode
# fails: encode
# message: with their spaces


def encode(tokens, vocabulary):
    number = {token: place for place, token in enumerate(vocabulary)}
    return [number.get(token.strip(), 0) for token in tokens]
