"""Every limit of grading in one place, with its default."""

from dataclasses import asdict, dataclass, fields

MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Limits:
    """What one submission may use; times in seconds, sizes in bytes.

    `cell_seconds` bounds one student cell and one question (test cell) alike, as
    nbgrader's time-out does; `cpu_seconds` bounds the whole submission, and so does
    `total_seconds` (waiting included), which is 20 cells' time unless given.
    `output` bounds what one cell may show, `outputs_total` a whole notebook.
    """

    cell_seconds: float = 30.0
    cpu_seconds: int = 600
    total_seconds: float | None = None
    restarts: int = 3
    memory: int = 2048 * MEGABYTE
    processes: int = 64
    file_size: int = 64 * MEGABYTE
    disk: int = 128 * MEGABYTE
    output: int = 4 * MEGABYTE
    outputs_total: int = 16 * MEGABYTE
    message: int = 64 * MEGABYTE
    traffic: int = 1024 * MEGABYTE
    depth: int = 60
    calls: int = 100_000
    nested_calls: int = 40
    handles: int = 100_000

    @property
    def all_seconds(self):
        """How long a submission may take in all, with every repetition."""
        given = self.total_seconds
        return 20 * self.cell_seconds if given is None else given

    def to_dict(self):
        return asdict(self)

    @classmethod
    def from_dict(cls, values):
        """Build from a dictionary, refusing names that are not limits."""
        known = {field.name for field in fields(cls)}
        unknown = sorted(set(values) - known)
        if unknown:
            raise ValueError(f"unknown limits {unknown}; known are {sorted(known)}")
        return cls(**values)


# What a submission folder may hold before it is read at all.
NOTEBOOK_BYTES = 32 * MEGABYTE
NOTEBOOK_CELLS = 2_000
CELL_CHARACTERS = 1_000_000
FOLDER_FILES = 1_000
FOLDER_BYTES = 64 * MEGABYTE
STAMP_BYTES = 100
