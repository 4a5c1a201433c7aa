"""Pictures compared with reviewed ones. `pytest --update-pictures` accepts those drawn now: look first."""

from collections.abc import Callable
from pathlib import Path

import pytest

REVIEWED = Path(__file__).parent / "snapshots"
LEFT_TO_LOOK_AT = Path(__file__).resolve().parents[2] / "build" / "pictures"


@pytest.fixture
def same_picture(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compare SVG text with the reviewed file of that name; a difference leaves both to look at."""

    def compare(name: str, svg: str) -> None:
        reviewed = REVIEWED / name
        # One element a line, so that a change shows as the lines that changed.
        text = svg.replace("><", ">\n<") + "\n"
        if request.config.getoption("--update-pictures"):
            reviewed.write_text(text, encoding="utf-8")
        if not reviewed.exists() or reviewed.read_text(encoding="utf-8") != text:
            LEFT_TO_LOOK_AT.mkdir(parents=True, exist_ok=True)
            (LEFT_TO_LOOK_AT / name).write_text(text, encoding="utf-8")
            pytest.fail(
                f"{name} is not the reviewed picture. Look at build/pictures/{name} beside "
                f"tests/figures/snapshots/{name}; if it is right, run pytest --update-pictures."
            )

    return compare
