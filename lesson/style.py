"""The style that pages share with the figures: one set of colours, from `figures.theme`.

Example:
    >>> "body{--paper:light-dark(#fbfaf7,#14171a)" in figures_css()
    True

The page's own style is `site/assets/site.css`; it names these variables and holds no colour.
"""

from figures.theme import DARK, LIGHT, page_css


def figures_css() -> str:
    """Return the style of the figures, and their colours as variables for the rest of the page.

    >>> figures_css().endswith("}\\n")
    True
    """
    variables = ";".join(f"--{name}:light-dark({LIGHT[name]},{DARK[name]})" for name in LIGHT)
    return f"body{{{variables}}}\n{page_css()}"
