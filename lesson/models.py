"""Well-known models on a page: their layers as a strip, and figures that the calculator's rules give.

Example:
    >>> of_model("Llama 3.1 8B", 1), of_model("Llama 3.1 8B", 131072)
    ('<span class="model num">128 KiB</span>', '<span class="model num">16 GiB</span>')
"""

from collections.abc import Sequence
from functools import cache

from exercises.sizing.choice import Choice, slug
from figures.markup import el, write
from figures.model import KINDS, in_words, sample, strip
from figures.views import FIGURE_VIEWS
from figures.words import counted
from lesson.errors import Missing
from pagedkv.configs.layers import model_of
from pagedkv.configs.mistakes import in_times, mistakes, wrong_bytes
from pagedkv.configs.models import MODELS
from pagedkv.configs.totals import Deployment
from pagedkv.sizes import in_binary_units


@cache
def deployment(name: str) -> Deployment:
    """Return a well-known model on one GPU with a 16-bit cache.

    Raises:
        Missing: it is not in the list.

    >>> deployment("Llama 2 7B").bytes_per_token()
    524288
    """
    if name not in MODELS:
        raise Missing("model", name, MODELS)
    return Deployment(model_of(MODELS[name]))


def of_model(name: str, tokens: int) -> str:
    """Return what a chat of so many tokens takes."""
    return _num(in_binary_units(deployment(name).bytes_per_chat(tokens)))


def tokens(count: int) -> str:
    """Return the tokens that a figure is for, as the page writes them.

    >>> tokens(4096)
    '<span class="model num">4,096</span>'
    """
    return _num(f"{count:,}")


def size_command() -> str:
    """Return the command that answers on a command line what the calculator opens with, as a block of code.

    >>> print(size_command().splitlines()[3])
      --tokens 8192 \\
    """
    own = Choice().settings
    words = {"tokens": own["tokens"], "chats": own["chats"], "memory": own["gpu"], "weights": own["weights"]}
    options = [f"--{name} {value.replace(' ', '')}" for name, value in words.items()]
    # Lines that a phone shows whole.
    lines = ["python -m pagedkv size", "config.json", *options, "--json"]
    command = " \\\n  ".join(lines)
    return f"```text\n{command}\n```"


def of_mistake(name: str, mistake: str, tokens: int) -> str:
    """Return how far a common mistake about a model is off.

    Raises:
        Missing: it makes no difference to this model.

    >>> of_mistake("Llama 3.1 8B", "query heads for KV heads", 1)
    '<span class="model num">4</span> times as much'
    """
    right = deployment(name)
    found = {one.name: one for one in mistakes(right.model)}
    if mistake not in found:
        raise Missing(f"mistake about {name}", mistake, found)
    number, _, words = in_times(
        wrong_bytes(found[mistake], right, tokens), right.bytes_per_chat(tokens)
    ).partition(" ")
    return f"{_num(number)} {words}"


def model_strip(name: str, base: str) -> str:
    """Return a model's layers, what each kind keeps, and the way to the calculator with this model in it.

    >>> model_strip("gpt-oss 20B", "").count("<svg")
    4
    """
    kinds = [layer.kind for layer in deployment(name).model.layers]
    pictures = [strip(kinds, view, name=slug(name)) for view in FIGURE_VIEWS]
    meanings = [
        el("li", sample(kind), f" {counted(kinds.count(kind), 'layer')}, {kind}: {KINDS[kind][2]}")
        for kind in KINDS
        if kind in kinds
    ]
    link = el("a", "Open it in the calculator", href=f"{base}calculator.html#v=1&model={slug(name)}")
    return write(
        el(
            "figure",
            el("div", pictures, class_="kv-pair"),
            el(
                "figcaption",
                el("p", el("strong", f"{name}. "), in_words(kinds)),
                el("ul", meanings, class_="lesson-kinds"),
                el("p", link, class_="lesson-ways"),
            ),
            class_="lesson-figure kv-theme",
            data_search_exclude=True,
        )
    )


def model_rows(names: Sequence[str], lengths: Sequence[int]) -> str:
    """Return a table in Markdown: models, and what a chat of each length takes.

    >>> print(model_rows(["Llama 2 7B"], [1, 1000]).splitlines()[-1])
    | Llama 2 7B | <span class="model num">512 KiB</span> | <span class="model num">500 MiB</span> |
    """
    head = ["model", *(counted(one, "token") for one in lengths)]
    rows = [[name, *(of_model(name, one) for one in lengths)] for name in names]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])


def _num(text: str) -> str:
    # Apart from numbers of the lesson, which have a name each and follow its model.
    return f'<span class="model num">{text}</span>'
