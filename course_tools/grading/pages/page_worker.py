"""Makes pages for the process that started it (see `page_client`).

A request is a line of JSON, the answer a line of JSON and the page.
"""

import gc
import json
import os
import resource
import signal
import sys
from collections.abc import Iterable
from types import ModuleType
from typing import Any, BinaryIO

from course_tools.grading.limits import PAGE_ERROR_CHARACTERS, PAGE_MEMORY
from course_tools.grading.sandbox import linux
from course_tools.lean_imports import spare_grammars


def serve(requests: Iterable[bytes], answers: BinaryIO) -> None:
    """Make pages until nobody asks any more."""
    page_maker = _import()
    renderer = page_maker.Renderer()
    _answer(answers, {"ready": True})
    for line in requests:
        try:
            page = page_maker.make_page(renderer, json.loads(line))
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"[:PAGE_ERROR_CHARACTERS]
            _answer(answers, {"error": reason})
        else:
            _answer(answers, {"size": len(page)}, page)


def _import() -> ModuleType:
    """Import what makes pages: most of a second, and nothing to collect in it."""
    spare_grammars()
    gc.disable()
    from course_tools.grading.pages import page_maker

    gc.freeze()
    gc.enable()
    return page_maker


def _answer(answers: BinaryIO, fields: dict[str, Any], data: bytes = b"") -> None:
    answers.write(json.dumps(fields).encode() + b"\n" + data)
    answers.flush()


def main() -> None:
    """End with the process that asked, however that ends; leave Ctrl-C to it."""
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_AS, (PAGE_MEMORY, PAGE_MEMORY))
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print is no answer
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
