"""The text is prompt and continuation."""

# replaces: answer_write
# fails: write
# message: without the prompt


def write(step, prompt, uniforms, choose):
    text, state = list(prompt), None
    for token in prompt:
        scores, state = step(token, state)
    for u in uniforms:
        text.append(choose(scores, u))
        scores, state = step(text[-1], state)
    return text
