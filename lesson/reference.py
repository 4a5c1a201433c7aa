"""Reference pages, one a module of `pagedkv`, made from its docstrings and signatures.

Example:
    >>> page = module_page("pagedkv.sizes")
    >>> [line for line in page.splitlines() if line.startswith("## ")][1]
    '## kv_bytes_per_token { #kv_bytes_per_token }'

The source is read and not run (`ast`), like the excerpts. Public is what has a docstring and no underscore.
"""

import ast
import inspect
import re
from collections.abc import Iterable, Iterator
from typing import Any

from lesson.cards import card_name
from lesson.errors import Missing
from lesson.excerpts import ROOT

FOLDER = "reference/"
INDEX = f"{FOLDER}index.md"

_Callable = ast.FunctionDef | ast.AsyncFunctionDef
_SECTION = re.compile(r"^(Args|Raises|Returns|Example|Shapes|Source|Units|Ids):(.*)$")
_ITEM = re.compile(r"^    (\S[^:]*): (.*)$")


def reference_pages(paths: Iterable[str]) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield (path, what its front matter says, Markdown) for those of `paths` that are reference pages.

    >>> [path for path, meta, text in reference_pages(["index.md", "reference/sizes.md"])]
    ['reference/sizes.md']
    """
    wanted = [path for path in paths if path.startswith(FOLDER)]
    modules = {path: f"pagedkv.{path.removeprefix(FOLDER).removesuffix('.md')}" for path in wanted}
    for path, module in modules.items():
        if path == INDEX:
            title, said = "Reference", "Every public name of pagedkv, made from its docstrings."
            text = _index([(other, name) for other, name in modules.items() if other != INDEX])
        else:
            title, said = module, _summary(module)
            text = module_page(module)
        source = "" if path == INDEX else f"{module.replace('.', '/')}.py"
        meta = {"title": title, "search_title": title, "description": said, "source": source}
        meta["card"] = card_name(path)
        front = "".join(f"{name}: {_quoted(value)}\n" for name, value in meta.items() if value)
        # Who searches for a word wants to read about it first, and to look it up second.
        yield path, meta, f"---\n{front}search:\n  boost: 0.5\n---\n\n{text}"


def module_page(module: str) -> str:
    """Return a module's docstring and those of its public classes, methods and functions, as Markdown.

    Raises:
        Missing: there is no module of that name.
    """
    tree = _tree(module)
    path = f"{module.replace('.', '/')}.py"
    parts = [f"# {module}", f"`{path}`" + "{ .lesson-file }", *_docstring(tree)]
    for node in tree.body:
        if isinstance(node, ast.ClassDef | _Callable) and _is_public(node):
            parts += _definition(node, "##", "")
    return "\n\n".join(parts) + "\n"


def _definition(node: ast.ClassDef | _Callable, level: str, owner: str) -> list[str]:
    name = f"{owner}{node.name}"
    parts = [f"{level} {name} {{ #{name} }}"]
    if isinstance(node, ast.ClassDef):
        inside = [one for one in node.body if isinstance(one, _Callable)]
        start = next((one for one in inside if one.name == "__init__"), None)
        bases = f"({', '.join(map(ast.unparse, node.bases))})" if node.bases else ""
        sign = f"class {node.name}{bases}" if start is None else _signature(start, f"class {node.name}")
        parts += [_fence("python", sign), *_docstring(node)]
        for inner in filter(_is_public, inside):
            parts += _definition(inner, f"{level}#", f"{node.name}.")
        return parts
    is_property = any(ast.unparse(one).endswith("property") for one in node.decorator_list)
    sign = (
        f"{node.name}: {ast.unparse(node.returns)}"
        if is_property and node.returns
        else _signature(node, node.name)
    )
    return [*parts, _fence("python", sign), *_docstring(node)]


def _signature(node: _Callable, name: str) -> str:
    """Return a signature on one line, or with one parameter a line where that would be too long."""
    arguments = ast.unparse(node.args)
    arguments = re.sub(r"^(self|cls)(, )?", "", arguments)
    returned = f" -> {ast.unparse(node.returns)}" if node.returns and node.name != "__init__" else ""
    text = f"{name}({arguments}){returned}"
    if len(text) <= 80:
        return text
    lines = "".join(f"    {one},\n" for one in re.split(r", (?![^\[(]*[\])])", arguments))
    return f"{name}(\n{lines}){returned}"


def _docstring(node: ast.Module | ast.ClassDef | _Callable) -> list[str]:
    """Return a docstring as parts of a page: prose, doctests in fences, arguments and errors as lists."""
    text = inspect.cleandoc(ast.get_docstring(node) or "")
    parts: list[str] = []
    for block in re.split(r"\n\s*\n", text):
        lines = block.split("\n")
        section = _SECTION.match(lines[0])
        if section is not None and len(lines) > 1 and lines[1].startswith("    "):
            parts.append(f"**{section[1]}**{section[2]}")
            lines = lines[1:]
            parts.append(_items(lines) if _ITEM.match(lines[0]) else _prose_or_code(lines))
        elif lines[0].startswith("    ") and not lines[0].lstrip().startswith(">>>"):
            parts.append(_fence("text", inspect.cleandoc("\n".join(lines))))
        else:
            parts.append(_prose_or_code(lines))
    return parts


def _prose_or_code(lines: list[str]) -> str:
    text = inspect.cleandoc("\n".join(lines))
    if text.startswith(">>>"):
        return _fence("pycon", text)
    if "\n>>>" in text:
        words, code = text.split("\n>>>", 1)
        return f"{_escaped(words)}\n\n{_fence('pycon', '>>>' + code)}"
    return _escaped(text)


def _items(lines: list[str]) -> str:
    """Return `name: what it is` lines, each with the lines that continue it, as a list."""
    items: list[str] = []
    for line in lines:
        found = _ITEM.match(line)
        if found:
            items.append(f"- `{found[1]}`: {_escaped(found[2])}")
        elif items:
            items[-1] += f" {_escaped(line.strip())}"
    return "\n".join(items)


def _escaped(text: str) -> str:
    """Keep Markdown from reading powers, products and tags in prose; code in backticks stays."""
    pieces = re.split(r"(`[^`]*`)", text)
    return "".join(
        piece if piece.startswith("`") else re.sub(r"(?<=\S)\*\*(?=\S)|[<\[\]]", r"\\\g<0>", piece)
        for piece in pieces
    )


def _fence(language: str, text: str) -> str:
    return f"```{{ .{language} }}\n{text}\n```"


def _index(modules: list[tuple[str, str]]) -> str:
    lines = [
        f"- [`{module}`]({path.removeprefix(FOLDER)}): {_escaped(_summary(module))}"
        for path, module in modules
    ]
    words = (
        "Names of `pagedkv` import from it, or from the module below that has them; those of the calculator "
        "import from `pagedkv.configs`. The examples are doctests: they run with every change, so what they "
        "show is what the code does."
    )
    return "\n\n".join(["# Reference", words, "\n".join(lines)]) + "\n"


def _summary(module: str) -> str:
    text = ast.get_docstring(_tree(module)) or ""
    return " ".join(text.split("\n\n")[0].split())


def _tree(module: str) -> ast.Module:
    file = ROOT / f"{module.replace('.', '/')}.py"
    if not file.is_file():
        raise Missing("module", module, [f"pagedkv.{one.stem}" for one in (ROOT / "pagedkv").glob("*.py")])
    return ast.parse(file.read_text(encoding="utf-8"))


def _is_public(node: ast.ClassDef | _Callable) -> bool:
    return not node.name.startswith("_") and ast.get_docstring(node) is not None


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
