"""Frames and values: hostile bytes end in an error that says so, and nothing else."""

import json
import random
import socket
import threading
import time
from collections import deque
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import torch

from course_tools.grading.bridge import pandas_values, stdlib_values
from course_tools.grading.bridge.decode import Decoder
from course_tools.grading.bridge.encode import CannotCross, Encoder
from course_tools.grading.bridge.wire import (
    MAGIC,
    PREFIX,
    PeerGone,
    PeerSilent,
    Wire,
    WireError,
    pair,
)


def no_thing(value, encoder):
    return None


def no_tag(tag, rest, decoder):
    raise WireError(f"unknown tag {tag!r}")


def encode(value, depth=60):
    encoder = Encoder(no_thing, depth)
    return encoder.encode(value), encoder.buffers


def decode(skeleton, buffers=(), depth=60):
    return Decoder(list(buffers), no_tag, depth).decode(skeleton)


def ends(limit=10_000, traffic=None):
    one, two = pair()
    return Wire(one, limit, traffic), Wire(two, limit, traffic)


def test_a_frame_arrives():
    one, two = ends()
    one.send({"x": [1, "é"]}, [b"abc", b"", b"defg"])
    assert two.receive() == ({"x": [1, "é"]}, [b"abc", b"", b"defg"])


def test_frames_larger_than_the_socket_buffer():
    one, two = ends(limit=50_000_000)
    data = np.random.default_rng(0).bytes(20_000_000)
    sender = threading.Thread(target=one.send, args=({}, [data]))
    sender.start()
    assert two.receive()[1] == [data]
    sender.join()


def test_limits_hold_on_both_sides():
    one, two = ends(limit=1000)
    with pytest.raises(WireError, match="larger than the limit of 1000"):
        one.send({}, [bytes(1001)])
    one.connection.sendall(PREFIX.pack(MAGIC, 10, 4_000_000_000))
    with pytest.raises(WireError, match="larger than the limit"):
        two.receive()


def test_traffic_is_counted():
    one, _ = ends(limit=1000, traffic=1500)
    one.send({}, [bytes(900)])
    with pytest.raises(WireError, match="more than 1500 bytes"):
        one.send({}, [bytes(900)])


def test_a_closed_connection_and_a_silent_peer():
    one, two = ends()
    two.deadline = time.monotonic() + 0.05
    with pytest.raises(PeerSilent):
        two.receive()
    two.deadline = None
    one.connection.sendall(PREFIX.pack(MAGIC, 10, 0) + b"{")
    one.close()
    with pytest.raises(PeerGone):
        two.receive()
    with pytest.raises(PeerGone):
        two.send({}, [bytes(9000)])


def test_a_peer_that_trickles_does_not_extend_the_deadline():
    one, two = ends()
    stop = threading.Event()

    def trickle():
        one.connection.sendall(PREFIX.pack(MAGIC, 5000, 0))
        while not stop.wait(0.02):
            one.connection.sendall(b" ")

    thread = threading.Thread(target=trickle)
    thread.start()
    two.deadline = time.monotonic() + 0.3
    with pytest.raises(PeerSilent):  # and not what a whole message would raise
        two.receive()
    stop.set()
    thread.join()


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b"3",
        b"{",
        b'{"buffers": 3}',
        b'{"buffers": [1]}',
        b'{"buffers": [-1, 1]}',
        b'{"buffers": [true]}',
        b"{}",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"a": ' * 5_000,
        b"1" * 5000,
    ],
)
def test_bad_headers(text):
    one, two = ends(limit=1_000_000)
    one.connection.sendall(PREFIX.pack(MAGIC, len(text), 0) + text)
    with pytest.raises(WireError):
        two.receive()


