"""What all tests share: how long hypothesis searches, and the Chromium that pytest-playwright starts."""

from typing import Any

import hypothesis
import pytest

from tools.browser import LAUNCH_ARGS, chromium

# `make test` finds the same examples every time, so that a change is what makes a test fail and not chance;
# `make test-all` (--hypothesis-profile=long) searches further, with a new seed each time.
hypothesis.settings.register_profile(
    "default", deadline=None, derandomize=True, max_examples=100, stateful_step_count=40
)
hypothesis.settings.register_profile("long", deadline=None, max_examples=1_000, stateful_step_count=100)
# Mutants only have to be found: the example need not be made small for a reader.
hypothesis.settings.register_profile(
    "mutants",
    parent=hypothesis.settings.get_profile("default"),
    phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),
    report_multiple_bugs=False,
    database=None,
)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Start the browser that tools.browser finds, the same for every test and benchmark."""
    return {**browser_type_launch_args, "executable_path": str(chromium()), "args": LAUNCH_ARGS}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the switch that accepts pictures as they are drawn now."""
    parser.addoption("--update-pictures", action="store_true", help="accept the pictures as drawn now")
