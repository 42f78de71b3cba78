"""The student's side of the bridge: runs cells and answers the judge's requests.

Everything here runs inside the sandbox, next to code that may be hostile, and may be
changed by it. Nothing in this module is therefore relied upon: what protects the
grades is how the judge reads the answers.
"""

import builtins
import importlib
import time
import traceback
import warnings

import torch

from course_tools.grading.bridge import seeding
from course_tools.grading.bridge.encode import CannotCross
from course_tools.grading.bridge.link import Link
from course_tools.grading.bridge.shell import RawOutput, use_recorder_streams
from course_tools.grading.bridge.tensors import MirrorTable
from course_tools.grading.bridge.wire import PeerGone, Wire
from course_tools.grading.limits import STUDENT_TEXT_CHARACTERS, WARNINGS
from course_tools.grading.student import values


class StudentLink(Link):
    """Serves the judge: cells, names, calls, attributes, operators, gradients."""

    forgiving = True  # what the judge sends may be beyond this side

    def __init__(self, wire, limits, shell):
        super().__init__(wire, limits)
        self.shell = shell
        self.raw_output = RawOutput()
        self.handles = {}
        self.handle_of = {}
        self.mirrors = MirrorTable()
        self.tapes = {}
        self.counter = 0
        self.leaves = {}

    # -- requests ---------------------------------------------------------------
    def serve(self, header, buffers):
        decoder = self.decoder(buffers, self._keep_leaf)
        self._before_request(header, decoder)
        fields, encoder = getattr(self, "do_" + header["op"])(header, decoder)
        encoder = encoder or self.encoder()
        if self.mirrors.tensors:
            fields["mirrors"] = self.mirrors.changes(encoder)
        fields["printed"] = self._printed()
        return fields, encoder.buffers

    def _before_request(self, header, decoder):
        if header.get("begin") is not None:  # a new question
            self.tapes.clear()
            seeding.set_seeds(header["begin"])
        for handle in header.get("release", ()):
            self.handle_of.pop(id(self.handles.pop(handle, None)), None)
            self.mirrors.discard(handle)
        if header.get("mirrors"):
            self.mirrors.apply(header["mirrors"], decoder)
        if header.get("random") is not None:
            seeding.set_states(decoder.decode(header["random"]))

    def do_cell(self, header, decoder):
        """Run one cell of the notebook and return what it showed."""
        recorder = self.shell.recorder
        recorder.reset()
        seeding.seed_locked(header)
        start, cpu = time.perf_counter(), time.process_time()
        result = self.shell.run_cell(header["source"], store_history=True)
        recorder.write("stdout", self.raw_output.take(self.limits.output))
        outputs, success = list(recorder.outputs), bool(result.success)
        recorder.reset()
        seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
        fields = {"outputs": outputs, "success": success, "seconds": seconds}
        return dict(fields, cpu=cpu), None

    def do_lookup(self, header, decoder):
        names = self.shell.user_ns
        if header["name"] not in names:
            return {"missing": True}, None
        encoder = self.encoder()
        return {"value": encoder.encode(names[header["name"]])}, encoder

    def do_store(self, header, decoder):
        self.shell.user_ns[header["name"]] = decoder.decode(header["value"])
        return {}, None

    def do_delete(self, header, decoder):
        existed = self.shell.user_ns.pop(header["name"], self) is not self
        return {"existed": existed}, None

    def do_call(self, header, decoder):
        """Call a function or carry out an operator, watching what it changes."""
        self.leaves = {}
        first = len(decoder.mutables)
        args = decoder.decode(header["args"])
        kwargs = decoder.decode(header["kwargs"])
        # the two outermost containers are the argument lists themselves
        leaves, mutables = dict(self.leaves), decoder.mutables[first:]
        before = values.snapshot(mutables)
        function = self._function(header)
        with (
            torch.set_grad_enabled(bool(header["gradients"])),
            warnings.catch_warnings(record=True) as caught,
        ):
            warnings.simplefilter("always")
            replaced = [(n, decoder.decode(v)) for n, v in header.get("builtins", ())]
            before_call = {name: getattr(builtins, name) for name, _ in replaced}
            for name, value in replaced:
                setattr(builtins, name, value)
            try:
                value = function(*args, **kwargs)
            finally:
                for name, value_before in before_call.items():
                    setattr(builtins, name, value_before)
        self.leaves = leaves
        encoder = self.encoder()
        encoder.same = {id(item): n for n, item in enumerate(mutables)}
        fields = {"value": encoder.encode(value), "tape": None}
        outputs = [t for t, flag in encoder.flagged if flag == 1]
        if outputs:
            self.counter += 1
            fields["tape"] = self.counter
            self.tapes[self.counter] = (outputs, leaves)
        fields["changes"] = [
            [position, _contents_of(mutable, encoder)]
            for position, mutable in enumerate(mutables)
            if values.changed(mutable, before[position])
        ]
        fields["warnings"] = [
            [item.category.__name__, str(item.message)[:STUDENT_TEXT_CHARACTERS]]
            for item in caught[:WARNINGS]
        ]
        return fields, encoder

    def _function(self, header):
        if header.get("operation") is not None:
            return values.OPERATIONS[header["operation"]]
        return self.handles[header["target"]]

    def do_backward(self, header, decoder):
        """Send gradients backwards through a call that was made before."""
        outputs, leaves = self.tapes[header["tape"]]
        gradients = decoder.decode(header["gradients"])
        chosen = [
            (output, gradient)
            for output, gradient in zip(outputs, gradients, strict=True)
            if gradient is not None
        ]
        for leaf in leaves.values():
            leaf.grad = None
        torch.autograd.backward(
            [output for output, _ in chosen],
            [gradient for _, gradient in chosen],
            retain_graph=True,
        )
        encoder = self.encoder()
        found = [[position, leaf.grad] for position, leaf in leaves.items()]
        return {"value": encoder.encode(found)}, encoder

    # -- values -----------------------------------------------------------------
    def encoder(self):
        encoder = super().encoder()
        encoder.tensor_flag = self._tensor_flag
        return encoder

    def _keep_leaf(self, tensor, flag, position):
        if flag == 3:
            return self.handles[position]
        if flag == 1:
            self.leaves[position] = tensor.requires_grad_(True)
        return tensor

    def _tensor_flag(self, tensor):
        """0: plain, 1: end of a graph, 2: a parameter with its handle."""
        if not tensor.requires_grad:
            return 0, 0
        if tensor.is_leaf and all(tensor is not leaf for leaf in self.leaves.values()):
            handle = self.handle(tensor)
            if handle not in self.mirrors.tensors:
                self.mirrors.add(handle, tensor)
            return 2, handle
        return 1, 0

    def handle(self, value):
        """Return the number under which the judge may speak of `value`."""
        known = self.handle_of.get(id(value))
        if known is not None:
            return known
        if len(self.handles) >= self.limits.handles:
            raise CannotCross(f"more than {self.limits.handles} objects are in use")
        self.counter += 1
        self.handles[self.counter] = value
        self.handle_of[id(value)] = self.counter
        return self.counter

    def extend_encode(self, value, encoder):
        if isinstance(value, Callback):
            return ["cb", value.number]
        name = values.plain_class(value)
        if name is not None:
            return ["ty", name]
        if values.is_record(value):
            return None
        return ["h", self.handle(value), values.describe(value)]

    def extend_decode(self, tag, rest, decoder):
        if tag == "h":
            return self.handles[rest[0]]
        if tag == "cb":
            return Callback(self, *rest)
        if tag == "ty":
            return find_object(rest[0], self.shell.user_ns)
        if tag == "mod":
            return importlib.import_module(rest[0])
        if tag == "obj":
            return values.rebuild(
                find_object(rest[0], self.shell.user_ns), decoder.decode(rest[1])
            )
        if tag == "rng":
            return values.rebuild_generator(rest[0], decoder.decode(rest[1]))
        return super().extend_decode(tag, rest, decoder)

    # -- words ------------------------------------------------------------------
    def _printed(self):
        outputs = self.shell.recorder.outputs
        text = "".join(item.get("text", "") for item in outputs)
        self.shell.recorder.reset()
        return (text + self.raw_output.take(STUDENT_TEXT_CHARACTERS))[
            :STUDENT_TEXT_CHARACTERS
        ]

    def describe_error(self, error):
        kind = type(error)
        try:
            text = str(error)[:STUDENT_TEXT_CHARACTERS]
        except Exception:
            text = "(its message cannot be shown)"
        lines = traceback.format_exception(error, limit=-8)
        fields = {
            "type": kind.__name__,
            "mro": [values.class_name(base) for base in kind.__mro__],
            "handle": self.handle(kind),
            "text": text,
            "traceback": "".join(lines)[:STUDENT_TEXT_CHARACTERS],
        }
        plain = (int, float, str, bool)
        state = getattr(error, "__dict__", {})
        fields["state"] = {k: v for k, v in state.items() if type(v) in plain}
        return {"error": fields, "printed": self._printed()}


