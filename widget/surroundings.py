"""What stands around the regions of the widget and does not change with its state: help, notices, embedding.

Example:
    >>> [button.children[0] for button in header_buttons()][1:]
    ['Full screen', 'Reset']
"""

from figures.markup import Element, el

_KEYS = (
    (("Tab", "Shift Tab"), "go from control to control"),
    (("Space", "Enter"), "press the button that has the focus"),
    (("← →", "Home", "End"), "move a slider; the time slider goes from step to step"),
    (("← ↑ ↓ →",), "go from slot to slot, once a pool has the focus"),
    (("← →",), "go from block to block, once a block table or the free list has the focus"),
    (("Page Down", "Page Up"), "one step on, one step back: the keys of a clicker"),
    (("?",), "open this help"),
    (("Esc",), "close this help, or leave full screen"),
)
_KEYS_IN_FULL_SCREEN = (
    (("→", "←"), "one step on, one step back"),
    (("Home", "End"), "the first step, the last step"),
    (("Space",), "play, and pause"),
)


def header_buttons() -> list[Element]:
    """Return the buttons beside the title.

    >>> header_buttons()[0].attributes["aria-label"]
    'Help'
    """
    return [
        el(
            "button",
            el("span", "Help", class_="kv-long"),
            el("span", "?", class_="kv-short"),
            type="button",
            data_help=True,
            aria_label="Help",
        ),
        el("button", "Full screen", type="button", data_fullscreen=True),
        el("button", "Reset", type="button", data_command='{"type":"reset"}', data_home=True),
    ]


def help_dialog() -> Element:
    """Return the help: what the widget is for, and its keys.

    >>> help_dialog().tag
    'dialog'
    """
    return el(
        "dialog",
        # First, so that it gets the focus, and the help is read from its beginning.
        el("button", "Close", type="button", data_close=True),
        el("h2", "Help", id="kv-help-title"),
        el(
            "p",
            "Both pools hold the same chats, once in one long stretch per chat and once in blocks. Press a "
            "button at a chat and see what each pool does. Every press is a step; the time bar leads back.",
        ),
        el("h3", "Keys"),
        _keys(_KEYS),
        el("h3", "Keys in full screen"),
        _keys(_KEYS_IN_FULL_SCREEN),
        class_="kv-help",
        aria_labelledby="kv-help-title",
        closedby="any",
    )


def late(*, has_address: bool) -> Element:
    """Return what shows by itself when the script does not come; a page of its own can be opened by a link.

    >>> late(has_address=False).children[0][:35]
    'The script of this page has not com'
    """
    link = el("a", "Open the widget on its own page", href="widget.html", target="_blank", rel="noopener")
    return el(
        "p",
        "The script of this page has not come, so this is a recorded picture. Wait for it on a slow line, or "
        "reload the page; if you opened it as a file, serve its folder: python3 -m http.server.",
        el("span", " ", link, ".") if has_address else None,
        class_="kv-late",
    )


def notice() -> Element:
    """Return the place for a line that a reader should know, such as about an unknown theme.

    >>> notice().attributes["class"]
    'kv-notice'
    """
    return el("p", data_notice=True, role="alert", class_="kv-notice")


def unscripted(*, has_address: bool) -> Element:
    """Return what is said where no script may run, as in a frame that forbids them. The style shows it there.

    >>> unscripted(has_address=False).attributes["class"]
    'kv-unscripted'
    """
    link = el("a", "Open the widget on its own page", href="widget.html", target="_blank", rel="noopener")
    return el(
        "p",
        "This is a recorded picture: here no script may run, and without one its controls would do nothing.",
        el("span", " ", link, ".") if has_address else None,
        class_="kv-unscripted",
    )


def embed_panel() -> Element:
    """Return the panel with the text that shows the widget in another page.

    >>> embed_panel().attributes["data-panel"]
    'embed'
    """
    themes = (("", "as the reader's system"), ("light", "light"), ("dark", "dark"))
    return el(
        "details",
        el("summary", "Embed the widget"),
        el(
            "div",
            el(
                "p",
                "This text shows the widget in your page or learning platform, as it stands now. Its second "
                "line lets the frame grow with the widget; where scripts are not allowed, leave it out.",
            ),
            el(
                "label",
                el("span", "Colours", class_="kv-label"),
                el("select", [el("option", words, value=value) for value, words in themes]),
                class_="kv-embed-theme",
            ),
            el("textarea", readonly=True, rows=6, spellcheck="false", aria_label="The text to paste"),
            el(
                "div",
                el("button", "Copy embed", type="button", data_embed_copy=True, class_="kv-main"),
                el("button", "Show preview", type="button", data_embed_ask=True),
                el("span", data_embed_told=True, role="status"),
                class_="kv-row",
            ),
            el("div", data_embed_stage=True),
        ),
        class_="kv-panel",
        data_panel="embed",
    )


def _keys(keys: tuple[tuple[tuple[str, ...], str], ...]) -> Element:
    rows = [
        el("div", el("dt", [part for name in names for part in (el("kbd", name), " ")]), el("dd", meaning))
        for names, meaning in keys
    ]
    return el("dl", rows, class_="kv-keys")
