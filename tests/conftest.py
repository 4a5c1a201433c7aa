"""What all tests share: how long hypothesis searches, which Chromium starts, and which engines were there."""

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
    """Start the browser that tools.browser finds, the same for every test and benchmark.

    Only tests are told to compile WebAssembly once and quickly. To compile it again, for long runs, takes a
    third of what each of many short visits asks of the processor.
    """
    args = [*LAUNCH_ARGS, "--js-flags=--liftoff-only"]
    return {**browser_type_launch_args, "executable_path": str(chromium()), "args": args}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the switch that accepts pictures as they are drawn now."""
    parser.addoption("--update-pictures", action="store_true", help="accept the pictures as drawn now")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in which engines pages were opened, and which are not here: a skipped test is easily overlooked."""
    engines: dict[str, set[str]] = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            told = dict(getattr(report, "user_properties", ()))
            if "engine" in told:
                engines.setdefault(told["engine"], set()).update(
                    {told["seconds"]} if "seconds" in told else ()
                )
    if engines:
        terminalreporter.section("engines")
    for name, seconds in sorted(engines.items()):
        terminalreporter.write_line(", ".join([name, *sorted(seconds)]))
