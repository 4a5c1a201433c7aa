"""A figure of the lesson as HTML: both widths of the picture, its caption, the same in words, and the file.

Example:
    >>> from figures.gallery import FIGURES
    >>> html = figure_html(FIGURES[1], base="")
    >>> html.startswith('<figure class="lesson-figure kv-theme" id="figure-1"'), html.count("<svg")
    (True, 2)
"""

from html import escape

from figures.sheet import Figure
from figures.views import FIGURE_VIEWS
from widget.link import written
from widget.story import Story


def figure_html(figure: Figure, base: str) -> str:
    """Return the figure; `base` is the relative path from the page to the root of the site.

    The search leaves it out: it would list the letters in the slots.

    >>> from figures.gallery import FIGURES
    >>> 'href="../figs/free-list.svg"' in figure_html(FIGURES[4], base="../")
    True
    """
    name = f"Figure {figure.number}"
    pictures = "".join(figure.svg(view, is_file=False) for view in FIGURE_VIEWS)
    caption = escape(figure.caption, quote=False)
    words = escape(figure.description, quote=False)
    live = f'<a href="{base}widget.html#{written(Story.of(figure.scenario))}">Open {name} live</a>'
    return (
        f'<figure class="lesson-figure kv-theme" id="figure-{figure.number}" data-search-exclude>\n'
        f'<div class="kv-pair">{pictures}</div>\n'
        f"<figcaption><p><strong>{name}.</strong> {caption}</p>\n"
        f'<p class="lesson-ways">{live}</p>'
        f'<details class="lesson-words"><summary>{name} in words, and as a file</summary>'
        f'<p>{words}</p><p><a href="{base}figs/{figure.name}.svg">{name} as SVG</a></p>'
        "</details></figcaption>\n"
        "</figure>"
    )
