"""Frames on a stream socket: a JSON header and raw buffers, with hard limits.

    magic (4 bytes) | header length (u32) | buffers length (u32) | header | buffers

The header lists the length of each buffer, so that a reader knows the whole size
before it allocates anything. Either side may be hostile: every length is checked
against the limit first, every wait has a deadline, and nothing is ever unpickled.
"""

import itertools
import json
import select
import socket
import struct
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from course_tools.grading.limits import AHEAD_BYTES, CHUNK_BYTES

MAGIC = b"crs1"
PREFIX = struct.Struct("<4sII")
Skeleton: TypeAlias = Any  # None, bool, int, float, str, or a list of a tag and more
Header = dict[str, Any]
Buffer = bytes | memoryview
ENDED = "the process ended"  # what the judge says when the other side hung up
# skeletons have a limited depth, so nothing in them can contain itself
_to_json = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
_from_json = json.JSONDecoder().decode
AT_ONCE: int = getattr(socket, "MSG_DONTWAIT", 0)  # Windows has no such flag …


Wait = Callable[[float | None], object]  # for so many milliseconds at the most


class WireError(Exception):
    """The bytes that arrived are not a frame, or break a limit."""


class PeerGone(WireError):
    """The other side closed the connection (its process ended)."""


class PeerSilent(WireError):
    """The other side did not answer before the deadline."""


class Wire:
    """One end of a connection; counts its traffic in bytes.

    With `ahead`, one system call fetches what lies there, beyond the frame too. That
    is not for connections on which file descriptors follow a frame.
    """

    def __init__(
        self,
        connection: socket.socket,
        message_limit: int,
        traffic_limit: int | None = None,
        ahead: bool = False,
    ) -> None:
        self.connection = connection
        self.ahead = AHEAD_BYTES if ahead else 0
        self.fetched, self.used = memoryview(b""), 0
        self.message_limit = message_limit
        self.traffic_limit = traffic_limit
        self.traffic = 0
        self.deadline: float | None = None
        if not AT_ONCE:  # … there the connection itself must not wait
            connection.setblocking(False)
        self.readable = _waiting_for(connection, "POLLIN")
        self.writable = _waiting_for(connection, "POLLOUT")

    def fileno(self) -> int:
        return self.connection.fileno()

    def close(self) -> None:
        self.connection.close()

    def send(self, header: Header, buffers: Sequence[Buffer] = ()) -> None:
        """Send one frame; `header` is a dictionary of JSON values."""
        lengths = [len(buffer) for buffer in buffers]
        text = _to_json({**header, "buffers": lengths}).encode()
        total = sum(lengths)
        self._charge(len(text) + total)
        prefix = PREFIX.pack(MAGIC, len(text), total)
        data = b"".join((prefix, text, *buffers))
        try:
            sent = self.connection.send(data, AT_ONCE)
        except OSError:
            sent = 0
        if sent < len(data):
            self._send_rest(memoryview(data)[sent:])

    def receive(self) -> tuple[Header, list[Buffer]]:
        """Return (header, buffers) of the next frame."""
        start = self._read(PREFIX.size)
        magic, header_length, total = PREFIX.unpack(start)
        if magic != MAGIC:
            raise WireError("what arrived is not a message of the bridge")
        self._charge(header_length + total)
        data = self._read(header_length + total)
        header = parse_header(data[:header_length])
        lengths = _lengths(header.pop("buffers", None), total)
        ends = itertools.accumulate(lengths, initial=header_length)
        return header, [data[a:b] for a, b in itertools.pairwise(ends)]

    def _charge(self, size: int) -> None:
        if size > self.message_limit:
            raise WireError(
                f"a message of {size} bytes is larger than the limit of "
                f"{self.message_limit} bytes"
            )
        self.traffic += size
        if self.traffic_limit is not None and self.traffic > self.traffic_limit:
            raise WireError(
                f"more than {self.traffic_limit} bytes crossed within one question"
            )

    def _wait(self, ready: Wait) -> None:
        """Wait until the connection can be read or written, or time is over."""
        milliseconds = None
        if self.deadline is not None:
            milliseconds = 1000 * (self.deadline - time.monotonic())
            if milliseconds <= 0:
                raise PeerSilent("no time left for an answer")
        ready(milliseconds)

    def _send_rest(self, view: memoryview) -> None:
        """Send what the connection did not take at once."""
        while view:
            try:
                view = view[self.connection.send(view[:CHUNK_BYTES], AT_ONCE) :]
            except BlockingIOError:
                self._wait(self.writable)
            except OSError as error:
                raise PeerGone("the connection is closed") from error

    def _read(self, size: int) -> memoryview:
        """Return the next `size` bytes; what was fetched beyond them is kept."""
        left = len(self.fetched) - self.used
        if left < size:
            pieces: list[Buffer] = [self.fetched[self.used :]]
            while left < size:
                piece = self._fetch(min(CHUNK_BYTES, max(size - left, self.ahead)))
                pieces.append(piece)
                left += len(piece)
            whole = b"".join(pieces) if left > len(pieces[-1]) else pieces[-1]
            self.fetched, self.used = memoryview(whole), 0
        self.used += size
        return self.fetched[self.used - size : self.used]

    def _fetch(self, size: int) -> bytes:
        """Wait first: an answer is hardly ever there before it is asked for."""
        try:
            self._wait(self.readable)
            piece = self.connection.recv(size, AT_ONCE)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise PeerGone("the connection is closed") from error
        if not piece:
            raise PeerGone("the connection is closed")
        return piece


def _waiting_for(connection: socket.socket, event: str) -> Wait:
    """Return a function that waits until `connection` can be read or written."""
    if hasattr(select, "poll"):
        poll = select.poll()
        poll.register(connection, getattr(select, event))
        return poll.poll
    lists = ([connection], []) if event == "POLLIN" else ([], [connection])

    def wait(milliseconds: float | None) -> object:  # on Windows
        seconds = None if milliseconds is None else milliseconds / 1000
        return select.select(*lists, [], seconds)

    return wait


def parse_header(data: Buffer) -> Header:
    """Return the header as a dictionary, or say why it is none."""
    try:
        header = _from_json(str(data, "utf-8"))
    except (ValueError, RecursionError) as error:
        raise WireError(f"header is not JSON: {type(error).__name__}") from error
    if type(header) is not dict:
        raise WireError("header is not an object")
    return header


def _lengths(announced: Any, total: int) -> Iterable[int]:
    """Return the lengths of the buffers if they are numbers that add up."""
    if (
        type(announced) is not list
        or not all(type(length) is int and length >= 0 for length in announced)
        or sum(announced) != total
    ):
        raise WireError("buffer lengths do not add up to the announced size")
    return announced


def pair() -> tuple[socket.socket, socket.socket]:
    """Return two connected stream sockets."""
    return socket.socketpair()
