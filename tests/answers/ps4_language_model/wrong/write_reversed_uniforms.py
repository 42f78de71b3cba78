"""A list of numbers, taken from its end."""

# replaces: answer_write
# fails: write
# message: take the uniform numbers in their order


def write(step, prompt, uniforms, choose):
    state, written, numbers = None, [], list(uniforms)
    for token in prompt:
        scores, state = step(token, state)
    while numbers:
        written.append(choose(scores, numbers.pop()))
        scores, state = step(written[-1], state)
    return written
