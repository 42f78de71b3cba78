"""The benchmark of the scan writes its own table alone, and notices a wrong scan."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BEGIN, END = "<!-- scan: begin -->", "<!-- scan: end -->"


def run(*arguments: str | Path, code: str = "") -> subprocess.CompletedProcess:
    start = f"{code}\nimport scan; scan.main()" if code else "import scan; scan.main()"
    command = [sys.executable, "-c", start, "--repeats", "1", "--sizes", "2", "37"]
    path = os.pathsep.join([str(ROOT / "benchmarks"), str(ROOT)])
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.run(
        [*command, *arguments], capture_output=True, text=True, env=environment
    )


def test_writes_its_table_between_the_marks_and_nothing_else(tmp_path):
    page = tmp_path / "README.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    done = run("--write", "--readme", page)
    assert done.returncode == 0, done.stderr
    text = page.read_text(encoding="utf-8")
    assert text.startswith(f"before\n{BEGIN}\nForward and backward, width 64")
    assert text.endswith(f"\n{END}\nafter\n")
    assert text.count("| 2, 37 |") == 2
    assert "old" not in text


def test_a_wrong_scan_is_not_timed():
    wrong = "from course_lib.models import scan as s; s.scan = lambda a, b: a * b"
    done = run(code=wrong)
    assert done.returncode != 0
    assert "disagree" in done.stderr
