"""Colours and type, once: as CSS for pages, with variables, and as CSS for SVG files, without.

Example:
    >>> LIGHT["a"], DARK["a"]
    ('#1f5fa8', '#7cb3f2')
    >>> ".s0.used{fill:var(--a)}" in page_css(), ".s0.used{fill:#1f5fa8}" in file_css()
    (True, True)

Colour is for the owner only; everything else is ink, soft ink, line or paper. A seat (the number of a chat
among those that are there) picks the owner's colour, and in print and forced colours its pattern.

SVG files hold plain values because slide programs and drawing programs do not know CSS variables.
"""

import re

NUM_SEATS = 4
_OWNERS = "abcd"

# Owners stay apart for colour-blind readers; letters on them keep 4.5 : 1, shapes 3 : 1 (a test computes it).
LIGHT = {
    "paper": "#fbfaf7", "card": "#ffffff", "ink": "#1d2329", "soft": "#56616b", "line": "#e3e0d8",
    "a": "#1f5fa8", "b": "#b94d00", "c": "#0b7a66", "d": "#8a3f8f",
    "free": "#8f8b80", "mark": "#fff3c9", "warn": "#b3261e", "letter": "#ffffff",
}  # fmt: skip
DARK = {
    "paper": "#14171a", "card": "#1c2125", "ink": "#e9e6df", "soft": "#a2aab1", "line": "#31383e",
    "a": "#7cb3f2", "b": "#ff9a4d", "c": "#4fd1b5", "d": "#d49adb",
    "free": "#6f7880", "mark": "#3a3413", "warn": "#ff8a80", "letter": "#14171a",
}  # fmt: skip

THEMES = {"light": LIGHT, "dark": DARK}

# Shares of the owner's colour over the card: a slot that is held and empty, its line, and a frame.
_TINTS = {"tint": 0.16, "edge": 0.6, "frame": 0.7}

_SANS = '"Inter",system-ui,-apple-system,"Segoe UI",sans-serif'

_RULES = """
text{font-family:FONT;fill:var(--soft)}
.paper{fill:var(--card)}
.letter{font-weight:600;text-anchor:middle;fill:var(--letter)}
.free{fill:none;stroke:var(--free);stroke-dasharray:3 3}
.frame,.loose{fill:none;stroke-width:1.2}
.loose{stroke:var(--line)}
.tick{text-anchor:middle}
.strong{fill:var(--ink);font-weight:600}
.soft{fill:var(--soft)}
.plain{fill:var(--ink)}
.warn{fill:var(--warn);font-weight:600}
.fresh{fill:none;stroke:var(--ink);stroke-width:2.4}
.look{fill:none;stroke:var(--ink);stroke-width:1.8;stroke-dasharray:2 2}
.arrow{fill:none;stroke:var(--ink);stroke-width:1.4}
.head{fill:var(--ink);stroke:none}
.chip{fill:var(--card);stroke:var(--free)}
.brace{fill:none;stroke:var(--soft)}
.hatch{fill:none;stroke:none;stroke-width:1.2}
"""

# A picture comes in several widths, one after the other in the page, the broadest last; the container's width
# picks one. A live page holds only the one that fits.
_PAIR_RULES = """
.kv-pair{container-type:inline-size}
.kv-pair .kv-picture{display:block;width:100%;height:auto;overflow:visible}
.kv-pair .kv-narrow{max-width:600px}
.kv-pair :is(.kv-wide,.kv-broad):not(:only-child){display:none}
@container (min-width:672px){
.kv-pair .kv-wide:not(:only-child){display:block}
.kv-pair .kv-narrow:not(:only-child){display:none}
}
@container (min-width:940px){
.kv-pair .kv-wide:not(:last-child){display:none}
.kv-pair .kv-broad:not(:only-child){display:block}
}
"""

_SEAT_RULES = """
.sN.used{fill:var(--OWNER)}
.sN.kept{fill:var(--OWNER-tint);stroke:var(--OWNER-edge)}
.sN.frame{stroke:var(--OWNER-frame)}
.sN.chip{stroke:var(--OWNER-frame)}
.sN.name{fill:var(--OWNER);font-weight:600}
"""

# On paper ink is dear and colours may be lost: owners get outlines, letters and patterns.
_PRINT_RULES = """
.used,.sN.used{fill:#fff;stroke:#000}
.kept,.sN.kept{fill:#fff;stroke:#777}
.free{stroke:#999}
.letter{fill:#000}
.frame,.sN.frame{stroke:#000}
.hatch{stroke:#000}
text,.strong,.plain,.warn,.sN.name{fill:#000}
"""

