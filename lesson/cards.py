"""The cards of pages as PNG files, which is what social networks read. Drawn by `figures.card`.

Example:
    >>> card_name("deep/cache.md"), card_name("reference/blocks.md")
    ('assets/cards/deep-cache.png', 'assets/cards/reference.png')

The type on them is IBM Plex Sans, from a package, so that every machine draws the same card.
"""

from functools import lru_cache
from importlib.resources import files

import resvg_py

from figures.card import card
from pagedkv.side_by_side import replay
from widget.story import Story

FOLDER = "assets/cards/"
_FAMILY = "IBM Plex Sans"


def card_name(path: str) -> str:
    """Return where the card of a page lies, from the root of the site. Reference pages share one."""
    name = path.removesuffix(".md").replace("/", "-")
    return f"{FOLDER}{'reference' if name.startswith('reference-') else name}.png"


# Sites are built more than once in a test run, and most cards are the same each time.
@lru_cache(maxsize=64)
def card_png(title: str, site: str, story: Story) -> bytes:
    """Return the card of a page that opens the widget at a story.

    >>> card_png("A page", "A site", Story.of("start"))[1:4]
    b'PNG'
    """
    model, _ = replay(story.settings, story.operations[: story.step])
    font = files("fontpkg_ibm_plex_sans") / "files" / "IBMPlexSans[wdth,wght].ttf"
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=card(title, site, model.snapshot()),
            skip_system_fonts=True,
            font_files=[str(font)],
            font_family=_FAMILY,
            sans_serif_family=_FAMILY,
        )
    )
