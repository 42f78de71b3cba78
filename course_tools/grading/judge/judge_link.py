"""The judge's side of the bridge: asks the student's process, believes nothing.

Answers are rebuilt by the codec from checked parts. When the student's process ends,
hangs or sends what is no answer, `StudentLost` is raised; it is not an Exception,
so a test that catches everything does not take it for a student's error.
"""

import builtins
import importlib.util
import sys
import warnings
import weakref

import torch

from course_tools.grading.bridge import seeding
from course_tools.grading.bridge.encode import CannotCross
from course_tools.grading.bridge.link import Link
from course_tools.grading.bridge.tensors import MirrorTable, attach
from course_tools.grading.bridge.wire import ENDED, PeerGone, PeerSilent, WireError
from course_tools.grading.judge import remote_classes
from course_tools.grading.judge.copy_back import overwrite
from course_tools.grading.judge.encode_test_objects import encode_thing
from course_tools.grading.judge.proxies import (
    CallableStandIn,
    CoroutineStandIn,
    IteratorStandIn,
    StandIn,
)
from course_tools.grading.limits import ANSWER_TEXT_CHARACTERS
from course_tools.grading.plan.solution_facts import ALIASES

STAND_INS = {"iterator": IteratorStandIn, "coroutine": CoroutineStandIn}
STAND_INS |= dict.fromkeys(("function", "callable", "class"), CallableStandIn)
ORIGINAL = {name: getattr(builtins, name) for name in ("input", "print")}


class StudentLost(BaseException):
    """The student's process cannot answer any more; `reason` says why."""

    def __init__(self, reason):
        super().__init__(reason)
        self.reason = reason


