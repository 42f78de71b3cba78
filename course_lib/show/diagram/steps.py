"""A whole diagram: its parts, and the steps that light them one after the other."""

from dataclasses import dataclass, field
from itertools import pairwise

from course_lib.show.diagram.letters import plain
from course_lib.show.diagram.model import Arrow, Node, owner


@dataclass(frozen=True)
class Step:
    """One panel: what is lit, what is written beside it.

    lit   paths such as "x, h > f > forget": these nodes, and the arrows between them;
          "*" is everything
    mark  cells with a strong outline: tensor -> (row, column), None for all of them
    """

    title: str
    lit: str
    equation: str = ""
    says: str = ""
    mark: dict[str, tuple[int | None, int | None]] = field(default_factory=dict)


@dataclass(frozen=True)
class Diagram:
    """A mechanism, once: its parts, its steps, and the sentence that describes it.

    beside  the text of a step stands right of the picture; otherwise above it
    """

    name: str
    parts: tuple[Node | Arrow, ...]
    describes: str
    steps: tuple[Step, ...] = ()
    beside: bool = True

    def __post_init__(self) -> None:
        names = [node.name for node in self.nodes.values()]
        count = len([part for part in self.parts if isinstance(part, Node)])
        if len(names) != count:
            raise ValueError(f"{self.name}: two nodes have the same name in {names}")
        for number, step in enumerate(self.steps, start=1):
            self.lit(number)
            if unknown := set(step.mark) - set(names):
                raise ValueError(f"{self.name}, step {number}: no part {unknown}")

    @property
    def nodes(self) -> dict[str, Node]:
        return {part.name: part for part in self.parts if isinstance(part, Node)}

    @property
    def arrows(self) -> tuple[Arrow, ...]:
        return tuple(part for part in self.parts if isinstance(part, Arrow))

    def lit(self, step: int | None) -> set[str]:
        """The names of nodes and arrows that are lit in a step, counted from 1."""
        everything = {*self.nodes, *(arrow.name for arrow in self.arrows)}
        if step is None:
            return everything
        if not 1 <= step <= len(self.steps):
            raise ValueError(
                f"{self.name} has steps 1 to {len(self.steps)}, not {step}"
            )
        lit: set[str] = set()
        for path in filter(None, self.steps[step - 1].lit.split(",")):
            names = [name.strip() for name in path.split(">")]
            arrows = [">".join(two) for two in pairwise(names)]
            lit |= everything if names == ["*"] else {*names, *arrows}
        if unknown := lit - everything:
            raise ValueError(f"{self.name}, step {step}: no part {sorted(unknown)}")
        return lit

    def known(self, step: int | None) -> set[str]:
        """What has its numbers in a step: lit by now, or given from the start."""
        fed = {owner(arrow.end) for arrow in self.arrows}
        seen = set(self.nodes) - fed
        for earlier in [None] if step is None else range(1, step + 1):
            seen |= self.lit(earlier)
        return seen

    def description(self, step: int | None = None) -> str:
        """The alternative text of the whole picture, or of one step."""
        if step is None:
            return plain(self.describes)
        now = self.steps[step - 1]
        count = len(self.steps)
        said = f"{self.name}, step {step} of {count}, {now.title}: {now.says}"
        return plain(said)
