"""One queue for prompt and drawn tokens; feeds the last one, too."""

# replaces: answer_write


def write(step, prompt, uniforms, choose):
    queue, drawn, state = list(prompt), [], None
    numbers = iter(uniforms)
    while queue:
        scores, state = step(queue.pop(0), state)
        if not queue:
            u = next(numbers, None)
            if u is not None:
                drawn.append(choose(scores, u))
                queue.append(drawn[-1])
    return drawn
