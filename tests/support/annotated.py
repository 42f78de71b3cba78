"""Which modules of course_lib annotate their arrays with axes."""

import ast
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "course_lib"


def annotated_modules(package: Path = PACKAGE) -> list[str]:
    """Every module of the package that imports jaxtyping, by its dotted name."""
    found = [path for path in sorted(package.rglob("*.py")) if uses_jaxtyping(path)]
    return [dotted(path.relative_to(package.parent)) for path in found]


def uses_jaxtyping(path: Path) -> bool:
    """Read, not imported: the hook has to be there before the import."""
    tree = ast.parse(path.read_text(encoding="utf8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return any(node.module == "jaxtyping" for node in imports)


def dotted(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
