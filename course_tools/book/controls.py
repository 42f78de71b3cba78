"""Controls of interactive parts: sliders that snap, and lists."""

import html
import json
from typing import Any


def control_html(control: dict[str, Any]) -> str:
    options, start = control["options"], control["start"]
    data = html.escape(json.dumps(options), quote=True)
    label = html.escape(control["label"])
    if control["kind"] == "choice":
        listed = "".join(
            f'<option value="{n}"{" selected" * (n == start)}>'
            f"{html.escape(text)}</option>"
            for n, text in enumerate(options)
        )
        return (
            f'<label><span>{label}</span><select data-options="{data}">{listed}'
            "</select></label>"
        )
    shown = html.escape(options[start])
    return (
        f'<label><span>{label}</span><input type="range" min="0" '
        f'max="{len(options) - 1}" value="{start}" data-options="{data}" '
        # a screen reader says aria-valuetext; the same beside it is for the eye
        f'aria-valuetext="{shown}"><output aria-hidden="true">{shown}</output></label>'
    )
