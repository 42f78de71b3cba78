"""The judge's side of the bridge: asks the student's process, believes nothing.

When the student's process ends, hangs or sends what is no answer, `StudentLost` is
raised; it is not an Exception, so a test that catches everything does not take it
for a student's error.
"""

import builtins
import contextlib
import importlib.util
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import torch
from torch import Tensor

from course_tools.grading.bridge import seeding
from course_tools.grading.bridge.answers import StudentAnswer
from course_tools.grading.bridge.encode import Encoder
from course_tools.grading.bridge.wire import (
    ENDED,
    Buffer,
    Header,
    PeerGone,
    PeerSilent,
    Wire,
    WireError,
)
from course_tools.grading.judge import reading
from course_tools.grading.judge.judge_codec import JudgeCodec
from course_tools.grading.judge.proxies import StandIn
from course_tools.grading.judge.proxy_base import Refused
from course_tools.grading.judge.repeat import Recorded
from course_tools.grading.judge.rule_keeper import RuleBroken, RuleKeeper
from course_tools.grading.limits import ANSWER_TEXT_CHARACTERS, Limits
from course_tools.grading.messages import SolutionFacts
from course_tools.grading.plan.solution_facts import ALIASES
from course_tools.grading.validate import BadMessage, decode

if TYPE_CHECKING:
    from course_tools.grading.judge.namespace import JudgeNamespace

# operations that look at a thing; done twice in a row they must say the same
READS = frozenset(
    ["getattr", "getitem", "len", "bool", "int", "float", "complex", "index", "str"]
)
REPLACEABLE = {name: getattr(builtins, name) for name in ("input", "print")}


