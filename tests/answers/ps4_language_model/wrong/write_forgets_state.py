"""The last letter decides."""

# replaces: answer_write
# fails: write
# message: pass the state on


def write(step, prompt, uniforms, choose):
    written, state = [], None
    for token in prompt:
        scores, state = step(token, state)
    for u in uniforms:
        written.append(choose(scores, u))
        scores, _ = step(written[-1], None)
    return written
