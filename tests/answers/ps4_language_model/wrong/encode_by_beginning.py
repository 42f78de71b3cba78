"""roses is a rose."""

# replaces: answer_encode
# fails: encode
# message: not begin with it


def encode(tokens, vocabulary):
    ids = []
    for token in tokens:
        places = [i for i, word in enumerate(vocabulary) if token.startswith(word)]
        ids.append(max(places, default=0))
    return ids
