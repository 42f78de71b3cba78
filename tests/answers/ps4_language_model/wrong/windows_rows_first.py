"""Rows, then windows."""

# replaces: answer_windows
# fails: windows
# message: the first axis counts windows


def make_windows(ids, rows, chunk):
    length = len(ids) // rows
    count = (length - 1) // chunk
    table = ids[: rows * length].reshape(rows, length)
    x, y = table[:, : count * chunk], table[:, 1 : count * chunk + 1]
    return x.reshape(rows, count, chunk), y.reshape(rows, count, chunk)
