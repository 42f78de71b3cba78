"""The first number decides every draw."""

# replaces: answer_write
# fails: write
# message: each token has a uniform number of its own


def write(step, prompt, uniforms, choose):
    state, written = None, []
    for token in prompt:
        scores, state = step(token, state)
    for _ in uniforms:
        written.append(choose(scores, uniforms[0]))
        scores, state = step(written[-1], state)
    return written
