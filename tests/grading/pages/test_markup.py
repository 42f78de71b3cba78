"""Markdown of students: no link but to the web, nothing that is fetched or run.

Rendered by nbconvert, as nbgrader's formgrader does, which cleans nothing.
"""

import re

import pytest
from nbconvert.filters.markdown_mistune import markdown2html_mistune

from course_tools.grading.pages.html import clean_rendered, disarm

WHERE = re.compile(r'(?:href|src)="([^"]*)"')
HOSTILE = {
    "link": "[a](javascript:alert(1))",
    "space": "[a]( javascript:alert(1))",
    "brackets": "[a](<javascript:alert(1)>)",
    "capitals": "[a](JaVaScRiPt:alert(1))",
    "tab": "[a](java\tscript:alert(1))",
    "by-number": "[a](&#106;avascript:alert(1))",
    "by-name": "[a](javascript&colon;alert(1))",
    "data": "[a](data:text/html,<script>alert(1)</script>)",
    "vbscript": "[a](vbscript:x)",
    "no-scheme": "[a](//elsewhere.invalid/x)",
    "file": "[a](file:///etc/passwd)",
    "reference": "[a][r]\n\n[r]: javascript:alert(1)",
    "short-reference": "[r]\n\n  [r]:javascript:alert(1) 'title'",
    "reference-in-a-list": "- [r]\n\n- [r]: javascript:alert(1)",
    "reference-in-a-quote": "> [r]\n>\n> [r]: javascript:alert(1)",
    "auto": "<javascript:alert(1)>",
    "two-lines": "[a\nb](javascript:alert(1))",
    "escaped": "[x\\](y](javascript:alert(1))",
    "nested": "[![x](attachment:a.png)](javascript:alert(1))",
    "quotes": '[a](https://x"onclick=alert(1))',
    "title": '[a](https://x "onclick=alert(1)")',
    "picture": "![a](http://elsewhere.invalid/x.png)",
    "picture-by-reference": "![a][r]\n\n[r]: http://elsewhere.invalid/x.png",
    "picture-around-a-link": "![[z](https://b)](http://elsewhere.invalid/x.png)",
    "tag": "<img src=x onerror=alert(1)>",
    "heading": '# h"><img src=x onerror=alert(1)>',
    "code": '```"><script>alert(1)</script>\nx\n```',
    "definition": "a\n: [b](javascript:alert(1))",
    "table": "|a|\n|-|\n|[b](javascript:alert(1))|",
    "diagram": "```mermaid\ngraph\n```",
    "diagram-in-a-quote": "> ~~~ mermaid\n> graph\n> ~~~",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_leads_elsewhere(name):
    disarmed = disarm(HOSTILE[name])
    assert disarm(disarmed) == disarmed
    rendered = markdown2html_mistune(disarmed.replace("attachment:", "https://b/"))
    for page in (rendered, clean_rendered(rendered)):
        assert not re.search(r"<(script|svg|iframe)|<[^>]*\son\w+=", page)
        assert all("elsewhere" not in tag for tag in re.findall("<img[^>]*>", page))
        assert "mermaid" not in page
        for address in WHERE.findall(page):
            assert address.startswith(("https://", "http://", "#")), page
            assert "javascript" not in address


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_rendered_is_cleaned_by_itself(name):
    """Also if `disarm` had missed something."""
    page = clean_rendered(
        markdown2html_mistune(HOSTILE[name].replace("attachment", "x"))
    )
    for address in WHERE.findall(page):
        assert address.startswith(("https://", "http://", "#")), page
    assert not re.search(r"<(script|img src=.http|svg|iframe)|\son\w+=", page)


@pytest.mark.parametrize(
    "text",
    [
        "[a](https://example.org/b?c=1&d=2)",
        "see https://example.org and [top](#top)",
        "*same* sign, $a_{[i]}$, `x[1:2]`, a < b, **bold**",
        "![x](attachment:plot-1.png)",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "- [ ] to do\n- [x] done",
        "$\\mathbf{x}^\\top \\hat y$",
    ],
)
def test_what_honest_students_write_stays(text):
    assert disarm(text) == text


def test_links_and_pictures_of_the_page_stay():
    page = (
        '<p><a href="https://a.b">x</a><img src="data:image/png;base64,AA==" alt="y">'
    )
    clean = clean_rendered(page)
    assert 'href="https://a.b"' in clean
    assert 'src="data:image/png;base64,AA=="' in clean


@pytest.mark.parametrize(
    "formula",
    [
        r"\href{javascript:alert(1)}{x}",
        r'\mmlToken{mi}[href="javascript:alert(1)"]{x}',
        r'\mmlToken {mi}[style="position:fixed"]{x}',
        r"\bbox[position:fixed;top:0]{x}",
        r"\data{commandlinker-command=application:close}{x}",
        r"\style{position:fixed}{x}",
    ],
)
def test_formulas_bring_no_attributes(formula):
    """MathJax gives what it makes of these the attributes that are written there."""
    (name,) = re.findall(r"\\[a-zA-Z]+", formula)
    for page in (disarm(f"${formula}$"), clean_rendered(f"<p>${formula}$</p>")):
        assert f"{name}{{" not in page
        assert f"{name}[" not in page
        assert f"{name} " not in page
        assert r"\mathrm" in page


def test_formulas_with_names_that_begin_alike_stay():
    assert disarm(r"$\database \classical$") == r"$\database \classical$"
