"""What was added are the last words."""

# ruff: noqa: F821  (the notebook defines what is not defined here)
# replaces: answer_extract
# fails: extraction
# message: the prompt does not belong


def extract(next_scores, prompt, length):
    text = list(prompt)
    for _ in range(length):
        text.append(int(np.argmax(next_scores(text))))
    return text[-length:]
