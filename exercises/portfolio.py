"""The chart to make oneself: requests that fit, against the block size, for a workload of one's own.

Example:
    >>> portfolio = Portfolio()
    >>> fields = {
    ...     "lowest": "4",
    ...     "highest": "64",
    ...     "slots": "1024",
    ...     "reserve": "64",
    ...     "count": "500",
    ...     "seed": "1",
    ... }
    >>> portfolio.dispatch({"type": "run", "fields": fields})["said"]
    'Old way: 16 requests fit. New way: from 4 with blocks of 256 to 31 with blocks of 1.'

Form of a link, version 1: the fields by name; what is missing is as the page opens.
"""

import csv
import io
from collections.abc import Callable
from dataclasses import asdict

from exercises.desk import Command, Desk, fields_of
from exercises.link import pairs, whole
from exercises.view import link_to
from exercises.workload import Fitting, Workload, admitted, why_level
from figures.admitted import chart
from figures.markup import Element, el, write
from figures.views import FIGURE_VIEWS, WIDE
from figures.words import counted
from pagedkv.errors import InvalidOperation, PagedKVError

# name -> label, lowest and highest value. More would take a browser longer than a reader waits.
FIELDS = {
    "lowest": ("Shortest request, in tokens", 1, 100_000),
    "highest": ("Longest request, in tokens", 1, 100_000),
    "slots": ("Slots in the pool", 16, 262_144),
    "reserve": ("Old way: slots reserved for each", 1, 262_144),
    "count": ("Requests that come", 1, 9_999),
    "seed": ("Seed of the lengths", 0, 999_999),
}
_NAMES = ("v", *FIELDS)


class Portfolio(Desk):
    """A workload, and what of it fits.

    >>> list(Portfolio().regions())
    ['form', 'chart', 'numbers']
    """

    def __init__(self) -> None:
        super().__init__()
        self._turn_to(Workload())

    def commands(self) -> dict[str, Callable[[Command], None]]:
        """Return type of command -> what carries it out."""
        return {"show": lambda _: None, "run": self._run, "open": self._open, "export": self._export}

    def regions(self) -> dict[str, str]:
        """Return the markup of the form, the chart and the numbers."""
        return {
            "form": write(self._form()),
            "chart": "".join(map(write, self._chart())),
            "numbers": write(numbers(self.found)),
        }

    @property
    def title(self) -> str:
        """What the chart is called: the workload in a line.

        >>> Portfolio().title
        'Requests of 4 to 64 tokens that fit a pool of 16,384 slots'
        """
        one = self.workload
        return f"Requests of {one.lowest:,} to {one.highest:,} tokens that fit a pool of {one.slots:,} slots"

    def _turn_to(self, workload: Workload) -> None:
        self.workload, self.found = workload, admitted(workload)

    def _run(self, command: Command) -> None:
        self._turn_to(stated(fields_of(command)))
        self.answer.link = self._link()
        self.answer.said = in_short(self.found)

    def _open(self, command: Command) -> None:
        link = command.get("link")
        if not isinstance(link, str):
            raise PagedKVError(f"A link is a text, not {link!r:.60}.")
        try:
            self._turn_to(stated(pairs(link, _NAMES)))
        except PagedKVError as error:
            raise PagedKVError(f"The link cannot be opened. {error}") from None

    def _export(self, command: Command) -> None:
        if command.get("what") == "svg":
            drawn = chart(self.found.columns, WIDE, name="admitted", title=self.title, is_file=True)
            self.answer.file = {"name": "admitted.svg", "type": "image/svg+xml", "text": write(drawn) + "\n"}
        elif command.get("what") == "csv":
            text = as_csv(self.workload, self.found)
            self.answer.file = {"name": "admitted.csv", "type": "text/csv", "text": text}
        else:
            raise PagedKVError(f"There is no file {command.get('what')!r:.60}. There is: svg, csv.")

    def _link(self) -> str:
        own, default = asdict(self.workload), asdict(Workload())
        return "&".join(["v=1", *(f"{name}={own[name]}" for name in FIELDS if own[name] != default[name])])

    def _form(self) -> Element:
        own = asdict(self.workload)
        fields = [
            el(
                "label",
                el("span", label),
                el(
                    "input",
                    type="text",
                    inputmode="numeric",
                    autocomplete="off",
                    id=f"portfolio-{name}",
                    name=name,
                    value=str(own[name]),
                ),
                for_=f"portfolio-{name}",
                class_="kv-field",
            )
            for name, (label, _, _) in FIELDS.items()
        ]
        return el(
            "form",
            el("div", fields, class_="kv-fields"),
            el(
                "div",
                el("button", "Draw the chart", type="submit", class_="kv-main"),
                *link_to("this chart", self._link()),
                class_="kv-buttons",
            ),
            novalidate=True,
            # Another workload is another form: its fields say what was chosen, whatever a reader typed since.
            key=f"form-{self._link()}",
            class_="kv-choices",
            data_command='{"type": "run"}',
        )

    def _chart(self) -> list[Element]:
        pictures = [
            chart(self.found.columns, view, name="portfolio", title=self.title, is_file=False)
            for view in FIGURE_VIEWS
        ]
        why = why_level(self.workload.lengths, self.workload.slots, self.found)
        return [
            el("h2", self.title),
            el("div", pictures, class_="kv-pair"),
            el("p", in_short(self.found)),
            *([el("p", why)] if why else []),
            el(
                "div",
                el("button", "Save SVG", type="button", data_command='{"type": "export", "what": "svg"}'),
                el("button", "Save CSV", type="button", data_command='{"type": "export", "what": "csv"}'),
                class_="kv-buttons",
            ),
        ]


