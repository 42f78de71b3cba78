"""An IPython shell without a kernel that keeps what its cells show, up to a limit."""

import base64
import contextlib
import os
import subprocess
import sys
import tempfile
from ast import Module
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from IPython.core.compilerop import CachingCompiler
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.text import LSString, SList
from traitlets.config import Config


class Recorder:
    """The outputs of one cell in notebook format, cut off at `limit` characters."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.reset()

    def reset(self) -> None:
        self.outputs: list[dict[str, Any]] = []
        self.size = 0
        self.cut = False

    def add(self, output: dict[str, Any], size: int) -> None:
        """Keep `output` if there is room, and say so once if there is none."""
        if self.cut:
            return
        if self.size + size > self.limit:
            self.cut = True
            note = f"\n[output cut off after {self.limit} characters]\n"
            self.outputs.append(stream("stdout", note))
            return
        self.size += size
        self.outputs.append(output)

    def write(self, name: str, text: str) -> None:
        """Append text to the stream `name`, joining it with the previous piece."""
        if not text:
            return
        room = self.limit - self.size
        last = self.outputs[-1] if self.outputs else {}
        if not self.cut and len(text) <= room and last.get("name") == name:
            last["text"] += text
            self.size += len(text)
            return
        if not self.cut and len(text) > room > 0:
            self.write(name, text[:room])
        self.add(stream(name, text), len(text))


def stream(name: str, text: str) -> dict[str, Any]:
    return {"output_type": "stream", "name": name, "text": text}


def as_text(data: Mapping[Any, Any]) -> dict[str, Any]:
    """Return a bundle of representations with pictures as base64 text."""
    return {
        str(kind): base64.b64encode(value).decode() if type(value) is bytes else value
        for kind, value in data.items()
    }


class Stream:
    """A text file that writes into a recorder."""

    encoding = "utf-8"
    errors = "replace"
    closed = False

    def __init__(self, recorder: Recorder, name: str) -> None:
        self.recorder = recorder
        self.name = name

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() takes a str, not {type(text).__name__}")
        if text:
            self.recorder.write(self.name, text)
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Nothing is held back."""

    def isatty(self) -> bool:
        return False

    def writable(self) -> bool:
        return True

    def readable(self) -> bool:
        return False

    def fileno(self) -> int:
        return 1 if self.name == "stdout" else 2


class RecordingPublisher(DisplayPublisher):
    """`display(...)` ends in the recorder."""

    shell: "RecordingShell"

    def publish(
        self,
        data: dict[str, Any],
        metadata: dict[str, Any] | None = None,
        source: Any = None,
        *,
        transient: Any = None,
        update: bool = False,
        **_: Any,
    ) -> None:
        self.shell.recorder.add(
            {
                "output_type": "display_data",
                "data": as_text(data),
                "metadata": metadata or {},
            },
            sum(len(str(value)) for value in data.values()),
        )

    def clear_output(self, wait: bool = False) -> None:
        self.shell.recorder.reset()


class RecordingHook(DisplayHook):
    """The value of a cell's last expression ends in the recorder."""

    shell: "RecordingShell"

    def write_output_prompt(self) -> None:
        """The prompt is part of the notebook, not of the output."""

    def write_format_data(
        self, format_dict: dict[str, Any], md_dict: dict[str, Any] | None = None
    ) -> None:
        self.shell.recorder.add(
            {
                "output_type": "execute_result",
                "execution_count": self.shell.execution_count,
                "data": as_text(format_dict),
                "metadata": md_dict or {},
            },
            sum(len(str(value)) for value in format_dict.values()),
        )

    def finish_displayhook(self) -> None:
        """No line end is due."""


class Compiler(CachingCompiler):
    """IPython's, which need not parse again what has just been parsed."""

    ahead: tuple[str | None, Module | None] = (None, None)

    def parse_ahead(self, source: str) -> None:
        self.ahead = source, self.ast_parse(source)

    def ast_parse(
        self, source: str, filename: str = "<unknown>", symbol: str = "exec"
    ) -> Any:
        (text, tree), self.ahead = self.ahead, (None, None)
        if text == source and symbol == "exec":
            return tree
        return super().ast_parse(source, filename, symbol)


