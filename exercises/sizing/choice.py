"""What a reader of the calculator chose: a model, a chat, how many of them, and GPUs; and that as a link.

Example:
    >>> Choice().link
    'v=1&model=llama-3-1-8b'
    >>> opened("v=1&model=gpt-oss-20b&tokens=32768").name
    'gpt-oss 20B'

A link of a model of one's own carries the fields that matter, packed: `config` is base64 of zlib of JSON.
They stay with those who have the link, since a browser sends nothing of what follows `#` in an address.
"""

import binascii
import json
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from exercises.link import pairs
from pagedkv.configs.fields import MOST_TOKENS, parse
from pagedkv.configs.fits import Wish
from pagedkv.configs.layers import FORMATS, Model, model_of
from pagedkv.configs.models import MODELS
from pagedkv.configs.quantities import read_bytes, read_count, ungrouped
from pagedkv.configs.totals import MOST_BLOCK, MOST_RANKS, Deployment
from pagedkv.errors import InvalidOperation, InvalidSize, PagedKVError

OWN = "a config.json of yours"
LONGEST_LINK = 6_000
_MOST_UNPACKED = 200_000
MOST_CHATS = 1_000_000

# name -> label, what a field holds at first, and what it is read as.
FIELDS = {
    "tokens": ("Tokens in a chat", "8192"),
    "chats": ("Chats at once", "10"),
    "gpu": ("Memory of each GPU", "80 GiB"),
    "weights": ("Weights of the whole model", "16 GB"),
    "cache": ("Format of the cache", "bf16"),
    "tp": ("GPUs that divide the heads (TP)", "1"),
    "pp": ("GPUs that divide the layers (PP)", "1"),
    "block": ("Tokens in a block", "16"),
}
_NAMES = ("v", "model", "config", *FIELDS)
_COUNTS = ("tokens", "chats", "tp", "pp", "block")
_Read = TypeVar("_Read")


class WrongSetting(InvalidOperation):
    """A setting that cannot be read, or does not go with the model: its sentence, and the field's name.

    >>> try:
    ...     Choice().with_settings({"pp": "33"})
    ... except WrongSetting as wrong:
    ...     print(wrong.field, wrong)
    pp pp is 33, and the model has 32 layers to divide.
    """

    def __init__(self, sentence: str, field: str) -> None:
        super().__init__(sentence)
        self.field = field


def _defaults() -> dict[str, str]:
    return {name: default for name, (_, default) in FIELDS.items()}


def slug(name: str) -> str:
    """Return a model's name as it stands in a link.

    >>> slug("Llama 3.1 8B")
    'llama-3-1-8b'
    """
    return "-".join("".join(one if one.isalnum() else " " for one in name.lower()).split())


