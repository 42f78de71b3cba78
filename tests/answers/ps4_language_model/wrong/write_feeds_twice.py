"""The last token of the prompt starts the loop again."""

# replaces: answer_write
# fails: write
# message: feed every token exactly once


def write(step, prompt, uniforms, choose):
    state, written = None, []
    for token in prompt:
        _, state = step(token, state)
    for u in uniforms:
        scores, state = step(token, state)
        token = choose(scores, u)
        written.append(token)
    return written
