"""A checked look at a configuration: whole numbers within bounds, lists of the right length, refusals.

Example:
    >>> fields = fields_of(parse('{"text_config": {"num_hidden_layers": 2, "head_dim": 0}}'))
    >>> fields.count("num_hidden_layers")
    2
    >>> fields.count("head_dim")
    Traceback (most recent call last):
    pagedkv.errors.RefusedConfig: text_config.head_dim is 0; it must be a whole number from 1 to 1,000,000.

`null` is as good as absent: files write it for what a model does not have.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pagedkv.errors import RefusedConfig, shown

MOST_CHARACTERS = 4_000_000  # the longest real file has some ten thousand
MOST_LAYERS = 1_000
MOST = 1_000_000  # of heads, and of numbers in one
MOST_TOKENS = 10**12
NESTED = ("text_config", "llm_config", "language_config")
_DEEPEST = 4
_MOST_NESTED = 64
_TEXTS_AND_BRACKETS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\Z)|[\[{\]}]', re.DOTALL)

Config = Mapping[str, Any]

# What older files call a count. They are told about and not read: some of these names mean other things, too.
OLDER = {
    "num_hidden_layers": ("n_layer", "n_layers", "num_layers", "num_transformer_layers", "decoder_layers"),
    "num_attention_heads": ("n_head", "n_heads", "num_heads", "decoder_attention_heads"),
    "hidden_size": ("n_embd", "n_embed", "d_model", "model_dim", "dim"),
}


class Fields:
    """The fields of the model that is read, and which of them were asked for and found.

    Args:
        config: the object of the file that holds the model.
        path: how the file leads to it, such as "text_config.".
        outer: the fields around it, where it is nested.
    """

    def __init__(self, config: Config, path: str = "", outer: "Fields | None" = None) -> None:
        self.config = config
        self.path = path
        self.outer = outer
        self.asked: set[str] = set()
        self.shorter: dict[str, Any] = {}  # of large objects, the part that matters

    def __contains__(self, name: str) -> bool:
        return self.get(name) is not None

    def get(self, name: str) -> Any:  # noqa: ANN401 (a file may hold anything)
        """Return what the file says, or None."""
        self.asked.add(name)
        return self.config.get(name)

    def anywhere(self, name: str) -> Any:  # noqa: ANN401 (a file may hold anything)
        """Return what the model's own fields say, or those around them, or None.

        >>> fields_of({"torch_dtype": "bf16", "text_config": {}}).anywhere("torch_dtype")
        'bf16'
        """
        value = self.get(name)
        return self.outer.anywhere(name) if value is None and self.outer is not None else value

    def shorten(self, name: str, part: object) -> None:
        """Let a part of a field stand for it among those that matter, here or around."""
        holder: Fields | None = self
        while holder is not None:
            if holder.config.get(name) is not None:
                holder.shorter[name] = part
                return
            holder = holder.outer

    @property
    def that_matter(self) -> dict[str, Any]:
        """The fields that were asked for and are there: enough to read the same model again."""
        return {
            name: self.shorter.get(name, self.config[name])
            for name in sorted(self.asked)
            if self.config.get(name) is not None
        }

    @property
    def reduced(self) -> dict[str, Any]:
        """The file with nothing but what matters, nested as it was.

        >>> fields_of({"vocab_size": 7, "text_config": {"vocab_size": 7}}).reduced
        {'text_config': {}}
        """
        if self.outer is None:
            return self.that_matter
        name = self.path.rstrip(".").rsplit(".", 1)[-1]
        around = self.outer.reduced
        place = around
        for step in self.outer.path.split(".")[:-1]:
            place = place[step]
        place[name] = self.that_matter
        return around

    def older(self, name: str) -> str:
        """Return a sentence about the older names of a missing field that the file has, or nothing.

        >>> Fields({"n_layer": 12}).older("num_hidden_layers")
        ' This file says n_layer; the calculator reads num_hidden_layers.'
        """
        said = [one for one in OLDER.get(name, ()) if self.config.get(one) is not None]
        return f" This file says {' and '.join(said)}; the calculator reads {name}." if said else ""

    def refuse(self, name: str, sentence: str) -> RefusedConfig:
        """Return a refusal whose sentence begins with the field's name."""
        return RefusedConfig(f"{self.path}{name} {sentence}", name)

    def count(self, name: str, at_least: int = 1, at_most: int = MOST) -> int:
        """Return a whole number that has to be there.

        Raises:
            RefusedConfig: it is missing, no whole number, or out of bounds.
        """
        if name not in self:
            raise self.refuse(name, f"is missing; the size of the cache depends on it.{self.older(name)}")
        return self.whole(self.config[name], name, at_least, at_most)

    def whole(self, value: object, name: str, at_least: int = 1, at_most: int = MOST) -> int:
        """Return `value` if it is a whole number within bounds, else refuse it under `name`."""
        if not isinstance(value, int) or isinstance(value, bool) or not at_least <= value <= at_most:
            bounds = f"from {at_least:,} to {at_most:,}"
            raise self.refuse(name, f"is {shown(value)}; it must be a whole number {bounds}.")
        return value

    def switch(self, name: str, default: bool) -> bool:
        """Return true or false, or the default where the file says nothing."""
        value = self.get(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self.refuse(name, f"is {shown(value)}; it must be true or false.")
        return value

    def per_layer(self, name: str, num_layers: int) -> list[Any]:
        """Return a list with an entry for each layer; a text is a list of letters.

        Raises:
            RefusedConfig: it is something else, or of another length.
        """
        value = self.config[name]
        if not isinstance(value, Sequence):
            raise self.refuse(name, f"is {shown(value)}; it must have an entry for each layer.")
        if len(value) != num_layers:
            raise self.refuse(name, f"has {len(value):,} entries; num_hidden_layers is {num_layers:,}.")
        return list(value)

    def inner(self, name: str) -> "Fields":
        """Return the fields of an object in the file."""
        value = self.get(name)
        if not isinstance(value, Mapping):
            raise self.refuse(name, f"is {shown(value)}; it must be an object with fields.")
        return Fields(value, f"{self.path}{name}.")


def parse(text: str) -> object:
    """Return what the text of a `config.json` holds. `Infinity` and `NaN` may stand in it as bare words.

    Raises:
        RefusedConfig: the text is no JSON, or is longer than any configuration.

    >>> parse('{"time_step_limit": [0.0, Infinity]}')
    {'time_step_limit': [0.0, inf]}
    >>> parse("{")
    Traceback (most recent call last):
    pagedkv.errors.RefusedConfig: The file is no JSON: Expecting property name ... line 1 column 2 (char 1).
    """
    if len(text) > MOST_CHARACTERS:
        raise RefusedConfig(
            f"The file has more than {MOST_CHARACTERS:,} characters; a config.json has a few thousand."
        )
    # A browser's Python has a small stack, and may not survive to say that it has come to its end.
    if _depth(text) > _MOST_NESTED:
        raise RefusedConfig("The file is nested deeper than any configuration.")
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise RefusedConfig(f"The file is no JSON: {error}.") from None
    except ValueError:  # a number of more digits than Python reads
        raise RefusedConfig("The file holds a number with thousands of digits.") from None


def _depth(text: str) -> int:
    """Return how deep brackets are nested, leaving out what stands in quotes."""
    deepest = depth = 0
    for found in _TEXTS_AND_BRACKETS.finditer(text):
        mark = found[0]
        depth += (mark in "[{") - (mark in "]}")
        deepest = max(deepest, depth)
    return deepest


def fields_of(config: object) -> Fields:
    """Return the fields of the text model in a configuration that has been read already.

    >>> fields_of({"text_config": {"head_dim": 64}}).path
    'text_config.'
    """
    if not isinstance(config, Mapping):
        kind = {list: "a list", str: "a text", type(None): "null"}.get(type(config), "a bare value")
        raise RefusedConfig(f"The file is {kind}; a config.json holds one object with fields.")
    fields = Fields(config)
    for _ in range(_DEEPEST):
        name = next((name for name in NESTED if name in fields), None)
        if name is None:
            break
        around, fields = fields, fields.inner(name)
        fields.outer = around
    return fields


def model_type(*configs: Config) -> str | None:
    """Return what the first of them calls its kind of model: plain words, or None.

    >>> model_type({"model_type": "qwen3"}, {"model_type": "qwen3_text"})
    'qwen3'
    """
    for value in (config.get("model_type") for config in configs):
        if isinstance(value, str) and re.fullmatch(r"[\w.-]{1,60}", value, re.ASCII):
            return value
    return None
