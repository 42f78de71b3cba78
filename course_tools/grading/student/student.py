"""The student's side of the bridge: runs cells and answers the judge's requests.

Everything here runs inside the sandbox, next to code that may be hostile, and may be
changed by it. Nothing in this module is therefore relied upon: what protects the
grades is how the judge reads the answers.
"""

import builtins
import contextlib
import socket
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from course_tools.grading.bridge import seeding
from course_tools.grading.bridge.decode import Decoder
from course_tools.grading.bridge.encode import Encoder
from course_tools.grading.bridge.shell import (
    RawOutput,
    RecordingShell,
    use_recorder_streams,
)
from course_tools.grading.bridge.wire import Buffer, Header, PeerGone, Wire
from course_tools.grading.limits import STUDENT_TEXT_CHARACTERS, WARNINGS, Limits
from course_tools.grading.student import values
from course_tools.grading.student.guard import guard
from course_tools.grading.student.student_codec import StudentCodec

# the fields of an answer, and the encoder whose buffers go with them
Answer = tuple[Header, Encoder | None]


class StudentLink(StudentCodec):
    """Serves the judge: cells, names, calls, attributes, operators, gradients."""

    forgiving = True  # what the judge sends may be beyond this side

    def __init__(self, wire: Wire, limits: Limits, shell: RecordingShell) -> None:
        super().__init__(wire, limits, shell)
        self.raw_output = RawOutput()
        # by number: ends of a graph, and its inputs
        self.tapes: dict[int, tuple[list[Tensor], dict[int, Tensor]]] = {}

    def serve(
        self, header: Header, buffers: Sequence[Buffer]
    ) -> tuple[Header, Sequence[Buffer]]:
        decoder = self.decoder(buffers, self.keep_leaf)
        self._before_request(header, decoder)
        fields, encoder = getattr(self, "do_" + header["op"])(header, decoder)
        encoder = encoder or self.encoder()
        if self.mirrors.tensors:
            fields["mirrors"] = self.mirrors.changes(encoder)
        fields["printed"] = self._printed()
        if used := guard.take_used():
            fields["barred"] = used
        return fields, encoder.buffers

    def _before_request(self, header: Header, decoder: Decoder) -> None:
        if header.get("begin") is not None:  # a new question
            self.tapes.clear()
            seeding.set_seeds(header["begin"])
            if "modules" in header:
                guard.allow(header["modules"])
        for handle in header.get("release", ()):
            self.release(handle)
        if header.get("mirrors"):
            self.mirrors.apply(header["mirrors"], decoder)
        if header.get("random") is not None:
            seeding.set_states(decoder.decode(header["random"]))

    # -- cells and names --------------------------------------------------------------
    def do_cell(self, header: Header, decoder: Decoder | None) -> Answer:
        """Run one cell of the notebook and return what it showed."""
        recorder = self.shell.recorder
        recorder.reset()
        if header.get("judge"):  # a locked cell that the judge runs, too
            seeding.seed_locked(header["source"])
        start, cpu = time.perf_counter(), time.process_time()
        result = self._run_guarded(header)
        recorder.write("stdout", self.raw_output.take(self.limits.output))
        outputs, success = list(recorder.outputs), bool(result.success)
        recorder.reset()
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
        fields = {"outputs": outputs, "success": success, "seconds": seconds}
        return dict(fields, cpu=cpu), None

    def _run_guarded(self, header: Header) -> Any:
        """Run the cell; where a rule says which modules answers may use, keep it."""
        ruled, locked = header.get("modules") is not None, header.get("locked")
        if ruled:
            guard.begin(self.shell.user_ns, header["free"])
            guard.allow(None if locked else header["modules"])
        result = self.shell.run_cell(header["source"], store_history=True)
        if ruled and locked:
            guard.allow(header["modules"])
            guard.cover(header["source"])
        return result

    def do_lookup(self, header: Header, decoder: Decoder) -> Answer:
        names = self.shell.user_ns
        if header["name"] not in names:
            return {"missing": True}, None
        encoder = self.encoder()
        return {"value": encoder.encode(names[header["name"]])}, encoder

    def do_store(self, header: Header, decoder: Decoder) -> Answer:
        self.shell.user_ns[header["name"]] = decoder.decode(header["value"])
        return {}, None

    def do_delete(self, header: Header, decoder: Decoder) -> Answer:
        existed = self.shell.user_ns.pop(header["name"], self) is not self
        return {"existed": existed}, None

    # -- calls ------------------------------------------------------------------------
    def do_call(self, header: Header, decoder: Decoder) -> Answer:
        """Call a function or carry out an operator, watching what it changes."""
        self.leaves = {}
        first = len(decoder.mutables)
        args = decoder.decode(header["args"])
        kwargs = decoder.decode(header["kwargs"])
        # the two outermost containers are the argument lists themselves
        leaves, mutables = dict(self.leaves), decoder.mutables[first:]
        before = values.snapshot(mutables)
        function = self._function(header)
        replaced = [(n, decoder.decode(v)) for n, v in header.get("builtins", ())]
        with (
            torch.set_grad_enabled(bool(header["gradients"])),
            warnings.catch_warnings(record=True) as caught,
            _replaced_builtins(dict(replaced)),
        ):
            warnings.simplefilter("always")
            value = function(*args, **kwargs)
        self.leaves = leaves
        encoder = self.encoder()
        encoder.same = {id(item): n for n, item in enumerate(mutables)}
        fields = {
            "value": encoder.encode(value),
            "tape": self._tape(encoder, leaves),
            "changes": _changes(mutables, before, encoder),
            "warnings": [
                [item.category.__name__, str(item.message)[:STUDENT_TEXT_CHARACTERS]]
                for item in caught[:WARNINGS]
            ],
        }
        return fields, encoder

    def _function(self, header: Header) -> Callable[..., Any]:
        if header.get("operation") is not None:
            return values.OPERATIONS[header["operation"]]
        return self.handles[header["target"]]

    def _tape(self, encoder: Encoder, leaves: dict[int, Tensor]) -> int | None:
        """Keep the graph of a call, if it has one; return its number."""
        ends = [tensor for tensor, flag in encoder.flagged if flag == 1]
        if not ends:
            return None
        self.counter += 1
        self.tapes[self.counter] = (ends, leaves)
        return self.counter

    def do_backward(self, header: Header, decoder: Decoder) -> Answer:
        """Send gradients backwards through a call that was made before."""
        ends, leaves = self.tapes[header["tape"]]
        gradients = decoder.decode(header["gradients"])
        chosen = [
            (end, gradient)
            for end, gradient in zip(ends, gradients, strict=True)
            if gradient is not None
        ]
        for leaf in leaves.values():
            leaf.grad = None
        torch.autograd.backward(
            [end for end, _ in chosen],
            [gradient for _, gradient in chosen],
            retain_graph=True,
        )
        encoder = self.encoder()
        of_leaves = [[number, leaf.grad] for number, leaf in leaves.items()]
        return {"value": encoder.encode(of_leaves)}, encoder

    # -- what is said beside answers --------------------------------------------------
    def _printed(self) -> str:
        outputs = self.shell.recorder.outputs
        text = "".join(item.get("text", "") for item in outputs)
        self.shell.recorder.reset()
        text += self.raw_output.take(STUDENT_TEXT_CHARACTERS)
        return text[:STUDENT_TEXT_CHARACTERS]

    def describe_error(self, error: BaseException) -> Header:
        cls = type(error)
        try:
            text = str(error)[:STUDENT_TEXT_CHARACTERS]
        except Exception:
            text = "(its message cannot be shown)"
        lines = traceback.format_exception(error, limit=-8)
        plain = (int, float, str, bool)
        state = getattr(error, "__dict__", {})
        fields = {
            "type": cls.__name__,
            "bases": [values.class_name(base) for base in cls.__mro__],
            "handle": self.handle(cls),
            "text": text,
            "traceback": "".join(lines)[:STUDENT_TEXT_CHARACTERS],
            "state": {k: v for k, v in state.items() if type(v) in plain},
        }
        answer = {"error": fields, "printed": self._printed()}
        if used := guard.take_used():
            answer["barred"] = used
        return answer