def stated(said: dict[str, str]) -> Workload:
    """Return the workload that a link or a form states.

    Raises:
        InvalidOperation: a number is missing, out of range, or contradicts another.

    >>> stated({"highest": "3"})
    Traceback (most recent call last):
    pagedkv.errors.InvalidOperation: The shortest request has 4 tokens and the longest 3. Turn them round.
    """
    default = asdict(Workload())
    values = {
        name: whole(said.get(name, str(default[name])), label, lowest, highest)
        for name, (label, lowest, highest) in FIELDS.items()
    }
    workload = Workload(**values)
    if workload.lowest > workload.highest:
        raise InvalidOperation(
            f"The shortest request has {workload.lowest:,} tokens and the longest {workload.highest:,}. "
            "Turn them round."
        )
    if workload.reserve < workload.highest:
        raise InvalidOperation(
            f"The old way reserves {workload.reserve:,} slots, and a request may have {workload.highest:,} "
            "tokens. "
            "Reserve at least as many: it would be cut off."
        )
    return workload


def in_short(found: Fitting) -> str:
    """Return what the chart shows in a sentence or two.

    >>> in_short(admitted(Workload()))
    'Old way: 256 requests fit. New way: from 64 with blocks of 256 to 495 with blocks of 1.'
    """
    sizes = list(found.blocks)
    small, large = found.blocks[sizes[0]].requests, found.blocks[sizes[-1]].requests
    everybody = (
        " All that came fit with the smallest blocks: let more come." if small == found.offered else ""
    )
    return (
        f"Old way: {counted(found.run.requests, 'request')} fit. New way: from {large:,} with blocks of "
        f"{sizes[-1]} "
        f"to {small:,} with blocks of {sizes[0]}.{everybody}"
    )


def numbers(found: Fitting) -> Element:
    """Return the numbers behind a chart as a table.

    >>> write(numbers(admitted(Workload(count=1))))[:35]
    '<div class="kv-scroll" tabindex="0"'
    """
    rows = [("one run each", found.run), *((f"blocks of {size}", fit) for size, fit in found.blocks.items())]
    heads = ("how", "requests that fit", "tokens", "slots allocated", "of these empty")
    return el(
        "div",
        el(
            "table",
            el("caption", "The numbers behind the chart"),
            el("thead", el("tr", [el("th", head, scope="col") for head in heads])),
            el(
                "tbody",
                [
                    el(
                        "tr",
                        el("th", how, scope="row"),
                        [
                            el("td", f"{value:,}")
                            for value in (fit.requests, fit.tokens, fit.allocated, fit.wasted)
                        ],
                    )
                    for how, fit in rows
                ],
            ),
            class_="kv-numbers",
        ),
        class_="kv-scroll",
        tabindex="0",
        role="region",
        aria_label="The numbers behind the chart",
    )


def as_csv(workload: Workload, found: Fitting) -> str:
    """Return the numbers as CSV, each row with the workload that it belongs to.

    >>> as_csv(Workload(), admitted(Workload())).splitlines()[1]
    'contiguous,,256,8517,16384,7867,4,64,16384,64,1000,0'
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    own = asdict(workload)
    writer.writerow(["layout", "block_size", "requests", "tokens", "allocated", "empty", *own])
    for layout, size, fit in [
        ("contiguous", "", found.run),
        *(("paged", size, fit) for size, fit in found.blocks.items()),
    ]:
        writer.writerow([layout, size, fit.requests, fit.tokens, fit.allocated, fit.wasted, *own.values()])
    return text.getvalue()
