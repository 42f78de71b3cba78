"""The penalty for lateness: how much, by the plugin that the course has configured.

Rows of nbgrader's tables are `Any` here: they have no types.
"""

from typing import Any

from nbgrader.preprocessors import AssignLatePenalties
from traitlets.config import Config


class LatePenalty:
    """Asks nbgrader's plugin, as its own preprocessor does."""

    def __init__(self, config: Config) -> None:
        self.preprocessor = AssignLatePenalties(config=config)
        self.preprocessor.init_plugin()
        self.plugin: Any = self.preprocessor.plugin_inst

    def rule(self) -> str:
        """Return a text that is another one whenever the penalties could be others."""
        name = f"{type(self.plugin).__module__}.{type(self.plugin).__qualname__}"
        return f"{name} {sorted(self.plugin.trait_values(config=True).items())}"

    def set_on(self, row: Any, submission: Any) -> None:
        """Write the penalty of one notebook of a submission into its row."""
        row.late_submission_penalty = None
        late = submission.total_seconds_late
        if late > 0:
            student = submission.student.id
            penalty = self.plugin.late_submission_penalty(student, row.score, late)
            if penalty is not None:
                penalty = self.preprocessor._check_late_penalty(row, penalty)
                row.late_submission_penalty = penalty
