"""KaTeX's style sheet for a page that stands alone, with the fonts that it needs."""

import base64
import re
from functools import cache
from pathlib import Path

import course_tools.katex

FILES = Path(course_tools.katex.__file__).parent / "files"
FACE = re.compile(r"@font-face\{[^}]*?fonts/KaTeX_([\w-]+)\.woff2[^}]*\}")
SET = 'class="katex"'
# The font's file, and the classes by which KaTeX asks for it.
ASKED_BY = {
    "Main-Regular": (SET,),
    "Math-Italic": ("mathnormal",),
    "Main-Bold": ("mathbf", "textbf"),
    "Main-Italic": ("mathit", "textit"),
    "Main-BoldItalic": ("textbf textit", "textit textbf"),
    "Math-BoldItalic": ("boldsymbol",),
    "AMS-Regular": ("amsrm", "mathbb", "textbb"),
    "Caligraphic-Regular": ("mathcal",),
    "Fraktur-Regular": ("mathfrak", "textfrak"),
    "Fraktur-Bold": ("mathboldfrak", "textboldfrak"),
    "SansSerif-Regular": ("mathsf", "textsf"),
    "SansSerif-Bold": ("mathboldsf", "textboldsf"),
    "SansSerif-Italic": ("mathitsf", "mathsfit", "textitsf"),
    "Script-Regular": ("mathscr", "textscr"),
    "Typewriter-Regular": ("mathtt", "texttt"),
    "Size1-Regular": ("delimsizing size1", "delim-size1", "small-op"),
    "Size2-Regular": ("delimsizing size2", "large-op"),
    "Size3-Regular": ("delimsizing size3",),
    "Size4-Regular": ("delimsizing size4", "delim-size4"),
}


def needed(body: str) -> list[str]:
    """The fonts that the formulas of a page ask for, and maybe one that none does."""
    return [name for name, asked in ASKED_BY.items() if any(a in body for a in asked)]


@cache
def rules() -> tuple[str, dict[str, str]]:
    """The style sheet without fonts, and the rule that brings each of them."""
    sheet = (FILES / "katex.min.css").read_text(encoding="utf-8")
    return FACE.sub("", sheet), {found[1]: found[0] for found in FACE.finditer(sheet)}


@cache
def face(name: str) -> str:
    """The rule of a font, with the font itself."""
    data = (FILES / "fonts" / f"KaTeX_{name}.woff2").read_bytes()
    address = f"data:font/woff2;base64,{base64.b64encode(data).decode('ascii')}"
    return rules()[1][name].replace(f"fonts/KaTeX_{name}.woff2", address)


def style(body: str) -> str:
    """What the formulas of a page need; nothing if it has none."""
    if SET not in body:
        return ""
    return "".join(map(face, needed(body))) + rules()[0]
