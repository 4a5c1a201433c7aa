"""Colours: letters and words keep 4.5 : 1, shapes 3 : 1, and owners stay apart for colour-blind eyes."""

from itertools import combinations

import pytest

from figures.theme import DARK, LIGHT, file_css, page_css, palette

THEMES = {"light": palette(LIGHT), "dark": palette(DARK)}

# Viénot, Brettel and Mollon 1999: linear RGB as seen with one kind of cone missing.
PROTAN = ((0.11238, 0.88762, 0.0), (0.11238, 0.88762, 0.0), (0.00401, -0.00401, 1.0))
DEUTAN = ((0.29275, 0.70725, 0.0), (0.29275, 0.70725, 0.0), (-0.02234, 0.02234, 1.0))


def linear(colour: str) -> tuple[float, float, float]:
    def channel(text: str) -> float:
        value = int(text, 16) / 255
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    return channel(colour[1:3]), channel(colour[3:5]), channel(colour[5:7])


def luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_letters_and_words_can_be_read(theme: str) -> None:
    colours = THEMES[theme]
    for owner in "abcd":
        assert contrast(colours["letter"], colours[owner]) >= 4.5
        assert contrast(colours[owner], colours["card"]) >= 4.5, "the owner's letter on a chat's card"
    for words in ("ink", "soft", "warn"):
        assert contrast(colours[words], colours["card"]) >= 4.5
        assert contrast(colours[words], colours["paper"]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_shapes_can_be_seen(theme: str) -> None:
    colours = THEMES[theme]
    for owner in "abcd":
        assert contrast(colours[owner], colours["card"]) >= 3
        assert contrast(colours[f"{owner}-frame"], colours["card"]) >= 3
    assert contrast(colours["free"], colours["card"]) >= 3


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("matrix", [PROTAN, DEUTAN], ids=["protanopia", "deuteranopia"])
def test_owners_differ_for_colour_blind_readers(theme: str, matrix: tuple[tuple[float, ...], ...]) -> None:
    def seen(colour: str) -> list[float]:
        values = linear(colour)
        mixed = (sum(share * value for share, value in zip(row, values, strict=True)) for row in matrix)
        # Roughly even steps for the eye, as in sRGB.
        return [max(value, 0.0) ** (1 / 2.2) for value in mixed]

    for one, other in combinations("abcd", 2):
        pairs = zip(seen(THEMES[theme][one]), seen(THEMES[theme][other]), strict=True)
        distance = sum((a - b) ** 2 for a, b in pairs) ** 0.5
        assert distance > 0.1, f"{one} and {other}"


def test_pages_use_variables_and_files_plain_values() -> None:
    assert "light-dark(" in page_css()
    assert "var(" not in file_css()
    for name in palette(LIGHT):
        assert f"--{name}:light-dark(" in page_css()
