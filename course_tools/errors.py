"""The one error that commands turn into a line for the person at the keyboard."""


class CommandError(Exception):
    """Something the person can put right; shown as one line, without a traceback."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code  # of the process: 1 failed, 2 wrong arguments, 130 interrupted


class Stopped(KeyboardInterrupt):
    """Interrupted by the person, who reads how to go on."""


def in_one_line(error: BaseException) -> str:
    """What went wrong, as one line; what nobody expected is named by its class."""
    if isinstance(error, CommandError):
        return str(error)
    if isinstance(error, OSError):
        place = f": {error.filename}" if error.filename else ""
        return f"{error.strerror or error}{place}"
    line = str(error).split("\n")[0]
    return f"{type(error).__name__}: {line}"
