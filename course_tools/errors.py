"""The one error that commands turn into a line for the person at the keyboard."""


class CommandError(Exception):
    """Something the person can put right; shown as one line, without a traceback."""

    def __init__(self, message: str, code: int = 1):
        super().__init__(message)
        self.code = code  # the exit code: 1 failed, 2 wrong words, 130 interrupted