def _contents_of(mutable, encoder):
    """The new contents of an argument; other arguments in it stay themselves."""
    number = encoder.same.pop(id(mutable))
    try:
        return encoder.encode(mutable)
    finally:
        encoder.same[id(mutable)] = number


class Callback:
    """A function of the judge, called from student code."""

    def __init__(self, link, number, name="callback"):
        self.link = link
        self.number = number
        self.__name__ = name

    def __call__(self, *args, **kwargs):
        encoder = self.link.encoder()
        fields = {
            "op": "callback",
            "number": self.number,
            "args": encoder.encode(list(args)),
            "kwargs": encoder.encode(kwargs),
        }
        header, buffers = self.link.ask(fields, encoder.buffers)
        if "error" in header:
            raise values.local_error(header["error"])
        return self.link.decoder(buffers).decode(header["value"])


def find_object(name, names):
    """Return the class or function that both sides know as `module.qualname`."""
    module, _, path = name.partition(":")
    if module == "__main__":
        value = names[path.partition(".")[0]]
    else:
        value = getattr(importlib.import_module(module), path.partition(".")[0])
    for part in path.split(".")[1:]:
        value = getattr(value, part)
    return value


def main(connection, limits, shell):
    """Serve until the judge hangs up."""
    use_recorder_streams(shell)
    link = StudentLink(Wire(connection, limits.message, ahead=True), limits, shell)
    try:
        while True:
            link.answer(*link.wire.receive())
    except PeerGone:
        return
