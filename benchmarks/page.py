"""The tables of benchmarks/README.md: each stands between two marks with its name."""

from pathlib import Path

README = Path(__file__).parent / "README.md"


def marks(name: str) -> tuple[str, str]:
    return f"<!-- {name}: begin -->", f"<!-- {name}: end -->"


def write_block(path: Path, name: str, text: str) -> None:
    """Replace what stands between the marks; leave the rest of the file alone."""
    begin, end = marks(name)
    page = path.read_text(encoding="utf-8") if path.is_file() else ""
    if page.count(begin) != 1 or page.count(end) != 1:
        raise SystemExit(f"{path.name} needs the lines {begin} and {end}, once each")
    before, rest = page.split(begin)
    after = rest.split(end)[1]
    path.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")
