"""A static server for this machine only: the built site for a reader, the tests and the benchmarks.

    with serving(Path("dist"), prefix="/some/sub/path/") as base:
        urlopen(base + "widget.html")

It serves one folder below any path, as a static host would: the types that WebAssembly and JavaScript modules
need, `Access-Control-Allow-Origin: *` for the runtime in a sandboxed frame, and an `ETag` that the browser
asks about on each load, so that a page built a second ago is the page that is seen.

It does not compress, list folders, or listen on anything but the loopback address. A test or a benchmark that
needs other headers, or files compressed beforehand, gives a `choose` of its own.
"""

import contextlib
import errno
import functools
import http.server
import mimetypes
import shutil
import socket
import sys
import threading
import urllib.parse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from email.message import Message
from http import HTTPStatus
from pathlib import Path

LOOPBACK = "127.0.0.1"

# Named here, because the tables of the machine differ, and a browser refuses a module of the wrong type.
TYPES = {
    ".css": "text/css",
    ".csv": "text/csv",
    ".html": "text/html",
    ".ico": "image/x-icon",
    ".ipynb": "application/json",
    ".js": "text/javascript",
    ".json": "application/json",
    ".map": "application/json",
    ".md": "text/markdown",
    ".mjs": "text/javascript",
    ".png": "image/png",
    ".py": "text/x-python",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".whl": "application/zip",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
    ".zip": "application/zip",
}
TEXT_BESIDE_TEXT = ("application/json", "application/manifest+json", "application/xml", "image/svg+xml")

SHARED_HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "Cache-Control": "no-cache",  # keep it, but ask each time whether it is still the same
    "X-Content-Type-Options": "nosniff",
}


@dataclass(frozen=True)
class Answer:
    """The file to send for a request, and headers beside the usual ones or in their place."""

    file: Path
    headers: Mapping[str, str] = field(default_factory=dict)


Choose = Callable[[Path, Message], Answer]
"""Given the file that was asked for and the headers of the request, what to send."""


def as_it_is(file: Path, _request: Message) -> Answer:
    """Send the file that was asked for, and nothing special with it."""
    return Answer(file)