@dataclass(frozen=True)
class Choice:
    """A model, known by its name or of one's own, and the settings as texts that have been checked."""

    name: str = "Llama 3.1 8B"
    config: Mapping[str, Any] | None = None
    settings: dict[str, str] = field(default_factory=_defaults)

    @cached_property
    def model(self) -> Model:
        """The model."""
        return model_of(MODELS[self.name] if self.config is None else self.config)

    @cached_property
    def deployment(self) -> Deployment:
        """The model on its GPUs."""
        tp, pp = self._count("tp", MOST_RANKS), self._count("pp", MOST_RANKS)
        block, cache = self._count("block", MOST_BLOCK), self.settings["cache"]
        return _of("pp", lambda: Deployment(self.model, cache, tp, pp, block))

    @cached_property
    def wish(self) -> Wish:
        """What the GPUs are to hold."""
        weights = self.settings["weights"].strip()
        return Wish(
            tokens=self._count("tokens", MOST_TOKENS),
            chats=self._count("chats", MOST_CHATS),
            memory=_of("gpu", lambda: read_bytes(self.settings["gpu"], FIELDS["gpu"][0])),
            weights=_of("weights", lambda: read_bytes(weights, FIELDS["weights"][0], may_be_none=True))
            if weights
            else None,
        )

    def _count(self, name: str, at_most: int) -> int:
        return _of(name, lambda: read_count(self.settings[name], FIELDS[name][0], at_most))

    def checked(self) -> "Choice":
        """Return the choice itself once all of it has been read.

        Raises:
            WrongSetting: a setting is none, or does not go with the model.
            PagedKVError: the model is refused.
        """
        if self.settings["cache"] not in FORMATS:
            raise WrongSetting(f"The format of the cache must be one of {', '.join(FORMATS)}.", "cache")
        self.deployment.largest(self.wish.tokens)  # reads all of it
        return self

    def with_settings(self, said: Mapping[str, str]) -> "Choice":
        """Return another choice with some settings changed.

        >>> Choice().with_settings({"tokens": "many"})
        Traceback (most recent call last):
        exercises.sizing.choice.WrongSetting: Tokens in a chat is 'many'; it must be a whole number from 1 ...
        """
        if unknown := set(said) - set(FIELDS):
            raise InvalidOperation(f"There is no setting {min(unknown)!r:.40}.")
        plain = {name: ungrouped(text) if name in _COUNTS else text.strip() for name, text in said.items()}
        return replace(self, settings={**self.settings, **plain}).checked()

    def of_model(self, name: str) -> "Choice":
        """Return another choice: a known model, with what its weights take as far as its name says that."""
        if name not in MODELS:
            raise InvalidOperation(f"There is no model {name!r:.60} in the list.")
        return replace(
            self, name=name, config=None, settings={**self.settings, "weights": weights_of(name)}
        ).checked()

    def of_config(self, config: object) -> "Choice":
        """Return another choice: a model of one's own, of which only what matters is kept."""
        kept = model_of(config).fields.reduced
        outer = config if isinstance(config, dict) else {}
        if isinstance(outer.get("model_type"), str):
            kept = {"model_type": outer["model_type"], **kept}
        return replace(self, name=OWN, config=kept, settings={**self.settings, "weights": ""}).checked()

    @property
    def link(self) -> str | None:
        """The choice as a link, without the `#`; None where a model of one's own makes it too long."""
        said = ["v=1"]
        if self.config is None:
            said.append(f"model={slug(self.name)}")
            opens = {**_defaults(), "weights": weights_of(self.name)}
        else:
            said.append(f"config={_packed(self.config)}")
            opens = {**_defaults(), "weights": ""}
        for name, value in self.settings.items():
            if value != opens[name]:
                said.append(f"{name}={value.replace(' ', '')}")
        link = "&".join(said)
        return link if len(link) <= LONGEST_LINK else None


def _of(name: str, read: Callable[[], _Read]) -> _Read:
    """Return what is read of a setting; what is wrong with it is said with the field's name."""
    try:
        return read()
    except (InvalidOperation, InvalidSize) as error:
        raise WrongSetting(str(error), name) from None


def weights_of(name: str) -> str:
    """Return 2 bytes for each of the billions in a model's name; nothing where that is not what it takes.

    >>> weights_of("Llama 3.1 8B"), weights_of("Qwen3 30B-A3B"), weights_of("DeepSeek V3")
    ('16 GB', '60 GB', '')
    >>> weights_of("gpt-oss 20B")  # its files have fewer bytes than 2 for each
    ''
    """
    if model_of(MODELS[name]).fields.anywhere("quantization_config") is not None:
        return ""
    word = next(
        (word for word in name.replace("-", " ").split() if word[:-1].isdigit() and word[-1] == "B"), ""
    )
    return f"{2 * int(word[:-1])} GB" if word else ""


def opened(link: str) -> Choice:
    """Return the choice that a link states. Each missing part is as the page opens.

    Raises:
        PagedKVError: the link is not of this form, or names what there is not.

    >>> opened("v=1&model=gpt-9")
    Traceback (most recent call last):
    pagedkv.errors.InvalidOperation: The link names the model 'gpt-9', which is not in the list.
    """
    said = pairs(link, _NAMES, LONGEST_LINK + 100)
    said.pop("v", None)
    packed, wanted = said.pop("config", None), said.pop("model", None)
    choice = Choice()
    if packed is not None:
        choice = choice.of_config(_unpacked(packed))
    elif wanted is not None:
        named = {slug(name): name for name in MODELS}
        if wanted not in named:
            raise InvalidOperation(f"The link names the model {wanted!r:.40}, which is not in the list.")
        choice = choice.of_model(named[wanted])
    return choice.with_settings({name: value.replace("%20", " ") for name, value in said.items()})


def _packed(config: Mapping[str, Any]) -> str:
    raw = zlib.compress(json.dumps(config, separators=(",", ":")).encode(), 9)
    text = binascii.b2a_base64(raw, newline=False).decode()
    return text.rstrip("=").replace("+", "-").replace("/", "_")


def _unpacked(text: str) -> object:
    try:
        raw = binascii.a2b_base64(text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4))
        unpacked = zlib.decompressobj().decompress(raw, _MOST_UNPACKED)
        return parse(unpacked.decode())
    except (ValueError, zlib.error):  # what is refused as a file is a ValueError too
        raise PagedKVError("The link's configuration is damaged: it may have been cut off.") from None
