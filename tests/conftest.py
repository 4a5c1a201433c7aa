"""What all tests share: how long hypothesis searches, and the Chromium that pytest-playwright starts."""

from typing import Any

import hypothesis
import pytest

from tools.browser import LAUNCH_ARGS, chromium

# `make test` finds the same examples every time, so that a change is what makes a test fail and not chance;
# `make test-all` (--hypothesis-profile=long) searches further, with a new seed each time.
hypothesis.settings.register_profile(
    "default", deadline=None, derandomize=True, max_examples=60, stateful_step_count=40
)
hypothesis.settings.register_profile("long", deadline=None, max_examples=1_000, stateful_step_count=100)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Start the browser that tools.browser finds, the same for every test and benchmark."""
    return {**browser_type_launch_args, "executable_path": str(chromium()), "args": LAUNCH_ARGS}