def _changes(
    mutables: Sequence[Any], before: Sequence[Any], encoder: Encoder
) -> list[list[Any]]:
    """Return [number, new contents] of the arguments that a call has changed."""
    return [
        [number, _contents_of(mutable, encoder)]
        for number, mutable in enumerate(mutables)
        if values.changed(mutable, before[number])
    ]


def _contents_of(mutable: Any, encoder: Encoder) -> Any:
    """The new contents of an argument; other arguments in it stay themselves."""
    number = encoder.same.pop(id(mutable))
    try:
        return encoder.encode(mutable)
    finally:
        encoder.same[id(mutable)] = number


@contextlib.contextmanager
def _replaced_builtins(functions: dict[str, Any]) -> Iterator[None]:
    """What a test has put in the place of `input` or `print` is used here, too."""
    originals = {name: getattr(builtins, name) for name in functions}
    for name, function in functions.items():
        setattr(builtins, name, function)
    try:
        yield
    finally:
        for name, original in originals.items():
            setattr(builtins, name, original)


def main(connection: socket.socket, limits: Limits, shell: RecordingShell) -> None:
    """Serve until the judge hangs up."""
    use_recorder_streams(shell)
    link = StudentLink(Wire(connection, limits.message, ahead=True), limits, shell)
    try:
        while True:
            link.answer(*link.wire.receive())
    except PeerGone:
        return
