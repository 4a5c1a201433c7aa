"""The static server: types, prefix, revalidation, and what it refuses."""

import http.client
import os
import socket
import urllib.parse
from collections.abc import Iterator
from email.message import Message
from pathlib import Path

import pytest

from tools.serve import Answer, first_free, make_server, serving


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    site = tmp_path / "site"
    (site / "guide").mkdir(parents=True)
    (site / "index.html").write_text("<p>start", encoding="utf-8")
    (site / "guide" / "index.html").write_text("<p>guide", encoding="utf-8")
    (site / "a b.txt").write_text("ein Größenwort", encoding="utf-8")
    (tmp_path / "secret.txt").write_text("not served", encoding="utf-8")
    return site


@pytest.fixture
def base(folder: Path) -> Iterator[str]:
    with serving(folder, "/some/sub/path/") as address:
        yield address


def ask(base: str, path: str, method: str = "GET", **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
    """Send one request with the path exactly as it is given, which urllib would tidy up."""
    parts = urllib.parse.urlsplit(base)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port)
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path if path.startswith("/") else parts.path + path, headers=names)
    response = connection.getresponse()
    content = response.read()
    connection.close()
    return response, content


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.mjs", "text/javascript; charset=utf-8"),
        ("a.js", "text/javascript; charset=utf-8"),
        ("a.wasm", "application/wasm"),
        ("a.svg", "image/svg+xml; charset=utf-8"),
        ("a.whl", "application/zip"),
        ("a.zip", "application/zip"),
        ("a.json", "application/json; charset=utf-8"),
        ("a.html", "text/html; charset=utf-8"),
        ("a.py", "text/x-python; charset=utf-8"),
        ("a.woff2", "font/woff2"),
        ("a.unheardof", "application/octet-stream"),
    ],
)
def test_types(folder: Path, base: str, name: str, expected: str) -> None:
    (folder / name).write_bytes(b"")
    response, _ = ask(base, name)
    assert response.status == 200
    assert response.headers["Content-Type"] == expected


def test_headers_and_content(base: str) -> None:
    response, content = ask(base, "a%20b.txt")
    assert content.decode() == "ein Größenwort"
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert response.headers["Cache-Control"] == "no-cache"
    assert response.headers["Content-Length"] == str(len(content))


def test_head_sends_no_content(base: str) -> None:
    response, content = ask(base, "a%20b.txt", "HEAD")
    assert (response.status, content) == (200, b"")
    assert int(response.headers["Content-Length"]) > 0


@pytest.mark.parametrize(
    ("path", "content"), [("", b"<p>start"), ("guide/", b"<p>guide"), ("?a=b", b"<p>start")]
)
def test_a_folder_gives_its_index(base: str, path: str, content: bytes) -> None:
    assert ask(base, path)[1] == content


@pytest.mark.parametrize(
    ("path", "target"),
    [("/some/sub/path", "/some/sub/path/"), ("/some/sub/path/guide", "/some/sub/path/guide/")],
)
def test_a_missing_slash_is_added(base: str, path: str, target: str) -> None:
    response, _ = ask(base, path)
    assert (response.status, response.headers["Location"]) == (301, target)


@pytest.mark.parametrize(
    "path",
    [
        "nothing.html",
        "/",
        "/index.html",
        "/some/sub/pathology",
        "../secret.txt",
        "%2e%2e/secret.txt",
        "guide/../../secret.txt",
        "/some/sub/path//etc/hostname",
        "%00",
        "index.html%00",
    ],
)
def test_nothing_outside_is_served(base: str, path: str) -> None:
    response, content = ask(base, path)
    assert response.status == 404
    assert content.startswith(b"Nothing at ")


def test_the_sites_own_page_for_what_is_missing(folder: Path, base: str) -> None:
    (folder / "404.html").write_text("<p>lost", encoding="utf-8")
    response, content = ask(base, "nothing")
    assert (response.status, content) == (404, b"<p>lost")


def test_a_file_is_sent_again_only_when_it_has_changed(folder: Path, base: str) -> None:
    page = folder / "index.html"
    first, _ = ask(base, "")
    again, content = ask(base, "", If_None_Match=first.headers["ETag"])
    assert (again.status, content) == (304, b"")
    # Of the same length, and a moment later: what a rebuild does.
    page.write_text("<p>START", encoding="utf-8")
    os.utime(page, ns=(page.stat().st_atime_ns, page.stat().st_mtime_ns + 1_000_000))
    changed, content = ask(base, "", If_None_Match=first.headers["ETag"])
    assert (changed.status, content) == (200, b"<p>START")


def test_another_file_and_headers_can_be_chosen(folder: Path) -> None:
    (folder / "index.html.br").write_bytes(b"compressed")

    def smaller(file: Path, request: Message) -> Answer:
        packed = file.with_name(file.name + ".br")
        if "br" in request.get("Accept-Encoding", "") and packed.is_file():
            return Answer(packed, {"Content-Encoding": "br", "Vary": "Accept-Encoding"})
        return Answer(file)

    with serving(folder, choose=smaller) as base:
        packed, content = ask(base, "", Accept_Encoding="gzip, br")
        plain, plain_content = ask(base, "")
    assert (content, plain_content) == (b"compressed", b"<p>start")
    assert packed.headers["Content-Encoding"] == "br"
    assert packed.headers["Content-Type"] == plain.headers["Content-Type"] == "text/html; charset=utf-8"


def test_one_connection_serves_many_requests(base: str) -> None:
    parts = urllib.parse.urlsplit(base)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port)
    used = set()
    for path in ("index.html", "nothing", "guide", "guide/"):
        connection.request("GET", parts.path + path)
        connection.getresponse().read()
        used.add(connection.sock.getsockname())
    connection.close()
    assert len(used) == 1


def test_it_listens_on_this_machine_only_and_stops(folder: Path) -> None:
    with serving(folder) as base:
        parts = urllib.parse.urlsplit(base)
        assert parts.hostname == "127.0.0.1"
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((parts.hostname, parts.port or 0), timeout=5)


def test_a_port_that_is_taken_is_passed_over(folder: Path) -> None:
    taken, _ = make_server(folder)
    with taken:
        port = taken.server_port
        server, base = first_free(folder, port, tries=20)
        with server:
            assert port < server.server_port < port + 20
            assert base == f"http://127.0.0.1:{server.server_port}/"
        with pytest.raises(OSError, match=f"{port} to {port} are all taken"):
            first_free(folder, port, tries=1)


def test_what_cannot_be_served_is_said(folder: Path) -> None:
    with pytest.raises(FileNotFoundError, match="Build the site first"):
        make_server(folder / "nothing")
    with pytest.raises(ValueError, match="starts and ends with a slash"):
        make_server(folder, prefix="sub")
