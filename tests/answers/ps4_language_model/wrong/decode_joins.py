"""Decoding gives back a text."""

# replaces: answer_decode
# fails: encode
# message: not one string


def decode(ids, vocabulary):
    return " ".join(vocabulary[i] for i in ids)
