"""The command line of the calculator: `python -m pagedkv size config.json --tokens 8192 --memory 80GiB`.

What is refused, a file or an argument, ends with exit code 2 and one sentence on stderr.
"""

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any, NoReturn

from pagedkv.configs.fields import MOST_CHARACTERS, MOST_TOKENS
from pagedkv.configs.fits import Wish, what_fits
from pagedkv.configs.layers import FORMATS, read_config
from pagedkv.configs.quantities import read_bytes, read_count
from pagedkv.configs.quantities import size as in_bytes
from pagedkv.configs.report import report
from pagedkv.configs.totals import BATCHED_TOKENS, MOST_BLOCK, MOST_RANKS, Deployment
from pagedkv.errors import InvalidOperation, PagedKVError, RefusedConfig, shown

_EXIT = 2


class Parser(argparse.ArgumentParser):
    """Says what is wrong with an argument in one line."""

    def error(self, message: str) -> NoReturn:
        """Say it, and end."""
        found = re.fullmatch(r"argument (--[\w-]+): expected one argument", message)
        if found:
            message = f"{found[1]} needs a value after it, which does not begin with a minus"
        self.exit(_EXIT, f"{message[:1].upper()}{message[1:]}.\n")


def arguments_of(parser: argparse.ArgumentParser) -> None:
    """State the arguments. All are texts here: a number that is none gets a sentence of our own."""
    parser.add_argument("config", metavar="CONFIG", help="a config.json, the folder that holds one, or -")
    parser.add_argument("--tokens", metavar="N", help="length of a chat")
    parser.add_argument("--chats", metavar="N", help="how many chats of that length")
    parser.add_argument("--memory", metavar="80GiB", help="memory of each GPU; GB is 10^9, GiB is 2^30 bytes")
    parser.add_argument("--weights", metavar="16GB", help="weights of the whole model; each GPU has a part")
    parser.add_argument("--cache-dtype", default="bf16", metavar="|".join(FORMATS), help="default bf16")
    parser.add_argument("--tp", default="1", metavar="N", help="GPUs that divide the heads")
    parser.add_argument("--pp", default="1", metavar="N", help="GPUs that divide the layers")
    parser.add_argument("--block-size", default="16", metavar="N", help="tokens in a block, default 16")
    parser.add_argument("--json", action="store_true", help="print what pagedkv.configs.report describes")


def size(chosen: argparse.Namespace) -> int:
    """Carry out the command, and return its exit code."""
    try:
        found, deployment, wish = _answer(chosen)
    except PagedKVError as refusal:
        sys.stderr.write(f"{refusal}\n")
        return _EXIT
    if chosen.json:
        sys.stdout.write(json.dumps(found, indent=2) + "\n")
    else:
        sys.stdout.write("\n".join(in_words(found, deployment, wish)) + "\n")
    return 0


def _answer(chosen: argparse.Namespace) -> tuple[dict[str, Any], Deployment, Wish]:
    wish = Wish(
        tokens=_optional(chosen.tokens, "--tokens"),
        chats=_optional(chosen.chats, "--chats"),
        memory=None if chosen.memory is None else read_bytes(chosen.memory, "--memory"),
        weights=None if chosen.weights is None else read_bytes(chosen.weights, "--weights", may_be_none=True),
    )
    if chosen.cache_dtype not in FORMATS:
        known = ", ".join(FORMATS)
        raise InvalidOperation(f"--cache-dtype is {shown(chosen.cache_dtype)}; it must be one of {known}.")
    if wish.chats is not None and wish.tokens is None:
        raise InvalidOperation("--chats needs --tokens: how long a chat is.")
    tp = read_count(chosen.tp, "--tp", MOST_RANKS)
    pp = read_count(chosen.pp, "--pp", MOST_RANKS)
    block = read_count(chosen.block_size, "--block-size", MOST_BLOCK)
    deployment = Deployment(read_config(read_file(chosen.config)), chosen.cache_dtype, tp, pp, block)
    return report(deployment, wish), deployment, wish


def read_file(name: str) -> str:
    """Return the text of a configuration.

    Raises:
        RefusedConfig: there is none, it cannot be read, or it is far too long.

    >>> read_file("nowhere.json")
    Traceback (most recent call last):
    pagedkv.errors.RefusedConfig: 'nowhere.json' cannot be read: No such file or directory.
    """
    path = Path(name)
    try:
        if name == "-":
            raw = sys.stdin.buffer.read(MOST_CHARACTERS + 1)
        else:
            if path.is_dir():
                path /= "config.json"
            with path.open("rb") as file:
                raw = file.read(MOST_CHARACTERS + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is no file name"
        raise RefusedConfig(f"{shown(name)} cannot be read: {reason}.") from None
    if len(raw) > MOST_CHARACTERS:
        raise RefusedConfig(
            f"{shown(name)} has more than {MOST_CHARACTERS:,} bytes; a config.json has a few thousand."
        )
    try:
        return raw.decode("utf-16" if raw.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig")
    except UnicodeDecodeError:
        raise RefusedConfig(f"{shown(name)} is no text in UTF-8 or UTF-16, as a config.json is.") from None


def _optional(text: str | None, name: str) -> int | None:
    return None if text is None else read_count(text, name, MOST_TOKENS)


def in_words(found: dict[str, Any], deployment: Deployment, wish: Wish) -> list[str]:
    """Return the report as lines for a reader."""
    layers = deployment.model.layers
    kinds = {kind: sum(layer.kind == kind for layer in layers) for kind in ("full", "latent", "window")}
    kinds |= {kind: sum(layer.kind == kind for layer in layers) for kind in ("linear", "shared", "none")}
    counted = ", ".join(f"{count} {kind}" for kind, count in kinds.items() if count)
    where = "" if deployment.tp * deployment.pp == 1 else ", on the GPU that keeps most"
    lines = [
        f"{found['model_type'] or 'a model'}: {len(layers)} layers ({counted})",
        f"format of the cache: {deployment.cache_dtype}",
    ]
    if found["full_bytes_per_token"]:
        lines.append(f"each token{where}: {in_bytes(found['full_bytes_per_token'])}")
    lines += [
        f"{'and' if found['full_bytes_per_token'] else 'each token,'} in layers with a window of "
        f"{entry['window']:,}: {in_bytes(entry['bytes_per_token'])} a token"
        for entry in found["window_layers"]
    ]
    if found["indexer_bytes_per_token"]:
        lines.append(f"and for the indexer: {in_bytes(found['indexer_bytes_per_token'])} a token")
    if wish.tokens is not None:
        lines.append(f"a chat of {wish.tokens:,} tokens{where}: {in_bytes(found['bytes_ideal'])} ideal")
        lines.append(f"  {in_bytes(found['bytes_in_blocks'])} in blocks of {deployment.block_size:,}")
        if found["window_layers"]:
            lines.append(
                f"  {in_bytes(found['bytes_engine_reserved'])} as vLLM reserves it, each window with room "
                f"for a batch of up to {BATCHED_TOKENS:,} tokens"
            )
        if where:
            lines.append(f"  on all GPUs together: {in_bytes(found['bytes_ideal_all_ranks'])} ideal")
    if wish.chats is not None:
        such = "such chat" if wish.chats == 1 else "such chats"
        lines.append(
            f"{wish.chats:,} {such}{where}: {in_bytes(found['bytes_in_blocks_all_chats'])} in blocks"
        )
    fits = what_fits(deployment, wish)
    return [*lines, *fits, *(f"note: {note}" for note in found["notes"] if note not in fits)]
