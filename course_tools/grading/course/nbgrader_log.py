"""What nbgrader logs and then swallows."""

import logging


class Heard(logging.Handler):
    """Keeps the last line of the traceback that nbgrader logs and then swallows."""

    reason = ""

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage().strip()
        if text.startswith("Traceback"):
            self.reason = text.splitlines()[-1].strip()
