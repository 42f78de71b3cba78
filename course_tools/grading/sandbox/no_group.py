"""In place of a control group, where there is none."""


class NoGroup:
    """Stands in where control groups cannot be used."""

    kind = "rlimits only"
    one_core = False

    def add(self, pid: int) -> None:
        """Nothing to do."""

    def members(self) -> list[str] | None:
        return None

    def out_of_memory(self) -> bool:
        return False

    def remove(self) -> None:
        """Nothing to do."""
