"""Begins with the last token of the prompt."""

# replaces: answer_write
# fails: write
# message: feed the whole prompt


def write(step, prompt, uniforms, choose):
    token, state, written = prompt[-1], None, []
    for u in uniforms:
        scores, state = step(token, state)
        token = choose(scores, u)
        written.append(token)
    return written
