"""The twenty programs of B_silent_bugs: what acquits a mended one, and how many are.

Each exercise is a short program with one bug that raises no error. A program is
acquitted by properties that the right one has on random instances, so that any way of
mending it will do. `attention`, `losses`, `training` and `data_and_writing` hold the
programs as they should be.
"""

from collections.abc import Callable

from course_lib import progress
from course_lib.exercises import record
from course_lib.exercises.exercise import RIGHT, Exercise, Exercises, examine
from course_lib.exercises.silent_bugs import (
    attention,
    data_and_writing,
    losses,
    training,
)
from course_lib.exercises.silent_bugs.properties import judged

LECTURE = "silent_bugs"
# program as it should be, instances, acquittal, stars: in the order of the page
PROGRAMS: tuple[tuple[Callable, Callable, Callable[..., str], str], ...] = (
    (
        losses.classification_loss,
        losses.logits_and_targets,
        losses.classification_fault,
        "*",
    ),
    (
        losses.next_token_loss,
        losses.logits_and_tokens,
        losses.next_token_fault,
        "*",
    ),
    (training.descend, training.linear_task, training.descend_fault, "*"),
    (
        data_and_writing.squared_error,
        data_and_writing.predictions_and_targets,
        data_and_writing.squared_fault,
        "*",
    ),
    (losses.padded_loss, losses.losses_and_lengths, losses.padded_loss_fault, "*"),
    (losses.perplexity, losses.losses_of_a_text, losses.perplexity_fault, "*"),
    (losses.text_loss, losses.batches_of_losses, losses.text_loss_fault, "*"),
    (training.clipped_step, training.steep_task, training.clipped_fault, "*"),
    (training.evaluate, training.model_with_dropout, training.evaluate_fault, "*"),
    (
        training.gradient_in_chunks,
        training.weight_and_text,
        training.chunks_fault,
        "**",
    ),
    (training.stack_of_layers, training.width_and_depth, training.stack_fault, "*"),
    (
        data_and_writing.last_state,
        data_and_writing.states_and_lengths,
        data_and_writing.last_fault,
        "*",
    ),
    (
        data_and_writing.standardised,
        data_and_writing.series_and_split,
        data_and_writing.standardised_fault,
        "*",
    ),
    (
        attention.attention,
        attention.queries_keys_values,
        attention.attention_fault,
        "*",
    ),
    (
        attention.padded_weights,
        attention.scores_and_padding,
        attention.padded_fault,
        "*",
    ),
    (attention.causal_weights, attention.square_scores, attention.causal_fault, "*"),
    (attention.split_heads, attention.rows_and_heads, attention.heads_fault, "**"),
    (attention.rotated, attention.piece_of_text, attention.rotated_fault, "**"),
    (
        data_and_writing.next_token,
        data_and_writing.logits_and_temperature,
        data_and_writing.next_token_fault,
        "*",
    ),
    (
        data_and_writing.exact_matches,
        data_and_writing.outputs_and_targets,
        data_and_writing.matches_fault,
        "**",
    ),
)


class Bugs(Exercises):
    """Exercises that remember which programs were acquitted in this notebook."""

    def __init__(self, lecture: str, *exercises: Exercise) -> None:
        super().__init__(lecture, *exercises)
        self.acquitted: set[int] = set()

    def check(self, number: int, answer: Callable) -> None:
        """Try a program; remember it if it is acquitted."""
        if examine(self[number], answer) == RIGHT:
            self.acquitted.add(number)
        super().check(number, answer)


EXERCISES = Bugs(
    LECTURE,
    *(
        Exercise(number, stars, program, instances, fault=judged(program, fault))
        for number, (program, instances, fault, stars) in enumerate(PROGRAMS, 1)
    ),
)
check, solution = EXERCISES.check, EXERCISES.solution


def report() -> None:
    """How many bugs were found, in this notebook or on an earlier day."""
    path = progress.configured()
    earlier = record.recorded(path) if path else {}
    numbers = {number for lecture, number in earlier if lecture == LECTURE}
    numbers |= EXERCISES.acquitted
    left = sorted(set(range(1, len(PROGRAMS) + 1)) - numbers)
    print(f"{len(numbers)} of {len(PROGRAMS)} bugs found")
    if left:
        print("still at large:", ", ".join(map(str, left)))
