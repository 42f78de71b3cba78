"""The one error that commands turn into a line for the person at the keyboard."""


class CommandError(Exception):
    """Something the person can put right; shown as one line, without a traceback."""
