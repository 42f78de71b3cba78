"""Requests and answers over one connection, nested as deep as calls nest.

While one side waits for an answer it serves the requests of the other: a test calls
a student's function, which calls back a function of the test, and so on. Both
sides use this class; what may be asked of a side is its `serve` method.
"""

from collections.abc import Sequence
from typing import Any

from course_tools.grading.bridge.decode import Decoder, TensorHook
from course_tools.grading.bridge.encode import CannotCross, Encoder
from course_tools.grading.bridge.wire import (
    Buffer,
    Header,
    PeerGone,
    PeerSilent,
    Skeleton,
    Wire,
    WireError,
)
from course_tools.grading.limits import Limits


class Link:
    """One side of the bridge; subclasses say what they serve and extend the codec."""

    forgiving = False  # answer with an error what cannot be read, or hang up?

    def __init__(self, wire: Wire, limits: Limits) -> None:
        self.wire = wire
        self.limits = limits
        self.nesting = 0

    # what a subclass fills in
    def serve(
        self, header: Header, buffers: Sequence[Buffer]
    ) -> tuple[Header, Sequence[Buffer]]:
        """Carry out a request; return (fields, buffers) of the answer."""
        raise NotImplementedError

    def describe_error(self, error: BaseException) -> Header:
        """Return the fields that tell the other side about an exception."""
        raise NotImplementedError

    def extend_encode(self, value: Any, encoder: Encoder) -> Skeleton | None:
        """Return a skeleton for something that is not data, or None."""
        raise NotImplementedError

    def extend_decode(self, tag: str, rest: list[Any], decoder: Decoder) -> Any:
        """Return what a tag means that is not one of data."""
        raise WireError(f"unknown tag {tag[:8]!r}")

    # what both sides share
    def encoder(self) -> Encoder:
        return Encoder(self.extend_encode, self.limits.depth)

    def decoder(
        self, buffers: Sequence[Buffer], tensor_hook: TensorHook | None = None
    ) -> Decoder:
        return Decoder(buffers, self.extend_decode, self.limits.depth, tensor_hook)

    def ask(
        self, fields: Header, buffers: Sequence[Buffer] = ()
    ) -> tuple[Header, list[Buffer]]:
        """Send a request and return (fields, buffers) of its answer."""
        self.nesting += 1
        try:
            if self.nesting > self.limits.nested_calls:
                raise CannotCross(
                    f"calls between tests and student code are nested more than "
                    f"{self.limits.nested_calls} deep"
                )
            self.wire.send(dict(fields, kind="request"), buffers)
            while True:
                header, received = self.wire.receive()
                if header.get("kind") == "answer":
                    return header, received
                if header.get("kind") != "request":
                    raise WireError("a message is neither request nor answer")
                self.answer(header, received)
        finally:
            self.nesting -= 1

    def answer(self, header: Header, buffers: Sequence[Buffer]) -> None:
        """Serve one request and send what came of it."""
        try:
            fields, sent = self.serve(header, buffers)
        except (PeerGone, PeerSilent):
            raise
        except WireError as error:
            if not self.forgiving:
                raise
            fields, sent = self.describe_error(CannotCross(str(error))), ()
        except BaseException as error:  # the other side decides what it means
            fields, sent = self.describe_error(error), ()
        try:
            self.wire.send(dict(fields, kind="answer"), sent)
        except (TypeError, ValueError, RecursionError) as error:
            self.wire.send(dict(self.describe_error(error), kind="answer"))
