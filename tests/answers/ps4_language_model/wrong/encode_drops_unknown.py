"""What one does not know one leaves out."""

# replaces: answer_encode
# fails: encode
# message: not nothing


def encode(tokens, vocabulary):
    return [vocabulary.index(t) for t in tokens if t in vocabulary]
