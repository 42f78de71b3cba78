"""Gradients of the transposed matrices."""

# replaces: answer_thin_gradients
# fails: thin_gradients
# message: a gradient has the shape of its matrix


def lora_gradients(x, A, B, alpha, dy):
    s = alpha / len(A)
    return s * x.T @ (dy @ B), s * (x @ A.T).T @ dy