BAD = [
    ["std", "fraction", ["1e999999999", 1]],
    ["std", "fraction", [1, 0]],
    ["std", "decimal", ["1e999999999"]],
    ["std", "decimal", [7]],
    ["std", "path", [["l", []]]],
    ["std", "deque", [["l", []], "x"]],
    ["std", "counter", [["l", [["l", [1]]]]]],
    ["std", "date", ["yesterday"]],
    ["std", "nothing", []],
    ["std", [], []],
    ["pd", "frame", [1, 2, 3]],
    ["pd", "frame", []],
    ["pd", "series", [None, ["range", None, [0, 3, 0]], ["array", 3]]],
    ["pd", "series", [None, ["range", None, [0, 1, 1]], ["<M8[ns]", ["l", [1]]]]],
    ["pd", "index", ["plain", None, ["object", "x"]]],
    ["pd", "model", []],
    ["nt", "R", ["allclose"], [["ty", "x"]]],
    [],
    {},
    [3],
    ["l"],
    ["l", 3],
    ["l", [[]]],
    ["d", [[1]]],
    ["d", [[["l", []], 1]]],
    ["s", [["l", []]]],
    ["a", "<f8", [2], 0],
    ["a", "<f8", [1, -1], 0],
    ["a", "<f8", [10**30], 0],
    ["a", "|O", [1], 0],
    ["a", "V8", [1], 0],
    ["a", "<f8,<f8", [1], 0],
    ["a", "x" * 500, [1], 0],
    ["a", "<f8", [1] * 40, 0],
    ["a", "<f8", [1], 7],
    ["a", "<f8", [1], -1],
    ["a", "<f8", "1", 0],
    ["g", "<f8", 1],
    ["T", "float64", [2], 0, 0, 0, None],
    ["T", "nonsense", [1], 0, 0, 0, None],
    ["T", "float64", [1], 0, 0.5, 0, None],
    ["T", "float64", [1], 0, 0, 0, ["l", []]],
    ["o", [10**9], []],
    ["o", [2], [1]],
    ["nt", "os;x", ["a"], [1]],
    ["nt", "x", ["__class__"], [1]],
    ["nt", "x", ["def"], [1]],
    ["nt", "x", ["a", "a"], [1, 2]],
    ["nt", "x", ["a"], [1, 2]],
    ["i", "nonsense"],
    ["r", 1, 2, 0],
    ["r", 1.5, 2, 1],
    ["c", "a", "b"],
    ["D", "nonsense"],
    ["b", 0.5],
    ["class__", 1],
    ["unknown", 1],
]


@pytest.mark.parametrize("skeleton", BAD, ids=lambda s: json.dumps(s)[:30])
def test_bad_values(skeleton):
    with pytest.raises(WireError):
        decode(skeleton, [bytearray(8)])


def test_depth_is_limited():
    deep = 1
    for _ in range(100):
        deep = ["l", [deep]]
    with pytest.raises(WireError, match="nested deeper"):
        decode(deep)
    value = []
    value.append(value)
    with pytest.raises(CannotCross, match="contains itself"):
        encode(value)


PLAIN = (
    type(None), bool, int, float, complex, str, bytes, bytearray, list, tuple, dict,
    set, frozenset, slice, range, type(...), np.ndarray, np.generic, np.dtype,
    torch.Tensor, torch.Size, torch.dtype, torch.device,
)  # fmt: skip


def is_plain(value):
    if isinstance(value, list | tuple | set | frozenset):
        return all(map(is_plain, value))
    if isinstance(value, dict):
        return all(is_plain(k) and is_plain(v) for k, v in value.items())
    if type(value) in stdlib_values.NAMES or pandas_values.kind_of(value):
        return True
    return isinstance(value, PLAIN)


def test_fuzzed_skeletons_give_plain_values_or_an_error():
    """Mutated answers never give anything but data, and never another exception."""
    generator = random.Random(11)
    seeds = [
        encode([Fraction(1, 3), deque([1]), pd.DataFrame({"a": [1], "b": ["x"]})])[0],
        encode([1, (2.5, "x"), {"k": np.arange(6.0).reshape(2, 3)}, {1, 2}])[0],
        encode({"t": torch.ones(2, 3), "s": slice(1, 2), "r": range(3), "c": 1j})[0],
    ]
    seeds = 8 * seeds + BAD
    atoms = [None, True, -1, 10**12, 0.5, "a", "<f8", "l", "d", "T", "nt", "o", [], {}]
    outcomes = {"plain": 0, "refused": 0}
    for _ in range(20_000):
        skeleton = mutate(
            generator, json.loads(json.dumps(generator.choice(seeds))), atoms
        )
        try:
            value = decode(skeleton, [bytearray(48), bytearray(8)])
        except WireError:
            outcomes["refused"] += 1
        else:
            assert is_plain(value), value
            outcomes["plain"] += 1
    assert min(outcomes.values()) > 500


def mutate(generator, skeleton, atoms):
    for _ in range(generator.randint(1, 3)):
        place = skeleton
        while isinstance(place, list) and place and generator.random() < 0.7:
            index = generator.randrange(len(place))
            if isinstance(place[index], list) and place[index]:
                place = place[index]
            else:
                place[index] = json.loads(json.dumps(generator.choice(atoms)))
                break
    return skeleton


def test_fuzzed_bytes_on_a_socket():
    generator = random.Random(5)
    for _ in range(300):
        one, two = socket.socketpair()
        data = bytearray(PREFIX.pack(MAGIC, 20, 4) + b'{"buffers":[4],"a":1}abcd')
        for _ in range(generator.randint(0, 4)):
            data[generator.randrange(len(data))] = generator.randrange(256)
        one.sendall(data)
        one.close()
        wire = Wire(two, 1000)
        try:
            header, buffers = wire.receive()
        except WireError:
            pass
        else:
            assert type(header) is dict
            assert sum(map(len, buffers)) <= 1000
        two.close()