class RecordingShell(InteractiveShell):
    """Runs cells as a notebook does; keeps outputs instead of printing them."""

    compiler_class = Compiler
    compile: Compiler

    def __init__(self, limit: int) -> None:
        self.recorder = Recorder(limit)
        config = Config()
        config.HistoryManager.enabled = False
        config.InteractiveShell.colors = "nocolor"
        super().__init__(
            config=config,
            display_pub_class=RecordingPublisher,
            displayhook_class=RecordingHook,
        )
        self.display_trap.hook = self.displayhook

    def init_sys_modules(self) -> None:
        self._main_mod_cache = {}
        sys.modules["__main__"] = self.user_module

    system = InteractiveShell.system_raw  # IPython would want a terminal: /dev/ptmx

    def getoutput(
        self, cmd: str, split: bool = True, depth: int = 0
    ) -> SList | LSString:
        """x = !command"""
        process = subprocess.run(
            self.var_expand(cmd, depth=depth + 1),
            shell=True,  # noqa: S602 - in the sandbox
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        text = process.stdout.decode("utf-8", "replace")
        return SList(text.splitlines()) if split else LSString(text)

    @contextlib.contextmanager
    def _tee(self, channel: str) -> Iterator[None]:
        """IPython would keep all that is printed; the recorder keeps what it may."""
        yield

    def transform_cell(self, raw_cell: str) -> Any:
        """What is plain Python already holds no magics, and need not be searched."""
        text = raw_cell if raw_cell.endswith("\n") else raw_cell + "\n"
        try:
            self.compile.parse_ahead(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return super().transform_cell(raw_cell)
        return text

    def should_run_async(self, raw_cell: str, **known: Any) -> bool:
        """Only a cell with one of two words can need it; IPython compiles them all."""
        text = known.get("transformed_cell") or raw_cell
        has_word = "await" in text or "async" in text
        return has_word and super().should_run_async(raw_cell, **known)

    def _showtraceback(self, etype: type, evalue: Any, stb: Iterable[Any]) -> None:
        lines = [str(line) for line in stb]
        self.recorder.add(
            {
                "output_type": "error",
                "ename": str(etype.__name__),
                "evalue": str(evalue),
                "traceback": lines,
            },
            sum(map(len, lines)),
        )

    def enable_gui(self, gui: str | None = None) -> None:
        """There is no window to open."""

    def ask_exit(self) -> None:
        """`exit()` in a cell ends nothing, as in a notebook that is run as a whole."""


def make_shell(limit: int) -> RecordingShell:
    """Create the shell of this process; figures are shown inline."""
    RecordingShell.clear_instance()
    shell = RecordingShell(limit)
    for cls in RecordingShell._walk_mro():
        cls._instance = shell  # pyright: ignore[reportAttributeAccessIssue]
    return shell


def use_recorder_streams(shell: RecordingShell) -> None:
    """Send everything written to standard output and error into the recorder."""
    sys.stdout = Stream(shell.recorder, "stdout")
    sys.stderr = Stream(shell.recorder, "stderr")


class RawOutput:
    """What programs write to descriptors 1 and 2 lands in one file in memory."""

    def __init__(self) -> None:
        # a file in a folder in memory: students' processes may have no other kind
        self.stream = tempfile.TemporaryFile()  # noqa: SIM115 - open to the end
        self.file = self.stream.fileno()
        os.dup2(self.file, 1)
        os.dup2(self.file, 2)

    def take(self, limit: int) -> str:
        """Return the text written since the last call, at most `limit` bytes."""
        size = os.fstat(self.file).st_size
        if not size:
            return ""
        os.lseek(self.file, 0, os.SEEK_SET)
        data = os.read(self.file, min(size, limit))
        os.ftruncate(self.file, 0)
        os.lseek(self.file, 0, os.SEEK_SET)
        return data.decode("utf-8", "replace")