class JudgeLink(Link):
    """Asks for names, calls and gradients; serves nothing but callbacks."""

    def __init__(self, wire, limits, knowledge, names):
        super().__init__(wire, limits)
        self.knowledge = knowledge
        self.names = names
        self.calls = 0
        self.lost = None
        self.stand_ins = weakref.WeakValueDictionary()
        self.released = []
        self.callbacks = []
        self.errors = remote_classes.ErrorClasses(names)
        self.mirrors = MirrorTable()
        self.seen = None  # the random states that the student's process was sent
        self.seed = None
        self.inputs = []
        self.graph_ends = []
        self.attached = None
        self.on_print = lambda text: None
        self.arguments = ()

    # -- asking -------------------------------------------------------------------
    def request(self, fields, encoder):
        """Send a request of the judge and return its checked answer."""
        if self.lost is not None:
            raise StudentLost(self.lost)
        self.calls += 1
        if self.calls > self.limits.calls:
            self.lose(f"more than {self.limits.calls} calls within one question")
        if self.seed is not None:
            fields["begin"], self.seed = self.seed, None
        released, self.released[:] = list(self.released), []
        # a handle that came back in the meantime stays
        released = [handle for handle in released if handle not in self.stand_ins]
        if self.mirrors.tensors:
            fields["mirrors"] = self.mirrors.changes(encoder)
        try:
            header, buffers = self.ask(dict(fields, release=released), encoder.buffers)
            self._take_side_effects(header, buffers)
        except PeerSilent:
            self.lose("no answer within the time limit")
        except PeerGone:
            self.lose(ENDED)
        except WireError as error:
            self.lose(f"unreadable answer: {error}")
        return header, buffers

    def lose(self, reason):
        """The student's process is not to be spoken to again."""
        self.lost = reason
        raise StudentLost(reason)

    def _take_side_effects(self, header, buffers):
        printed = header.get("printed", "")
        if type(printed) is not str:
            raise WireError("printed text is not text")
        if printed:
            self.on_print(printed)
        if header.get("mirrors"):
            self.mirrors.apply(header["mirrors"], self.decoder(buffers))
        for item in header.get("warnings", ()):
            category, text = remote_classes.error_base([f"builtins.{item[0]}"]), item[1]
            if not issubclass(category, Warning) or type(text) is not str:
                category, text = UserWarning, str(text)[:ANSWER_TEXT_CHARACTERS]
            warnings.warn(text, category, stacklevel=4)
        if "error" in header:
            raise self.errors.build(header["error"])

    # -- names ----------------------------------------------------------------------
    def lookup(self, name):
        """Return the student's value of a global name; KeyError if there is none."""
        header, buffers = self.request({"op": "lookup", "name": name}, self.encoder())
        if header.get("missing"):
            raise KeyError(name)
        value = self._decode(header, buffers)
        return self._own_module(name, value)

    def _own_module(self, name, value):
        """A module the student imported is replaced by the judge's own copy of it."""
        if not issubclass(type(value), StandIn) or value._facts.kind != "module":
            return value
        wanted = ALIASES.get(name, name)
        if value._facts.name != wanted or not _importable(wanted):
            return value
        return importlib.import_module(wanted)

    def store(self, name, value):
        encoder = self.encoder()
        fields = {"op": "store", "name": name, "value": encoder.encode(value)}
        self.request(fields, encoder)

    def delete(self, name):
        header, _ = self.request({"op": "delete", "name": name}, self.encoder())
        return header.get("existed") is True

    def begin(self, seed):
        """Start a question: fresh counts, the student's seeds."""
        self.calls = 0
        self.wire.traffic = 0
        self.seed = seed  # the student's process is told with the first request
        self.seen = seeding.fingerprint()

    # -- calls ----------------------------------------------------------------------
    def operate(self, operation, args):
        """Carry out an operator on student things, in their process."""
        return self._call({"operation": operation}, args, {})

    def call(self, stand_in, args, kwargs):
        return self._call({"target": stand_in._handle}, args, kwargs)

    def _call(self, fields, args, kwargs):
        encoder = self.encoder()
        self.inputs = []
        fields = dict(
            fields,
            op="call",
            args=encoder.encode(list(args)),
            kwargs=encoder.encode(kwargs),
            gradients=torch.is_grad_enabled(),
        )
        inputs, mutables = self.inputs, list(encoder.mutables)
        replaced = self._replaced()
        if replaced:
            fields["builtins"] = [[n, encoder.encode(v)] for n, v in replaced.items()]
        seen = seeding.fingerprint()
        if seen != self.seen:
            self.seen = seen
            fields["random"] = encoder.encode(seeding.get_states())
        try:
            header, buffers = self.request(fields, encoder)
        except (StopIteration, StopAsyncIteration) as error:
            # inside map or zip it would pass for the end of the test's own data
            raise RuntimeError(f"student code raised {error!r}") from error
        try:
            self.arguments = mutables
            value = self._decode(header, buffers, inputs)
            self._apply_changes(header, buffers, mutables)
        except WireError as error:
            self.lose(f"unreadable answer: {error}")
        return value

    def _replaced(self):
        """Return {name: function} of the builtins that a test has put others for."""
        found = {}
        for name, original in ORIGINAL.items():
            own = dict.get(self.names, name, original)
            value = getattr(builtins, name) if own is original else own
            if value is not original:
                found[name] = value
        return found

    def _decode(self, header, buffers, inputs=()):
        """Rebuild the value of an answer; ends of graphs get their gradients."""
        self.graph_ends, self.attached = [], None
        try:
            value = self.decoder(buffers, self._take_tensor).decode(header.get("value"))
            if self.graph_ends:
                tape, ends = header.get("tape"), self.graph_ends
                self.attached = iter(attach(self, tape, ends, inputs))
                decoder = self.decoder(buffers, self._take_tensor)
                value = decoder.decode(header["value"])
        except WireError as error:
            self.lose(f"unreadable answer: {error}")
        return value

    def _take_tensor(self, tensor, flag, number):
        """Flag 1: end of a graph in the student's process; 2: a parameter there."""
        if flag == 1:
            if self.attached is not None:
                return next(self.attached)
            self.graph_ends.append(tensor)
        if flag == 2:
            twin = self.mirrors.tensors.get(number)
            if twin is not None:
                if twin.shape != tensor.shape or twin.dtype != tensor.dtype:
                    raise WireError("a parameter changed its dtype or shape")
                return twin
            tensor = torch.nn.Parameter(tensor, tensor.is_floating_point())
            self.mirrors.add(number, tensor)
        return tensor

    def _apply_changes(self, header, buffers, mutables):
        """Copy in-place changes of arguments back into the judge's objects."""
        changes = header.get("changes", [])
        if type(changes) is not list or len(changes) > len(mutables):
            raise WireError("the list of changed arguments is not one")
        decoder = self.decoder(buffers)
        for position, skeleton in changes:
            if type(position) is not int or not 0 <= position < len(mutables):
                raise WireError("a changed argument was never sent")
            overwrite(mutables[position], decoder.decode(skeleton))

    def backward(self, tape, gradients):
        """Return {input number: gradient} for gradients at the ends of a call."""
        encoder = self.encoder()
        fields = {"op": "backward", "tape": tape}
        fields["gradients"] = encoder.encode(list(gradients))
        header, buffers = self.request(fields, encoder)
        return dict(self._decode(header, buffers))

    # -- values ---------------------------------------------------------------------
    def encoder(self):
        encoder = super().encoder()
        encoder.tensor_flag = self._tensor_flag
        return encoder

    def _tensor_flag(self, tensor):
        for handle, twin in self.mirrors.tensors.items():
            if twin is tensor:
                return 3, handle
        if tensor.requires_grad and torch.is_grad_enabled():
            self.inputs.append(tensor)
            return 1, len(self.inputs) - 1
        return 0, 0

    def extend_encode(self, value, encoder):
        if issubclass(type(value), StandIn):
            if value._link is not self:
                raise CannotCross(
                    "this object belongs to a student process that has ended"
                )
            return ["h", value._handle]
        return encode_thing(self, value, encoder)

    def callback_number(self, function):
        self.callbacks.append(function)
        return len(self.callbacks) - 1

    def extend_decode(self, tag, rest, decoder):
        if tag == "h":
            return self._stand_in(*rest)
        if tag == "ty":
            return remote_classes.shared_class(*rest)
        if tag == "same":
            if type(rest[0]) is not int or not 0 <= rest[0] < len(self.arguments):
                raise WireError("an argument was named that was never sent")
            return self.arguments[rest[0]]
        if tag == "cb":
            return self.callbacks[rest[0]]
        return super().extend_decode(tag, rest, decoder)

    def _stand_in(self, handle, told):
        if type(handle) is not int:
            raise WireError("a handle is not a number")
        known = self.stand_ins.get(handle)
        if known is not None:
            return known
        facts = remote_classes.Facts(told, self.names)
        if facts.kind == "exception":
            return self.errors.get(handle, facts.type, told["mro"])
        made = STAND_INS.get(facts.kind, StandIn)(self, handle, facts)
        self.stand_ins[handle] = made
        weakref.finalize(made, self.released.append, handle).atexit = False
        return made

    # -- errors and callbacks ---------------------------------------------------------
    def serve(self, header, buffers):
        """Run a function of the test that student code calls back."""
        if header.get("op") != "callback":
            raise WireError("the judge was asked for something it does not do")
        self.calls += 1
        if self.calls > self.limits.calls:
            raise WireError("too many callbacks")
        number = header.get("number")
        if type(number) is not int or not 0 <= number < len(self.callbacks):
            raise WireError("an unknown function was called back")
        decoder = self.decoder(buffers)
        args, kwargs = decoder.decode(header["args"]), decoder.decode(header["kwargs"])
        value = self.callbacks[number](*args, **kwargs)
        encoder = self.encoder()
        return {"value": encoder.encode(value)}, encoder.buffers

    def describe_error(self, error):
        if isinstance(error, StudentLost):
            raise error
        return {
            "error": {
                "type": type(error).__name__,
                "text": str(error)[:ANSWER_TEXT_CHARACTERS],
            }
        }


def _importable(name):
    return name in sys.modules or importlib.util.find_spec(name) is not None
