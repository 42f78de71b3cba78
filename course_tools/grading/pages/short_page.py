"""A page without the notebook: one sentence, and the scores as a table."""

import html

PAGE = """<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8" />
<title>{title}</title>
<style>
body {{ font-family: sans-serif; margin: 2em; }}
table {{ border-collapse: collapse; }}
td, th {{ border: 1px solid #ccc; padding: 0.3em 0.8em; text-align: left; }}
</style>
</head>
<body>
<h4>{title} (Score: {score} / {most})</h4>
<p>{sentence}</p>
<table>
<tr><th>Question</th><th>Score</th><th>Comment</th></tr>
{rows}
</table>
</body>
</html>
"""


def short_page(sentence, cells, resources):
    """Return the page; `cells` and `resources` are those of `feedback.scores`."""
    rows = [
        _row(name, f"{_number(found['score'])} / {_number(found['points'])}", found)
        for name, found in cells.items()
        if "score" in found
    ]
    late = resources["late_penalty"]
    if late:
        rows.append(_row("Late submission penalty", f"-{_number(late)}", {}))
    return PAGE.format(
        title=html.escape(resources["notebook"]),
        score=_number(resources["score"]),
        most=_number(resources["max_score"]),
        sentence=html.escape(sentence),
        rows="\n".join(rows),
    )


def _row(name, score, found):
    words = (name, score, found.get("comment") or "")
    return "<tr>" + "".join(f"<td>{html.escape(w)}</td>" for w in words) + "</tr>"


def _number(value):
    return f"{float(value or 0.0):.2f}".rstrip("0").rstrip(".")
