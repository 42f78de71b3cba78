"""What a cell showed, reduced to the few kinds of text that a notebook may hold.

A student's process reports it as it likes. Lists in lists and tables in tables take
fifty times the memory of their text, in the judge and in all who hear of it.
"""

from typing import Any

from course_tools.grading.limits import ERROR_LINES, OUTPUTS

TEXTS = ("output_type", "name", "text", "ename", "evalue")
MIMES = ("text/plain", "text/html", "text/markdown", "text/latex")
MIMES += ("image/png", "image/jpeg")


def only_text(outputs: list[Any]) -> list[dict[str, Any]]:
    """Return the outputs, one more than are kept, with nothing but texts in them."""
    return [_reduced(item) for item in outputs[: OUTPUTS + 1]]


def _reduced(item: Any) -> dict[str, Any]:
    if type(item) is not dict:
        return {}
    kept: dict[str, Any] = _texts(item, TEXTS)
    if type(item.get("data")) is dict:
        kept["data"] = _texts(item["data"], MIMES)
    if type(item.get("traceback")) is list:
        lines = item["traceback"][:ERROR_LINES]
        kept["traceback"] = [line for line in lines if type(line) is str]
    return kept


def _texts(table: dict[str, Any], names: tuple[str, ...]) -> dict[str, str]:
    return {name: table[name] for name in names if type(table.get(name)) is str}
