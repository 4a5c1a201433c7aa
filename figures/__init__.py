"""From a state to a picture: one keyed element tree, one writer, five figures and the widget's pools.

Example:
    >>> from figures.gallery import FIGURES
    >>> [figure.name for figure in FIGURES.values()]
    ['reserve-vs-blocks', 'contiguous', 'block-table', 'free-list', 'prefix-sharing']

Flow: a snapshot of `pagedkv` -> `figures.scene` (what is shown) -> `figures.pool` (where, by `figures.grid`)
-> elements of `figures.markup` -> SVG text. Words come from `figures.words`, colours from `figures.theme`.
"""
