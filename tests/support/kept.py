"""One warm process for many tests."""


class Kept:
    """The shared warm process, for code that would start and end one of its own."""

    def __init__(self, zygote):
        self.zygote = zygote

    def __getattr__(self, name):
        return getattr(self.zygote, name)

    def close(self):
        """It is still needed."""
