"""How a judge comes by its connection to a student's process.

Where processes are forked, the worker has the connection and hands its descriptor
over. Where they are not (`./course check` on macOS and Windows), the student's process
listens on this machine, and the judge is told the port and a secret.
"""

import hmac
import socket

from course_tools.grading.bridge.wire import Wire, WireError
from course_tools.grading.limits import PROCESS_DIGITS, SHORT_TEXT_CHARACTERS

HERE = "127.0.0.1"


def give_descriptor(control: Wire, process: int, connection: socket.socket) -> None:
    """Hand over an open connection, with the number of the process at its end."""
    number = f"{process:{PROCESS_DIGITS}}".encode()
    socket.send_fds(control.connection, [number], [connection.fileno()])
    connection.close()


def give_address(control: Wire, process: int, port: int, secret: str) -> None:
    """Tell where the process listens."""
    control.send({"process": process, "port": port, "secret": secret})


def take(control: Wire) -> tuple[int, socket.socket]:
    """Return (the number of the student's process, a connection to it)."""
    if control.connection.family == socket.AF_INET:
        header, _ = control.receive()
        return header["process"], connect(header["port"], header["secret"])
    number, descriptors, _, _ = socket.recv_fds(control.connection, PROCESS_DIGITS, 1)
    return int(number), socket.socket(fileno=descriptors[0])


def listen() -> socket.socket:
    """Return a socket that listens on this machine, for nobody else."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.bind((HERE, 0))
    listener.listen()
    return listener


def connect(port: int, secret: str) -> socket.socket:
    """Connect to who listens there, and say the secret."""
    connection = socket.create_connection((HERE, port))
    _hurry(connection)
    Wire(connection, SHORT_TEXT_CHARACTERS).send({"secret": secret})
    return connection


def accept(listener: socket.socket, secret: str) -> socket.socket:
    """Wait for who knows the secret; all others are turned away."""
    while True:
        connection, _ = listener.accept()
        _hurry(connection)
        try:
            said = Wire(connection, SHORT_TEXT_CHARACTERS).receive()[0].get("secret")
            if hmac.compare_digest(str(said), secret):
                return connection
        except WireError:
            pass
        connection.close()


def _hurry(connection: socket.socket) -> None:
    """Requests are short and wait for each other: send them at once."""
    connection.setblocking(True)  # also where a listener with a time limit made it
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
