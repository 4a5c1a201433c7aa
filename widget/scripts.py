"""The scripts of the widget as a site serves them: no comments, and a first script names all that it needs.

Example:
    >>> needed("worker.js")[:2]
    ['built.js', 'digest.js']

A browser learns what a script imports once it has that script. A chain of four is four times a wait, over the
line or for a browser that is busy; a first script that names them all has them come at the same time.
"""

import re
from pathlib import Path

BROWSER = Path(__file__).resolve().parent / "browser"
# What a page starts by address: itself, and the thread of its Python.
FIRST = ("element.js", "worker.js")

# A line of its own, or lines; and a cast, which stands beside code.
_COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*\*(?:(?!\*/).)*\*/[ \t]*)\n", re.MULTILINE | re.DOTALL)
_CAST = re.compile(r"/\*\* @type [^*\n]*\*/ ?")
_COMMENT_OF_STYLE = re.compile(r"^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*\n", re.MULTILINE | re.DOTALL)
# Within a value, as where an area of a grid has a line of its own, a line's end stands for a space.
_NEEDLESS_SPACE = re.compile(r"^ +|(?<=[{};,])\n+", re.MULTILINE)
_IMPORT = re.compile(r'^import [^"]* from "\./([^"]+)";$', re.MULTILINE)


def as_served(path: Path) -> bytes:
    """Return a file for browsers as it is served: without comments.

    They are a third of a script's bytes, which a reader would wait for. A style sheet is not laid out either.
    Code is left as it is written, and a line before it names what a first script gets by way of others.

    >>> b"// " in as_served(BROWSER / "worker.js")
    False
    """
    if path.suffix != ".js":
        return _NEEDLESS_SPACE.sub("", _COMMENT_OF_STYLE.sub("", path.read_text(encoding="utf-8"))).encode()
    code = _CAST.sub("", _COMMENT.sub("", path.read_text(encoding="utf-8")))
    if path.parent != BROWSER or path.name not in FIRST:
        return code.encode()
    far = [name for name in needed(path.name) if name not in _IMPORT.findall(code)]
    return ("".join(f'import "./{name}";' for name in far) + "\n" + code).encode()


def needed(script: str) -> list[str]:
    """Return all that a script imports, however far away, by name and in the order of the alphabet.

    What the build writes (`built.js`) imports nothing.

    >>> needed("digest.js")
    []
    """
    found: set[str] = set()
    new = {script}
    while new:
        texts = [(BROWSER / name).read_text(encoding="utf-8") for name in new if (BROWSER / name).is_file()]
        new = {name for text in texts for name in _IMPORT.findall(text)} - found
        found |= new
    return sorted(found)