def content_type(file: Path) -> str:
    """Return the type of a file by its name, with the charset where it is text.

    >>> content_type(Path("pyodide.mjs"))
    'text/javascript; charset=utf-8'
    >>> content_type(Path("pyodide.asm.wasm"))
    'application/wasm'
    """
    kind = TYPES.get(file.suffix.lower()) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    if kind.startswith("text/") or kind in TEXT_BESIDE_TEXT:
        return f"{kind}; charset=utf-8"
    return kind


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers GET and HEAD for the files of one folder below one path."""

    # Keep-alive: a page asks for dozens of files, and new connections would be measured with them.
    protocol_version = "HTTP/1.1"

    def __init__(self, *arguments: object, directory: Path, prefix: str, choose: Choose) -> None:
        self.directory = directory
        self.prefix = prefix
        self.choose = choose
        super().__init__(*arguments)  # type: ignore[arg-type]  # answers the request before it returns

    def do_GET(self) -> None:
        """Send the file, or say that the browser's copy is still good."""
        self.answer(with_content=True)

    def do_HEAD(self) -> None:
        """Send what `do_GET` would, without the content."""
        self.answer(with_content=False)

    def answer(self, *, with_content: bool) -> None:
        """Look the request up and answer it."""
        path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path)
        below = path.startswith(self.prefix) and "\0" not in path
        file = self.directory / path.removeprefix(self.prefix)
        if not below and path + "/" == self.prefix:
            self.redirect(self.prefix)
        elif not below or not file.resolve().is_relative_to(self.directory):
            self.refuse(path)
        elif file.is_dir() and not path.endswith("/"):
            # Without the slash, the relative addresses in the page would start one folder too high.
            self.redirect(urllib.parse.quote(path + "/"))
        else:
            self.send_file(file / "index.html" if file.is_dir() else file, with_content)

    def send_file(self, asked: Path, with_content: bool) -> None:
        """Send `asked`, or what `choose` makes of it."""
        answer = self.choose(asked, self.headers)
        try:
            stream = answer.file.open("rb")
        except OSError:
            self.refuse(self.path)
            return
        with stream:
            state = answer.file.stat()
            tag = f'"{state.st_mtime_ns:x}-{state.st_size:x}"'
            same = tag in self.headers.get("If-None-Match", "")
            self.send_response(HTTPStatus.NOT_MODIFIED if same else HTTPStatus.OK)
            self.send_header("ETag", tag)
            self.send_header("Last-Modified", self.date_time_string(int(state.st_mtime)))
            usual = {
                **SHARED_HEADERS,
                "Content-Type": content_type(asked),
                "Content-Length": str(state.st_size),
            }
            for name, value in {**(SHARED_HEADERS if same else usual), **answer.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            if with_content and not same:
                # The reader may close the page half-way.
                with contextlib.suppress(ConnectionError):
                    shutil.copyfileobj(stream, self.wfile)

    def redirect(self, path: str) -> None:
        """Send the browser to `path`."""
        self.send_response(HTTPStatus.MOVED_PERMANENTLY)
        self.send_header("Location", path)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def refuse(self, path: str) -> None:
        """Say that there is nothing at `path`: with the site's own page, if it has one."""
        own = self.directory / "404.html"
        text = own.read_bytes() if own.is_file() else f"Nothing at {path}\n".encode()
        self.send_response(HTTPStatus.NOT_FOUND)
        self.send_header("Content-Type", content_type(own if own.is_file() else Path("answer.txt")))
        self.send_header("Content-Length", str(len(text)))
        for name, value in SHARED_HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Print nothing: the tests make thousands of requests."""


class Server(http.server.ThreadingHTTPServer):
    """A server whose threads do not keep the process alive."""

    daemon_threads = True
    # Some hundreds of requests may arrive while a page with all its parts is opened several times.
    request_queue_size = 128

    def handle_error(
        self, request: socket.socket | tuple[bytes, socket.socket], client_address: object
    ) -> None:
        """Print what went wrong here; that a reader has closed the page is nothing of that kind."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def make_server(
    directory: Path, *, port: int = 0, prefix: str = "/", choose: Choose = as_it_is
) -> tuple[Server, str]:
    """Return a server that is bound but does not answer yet, and the address of `directory` on it.

    Port 0 takes any that is free. Raises `OSError` when `port` is taken.
    """
    if not directory.is_dir():
        raise FileNotFoundError(f"Nothing to serve: there is no folder {directory}. Build the site first.")
    if not (prefix.startswith("/") and prefix.endswith("/")):
        raise ValueError(f"A prefix starts and ends with a slash, and {prefix!r} does not.")
    handler = functools.partial(Handler, directory=directory.resolve(), prefix=prefix, choose=choose)
    server = Server((LOOPBACK, port), handler)
    return server, f"http://{LOOPBACK}:{server.server_port}{prefix}"


@contextlib.contextmanager
def serving(directory: Path, prefix: str = "/", *, port: int = 0, choose: Choose = as_it_is) -> Iterator[str]:
    """Serve `directory` below `prefix` inside the `with` block, which gets its address, slash at the end."""
    server, base = make_server(directory, port=port, prefix=prefix, choose=choose)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield base
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def serve_until_stopped(directory: Path, port: int, tries: int = 20) -> None:
    """Serve `directory` for a person: print the address, and go on until Ctrl-C.

    A port that is taken is passed over, and the line says so.
    """
    server, base = first_free(directory, port, tries)
    if server.server_port != port:
        print(f"Port {port} is taken.")
    print(f"The site is at {base} (stop with Ctrl-C)", flush=True)
    with server, contextlib.suppress(KeyboardInterrupt):
        server.serve_forever()


def first_free(directory: Path, port: int, tries: int) -> tuple[Server, str]:
    """Return a server on `port` or on the first free one of those after it."""
    for candidate in range(port, port + tries):
        try:
            return make_server(directory, port=candidate)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
    raise OSError(
        f"The ports {port} to {port + tries - 1} are all taken; choose another: make serve PORT=9000"
    )