class StudentLost(BaseException):
    """The student's process cannot answer any more; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class JudgeLink(JudgeCodec):
    """Asks for names, calls and gradients; serves nothing but callbacks."""

    def __init__(
        self,
        wire: Wire,
        limits: Limits,
        knowledge: SolutionFacts,
        names: "JudgeNamespace",
        keeper: RuleKeeper,
    ) -> None:
        super().__init__(wire, limits, names)
        self.keeper = keeper
        self.knowledge = knowledge
        self.solution_classes = knowledge.operators.keys()
        self.calls = 0
        self.lost: str | None = None
        self.seed: int | None = None  # for the student's process, not yet sent
        self.sent_states: Any = None  # fingerprint of the random states it has
        self.names_read: dict[str, Any] = {}  # since student code last ran
        self.last_read: Any = None  # (what was read, the answer to it)
        self.last_answer: Any = None
        self.on_print: Callable[[str], object] = lambda text: None

    # -- asking -------------------------------------------------------------------
    def request(self, fields: Header, encoder: Encoder) -> tuple[Header, list[Buffer]]:
        """Send a request of the judge and return its checked answer."""
        if self.lost is not None:
            raise StudentLost(self.lost)
        self.calls += 1
        if self.calls > self.limits.calls:
            self.lose(f"more than {self.limits.calls} calls within one question")
        if fields["op"] != "lookup":
            self.names_read.clear()  # whatever runs there may bind them anew
        try:
            fields.update(self._beside(encoder))
            header, buffers = self.ask(fields, encoder.buffers)
        except PeerSilent:
            self.lose("no answer within the time limit")
        except PeerGone:
            self.lose(ENDED)
        except WireError as error:
            self.lose(f"unreadable answer: {error}")
        self._take_side_effects(header, buffers)
        return header, buffers

    def _beside(self, encoder: Encoder) -> Header:
        """What every request tells: seeds, things no longer held, parameters."""
        fields: Header = {}
        if self.seed is not None:
            fields["begin"], self.seed = self.seed, None
            if self.keeper.rules.modules:
                fields["modules"] = self.keeper.modules
        released, self.released[:] = list(self.released), []
        # a handle that came back in the meantime stays
        fields["release"] = [n for n in released if n not in self.stand_ins]
        if self.mirrors.tensors:
            fields["mirrors"] = self.mirrors.changes(encoder)
        return fields

    def _take_side_effects(self, header: Header, buffers: Sequence[Buffer]) -> None:
        """What an answer says beside its value: changes, warnings, prints, errors."""
        with self._reading():
            answer = decode(StudentAnswer, header)
            self.mirrors.apply(answer.mirrors, self.decoder(buffers))
            error = self.errors.build(answer.error) if answer.error else None
            caught = [reading.warning(item) for item in answer.warnings]
        if answer.barred:
            self.keeper.heard_of(answer.barred)
        if answer.printed:
            self.on_print(answer.printed)
        for warning in caught:
            warnings.warn(warning, stacklevel=4)
        if error is not None:
            raise error

    def lose(self, reason: str) -> NoReturn:
        """The student's process is not to be spoken to again."""
        self.lost = reason
        raise StudentLost(reason)

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        """Whatever goes wrong while an answer is read: there is none."""
        try:
            yield
        except (WireError, BadMessage) as error:
            self.lose(f"unreadable answer: {error}")
        except Exception as error:
            self.lose(f"unreadable answer: {type(error).__name__}")

    # -- names ----------------------------------------------------------------------
    def lookup(self, name: str) -> Any:
        """Return the student's value of a global name; KeyError if there is none."""
        header, buffers = self.request({"op": "lookup", "name": name}, self.encoder())
        if header.get("missing"):
            raise KeyError(name)
        with self._reading():
            value = self._own_module(name, self.read_value(header, buffers))
        self._require_class(name, value)
        self.note_path(value, name)
        self.names_read[name] = value
        return value

    def _require_class(self, name: str, value: Any) -> None:
        """`except Negative:` would catch the test's own errors, were it one of them."""
        if name in self.knowledge.operators and not reading.is_of_students(value):
            raise TypeError(f"{name} is not a class of its own")

    def forget_reads(self) -> None:
        """A question is over."""
        self.names_read.clear()
        self.last_read = None

    def _own_module(self, name: str, value: Any) -> Any:
        """A module the student imported is replaced by the judge's own copy of it."""
        if not issubclass(type(value), StandIn) or value._facts.kind != "module":
            return value
        wanted = ALIASES.get(name, name)
        if value._facts.name != wanted or not _importable(wanted):
            return value
        return importlib.import_module(wanted)

    def store(self, name: str, value: Any) -> None:
        encoder = self.encoder()
        fields = {"op": "store", "name": name, "value": encoder.encode(value)}
        self.request(fields, encoder)

    def delete(self, name: str) -> bool:
        header, _ = self.request({"op": "delete", "name": name}, self.encoder())
        return header.get("existed") is True

    def begin(self, seed: int) -> None:
        """Start a question: fresh counts, the student's seeds."""
        self.calls = 0
        self.wire.traffic = 0
        self.seed = seed  # the student's process is told with the first request
        self.sent_states = seeding.fingerprint()

    # -- calls ----------------------------------------------------------------------
    def operate(self, operation: str, args: Sequence[Any]) -> Any:
        """Carry out an operator on student things, in their process."""
        value = self._call({"operation": operation}, args, {})
        if operation == "getattr":
            self.note_path(value, args[1], args[0])
        if operation in READS:
            self._require_same_again((operation, *map(reading.key, args)))
        return value

    def _require_same_again(self, read: tuple[Any, ...]) -> None:
        """`v.x > 1 and v.x < 2` is to speak of one and the same v.x."""
        before, self.last_read = self.last_read, (read, self.last_answer)
        if before is None or before[0] != read or before[1] == self.last_answer:
            return
        if not reading.has_handle(before[1][0]) and not reading.has_handle(
            self.last_answer[0]
        ):
            raise Refused("it was read twice, and was not the same the second time")

    def call(
        self, stand_in: StandIn, args: Sequence[Any], kwargs: dict[str, Any]
    ) -> Any:
        target = {"target": stand_in._handle}
        keeper = self.keeper
        # by the name under which the test found it, not by the one that it claims
        asked_for = keeper.seeded in self.paths.get(stand_in._handle, ())
        if not asked_for or keeper.recorded is not None or kwargs or not args:
            return self._call(target, args, kwargs)
        keeper.recorded = Recorded(
            keeper.seeded, lambda given: self._call(target, given, {}), args
        )
        return keeper.recorded.result

    def _call(self, target: Header, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        encoder = self.encoder()
        self.inputs = []
        fields = dict(
            target,
            op="call",
            args=encoder.encode(list(args)),
            kwargs=encoder.encode(kwargs),
            gradients=torch.is_grad_enabled(),
        )
        inputs, mutables = self.inputs, list(encoder.mutables)
        fields.update(self._surroundings(encoder))
        self.keeper.start_clock()
        self.last_read, before = None, self.last_read
        header, buffers = self.request(fields, encoder)
        with self._speaking_of(mutables):
            with self._reading():
                value = self.read_value(header, buffers, inputs)
                changes = self.read_changes(header, mutables)
            self.keeper.unchanged(changes, mutables, args)
            with self._reading():
                self.apply_changes(changes, buffers, mutables)
        self.last_read, self.last_answer = before, (header.get("value"), buffers)
        if self.keeper.over_time():
            raise RuleBroken(self.keeper.broken)
        return value

    @contextlib.contextmanager
    def _speaking_of(self, arguments: Sequence[Any]) -> Iterator[None]:
        """The answer may name these arguments of its call; no other answer may.

        Kept, an array of the test could later stand for a student's own variable.
        """
        before, self.arguments = self.arguments, arguments
        try:
            yield
        finally:
            self.arguments = before

    def _surroundings(self, encoder: Encoder) -> Header:
        """Return what a call needs beside its arguments: builtins, random states."""
        fields: Header = {}
        replaced = self._replaced_builtins()
        if replaced:
            fields["builtins"] = [[n, encoder.encode(v)] for n, v in replaced.items()]
        states = seeding.fingerprint()
        if states != self.sent_states:
            self.sent_states = states
            fields["random"] = encoder.encode(seeding.get_states())
        return fields

    def _replaced_builtins(self) -> dict[str, Any]:
        """Return {name: function} of the builtins that a test has put others for."""
        replaced = {}
        for name, original in REPLACEABLE.items():
            own = dict.get(self.names, name, original)
            value = getattr(builtins, name) if own is original else own
            if value is not original:
                replaced[name] = value
        return replaced

    def backward(
        self, tape: int, gradients: Sequence[Tensor | None]
    ) -> dict[int, Tensor]:
        """Return {input number: gradient} for gradients at the ends of a call."""
        encoder = self.encoder()
        fields = {"op": "backward", "tape": tape}
        fields["gradients"] = encoder.encode(list(gradients))
        header, buffers = self.request(fields, encoder)
        with self._reading():
            return reading.gradients(self.read_value(header, buffers))

    # -- callbacks ---------------------------------------------------------
    def serve(
        self, header: Header, buffers: Sequence[Buffer]
    ) -> tuple[Header, Sequence[Buffer]]:
        """Run a function of the test that student code calls back."""
        if header.get("op") != "callback":
            raise WireError("the judge was asked for something it does not do")
        self.calls += 1
        if self.calls > self.limits.calls:
            raise WireError("too many callbacks")
        if self.keeper.over_time():
            self.lose(self.keeper.broken)
        number = header.get("number")
        if type(number) is not int or not 0 <= number < len(self.callbacks):
            raise WireError("an unknown function was called back")
        decoder = self.decoder(buffers)
        args, kwargs = decoder.decode(header["args"]), decoder.decode(header["kwargs"])
        value = self.callbacks[number](*args, **kwargs)
        encoder = self.encoder()
        return {"value": encoder.encode(value)}, encoder.buffers

    def describe_error(self, error: BaseException) -> Header:
        if isinstance(error, StudentLost):
            raise error
        return {
            "error": {
                "type": type(error).__name__,
                "text": str(error)[:ANSWER_TEXT_CHARACTERS],
            }
        }


def _importable(name: str) -> bool:
    return name in sys.modules or importlib.util.find_spec(name) is not None