_FORCED_RULES = """
.used,.sN.used{fill:Canvas;stroke:CanvasText}
.kept,.sN.kept{fill:Canvas;stroke:GrayText}
.free{stroke:GrayText}
.letter,text,.strong,.plain,.warn,.sN.name{fill:CanvasText}
.frame,.sN.frame,.fresh,.look,.arrow,.hatch,.brace{stroke:CanvasText}
.head{fill:CanvasText}
.fresh{stroke:Highlight}
"""


def palette(colours: dict[str, str]) -> dict[str, str]:
    """Return the colours of a theme with the owners' tints added.

    >>> palette(LIGHT)["a-tint"]
    '#dbe5f1'
    """
    tints = {
        f"{owner}-{name}": _mix(colours[owner], colours["card"], share)
        for owner in _OWNERS
        for name, share in _TINTS.items()
    }
    return colours | tints


def page_css() -> str:
    """Return the style of pictures in a page, as rules below `.kv-picture`, with one variable per colour.

    An element of class `kv-theme` around them holds the variables. Both widths of a picture stand in an
    element of class `kv-pair`, which shows the one that fits.
    `light-dark()` follows the `color-scheme` that the page, or a part of it, has chosen.

    >>> page_css().splitlines()[0][:40]
    '.kv-theme{--paper:light-dark(#fbfaf7,#14'
    """
    light, dark = palette(LIGHT), palette(DARK)
    variables = ";".join(f"--{name}:light-dark({light[name]},{dark[name]})" for name in light)
    scope = ".kv-picture"
    return (
        f".kv-theme{{{variables}}}\n{_tidy(_PAIR_RULES)}{_scoped(_rules(), scope)}"
        f"@media print{{\n{_scoped(_seats(_PRINT_RULES), scope)}}}\n"
        f"@media (forced-colors:active){{\n{_scoped(_seats(_FORCED_RULES), scope)}}}\n"
    )


def file_css(theme: str | None = None) -> str:
    """Return the style of an SVG file: plain values, and the dark ones for readers who prefer dark.

    Args:
        theme: one of `THEMES`, for a file that is to look the same to everybody.

    >>> "var(" in file_css()
    False
    >>> ".paper{fill:#1c2125}" in file_css("dark"), "@media" in file_css("dark")
    (True, False)
    """
    if theme is not None:
        return plain_css(THEMES[theme])
    return (
        f"{plain_css(LIGHT)}@media screen and (prefers-color-scheme:dark){{\n{plain_css(DARK)}}}\n"
        f"@media print{{\n{_seats(_PRINT_RULES)}}}\n"
        f"@media (forced-colors:active){{\n{_seats(_FORCED_RULES)}}}\n"
    )


def plain_css(colours: dict[str, str]) -> str:
    """Return the rules of pictures in one theme's plain values, for what knows neither variables nor media.

    >>> ".s0.used{fill:#7cb3f2}" in plain_css(DARK), "@media" in plain_css(DARK)
    (True, False)
    """
    rules = _rules()
    for name, value in palette(colours).items():
        rules = rules.replace(f"var(--{name})", value)
    return rules


def _rules() -> str:
    seats = "".join(
        _SEAT_RULES.replace("sN", f"s{seat}").replace("OWNER", owner) for seat, owner in enumerate(_OWNERS)
    )
    return _tidy(_RULES.replace("FONT", _SANS) + seats)


def _seats(rules: str) -> str:
    """Spell a rule that speaks of any seat out for each of them."""

    def spelled(selector: str) -> list[str]:
        return [selector.replace("sN", f"s{n}") for n in range(NUM_SEATS)] if "sN" in selector else [selector]

    lines = []
    for rule in _tidy(rules).splitlines():
        selectors, body = rule.split("{", 1)
        every = [one for selector in selectors.split(",") for one in spelled(selector)]
        lines.append(",".join(every) + "{" + body + "\n")
    return "".join(lines)


def _scoped(rules: str, scope: str) -> str:
    lines = []
    for rule in rules.splitlines():
        selectors, body = rule.split("{", 1)
        lines.append(",".join(f"{scope} {selector}" for selector in selectors.split(",")) + "{" + body + "\n")
    return "".join(lines)


def _tidy(rules: str) -> str:
    return re.sub(r"\n+", "\n", rules).lstrip("\n")


def _mix(colour: str, under: str, share: float) -> str:
    pairs = zip(_channels(colour), _channels(under), strict=True)
    return "#" + "".join(f"{round(share * top + (1 - share) * below):02x}" for top, below in pairs)


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
