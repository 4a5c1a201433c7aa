"""A line of a given speed between a browser and a server on this machine, and files compressed beforehand.

The browser's own throttling does not reach the workers of a page, and Python boots in one. So the bytes go
through a relay that holds them back: the same for whichever page, thread or worker asks.
"""

import hashlib
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import Message
from pathlib import Path
from urllib.parse import urlsplit

import brotli

from tools.serve import LOOPBACK, Answer

_PIECE = 4096  # bytes
_PACKED = (".wasm", ".mjs", ".js", ".html", ".css", ".json", ".zip", ".whl")


class Line:
    """A line of `rate` bytes a second for all connections together, `latency` seconds before each answer."""

    def __init__(self, rate: float, latency: float) -> None:
        self.rate, self.latency = rate, latency
        self._lock = threading.Lock()
        self._free_at = 0.0

    def carry(self, size: int) -> None:
        """Wait until so many bytes more have had their time on the line."""
        with self._lock:
            self._free_at = max(self._free_at, time.monotonic()) + size / self.rate
            free_at = self._free_at
        time.sleep(max(0.0, free_at - time.monotonic()))


@contextmanager
def slowed(base: str, line: Line) -> Iterator[str]:
    """Relay the server at `base` over a line; yields the address to open instead."""
    parts = urlsplit(base)
    listener = socket.create_server((LOOPBACK, 0))

    def relay(client: socket.socket) -> None:
        server = socket.create_connection((LOOPBACK, parts.port or 80))
        threading.Thread(target=_pump, args=(client, server, None), daemon=True).start()
        _pump(server, client, line)

    def accept() -> None:
        while True:
            try:
                client, _ = listener.accept()
            except OSError:
                return  # closed: the measurement is over
            threading.Thread(target=relay, args=(client,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield f"http://{LOOPBACK}:{listener.getsockname()[1]}{parts.path}"
    finally:
        listener.close()


def _pump(source: socket.socket, target: socket.socket, line: Line | None) -> None:
    is_new = True
    try:
        while piece := source.recv(_PIECE):
            if line is not None:
                if is_new:
                    time.sleep(line.latency)
                    is_new = False
                line.carry(len(piece))
            target.sendall(piece)
    except OSError:
        pass  # one side has gone
    finally:
        source.close()
        target.close()


class Packed:
    """Answers with files as brotli made them, as a good static host does; each is packed once and kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def __call__(self, file: Path, _request: Message) -> Answer:
        """Return the packed file, or the file where packing would not help."""
        if file.suffix not in _PACKED:
            return Answer(file)
        content = file.read_bytes()
        packed = self.folder / hashlib.sha256(content).hexdigest()
        if not packed.exists():
            packed.write_bytes(brotli.compress(content, quality=9))
        return Answer(packed, {"Content-Encoding": "br"})
