"""What axe, a checker of rules for everyone's access, finds on a page."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

# The rules whose outcome a theme or a width can change.
VISIBLE = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"]


def assert_axe_finds_nothing(page: Page, rules: list[str] | None = None) -> None:
    """Ask all of axe's rules, or those that are named."""
    options: dict[str, Any] = {"resultTypes": ["violations"]}  # to list what is right takes as long again
    if rules is not None:
        options["runOnly"] = {"type": "rule", "values": rules}
    result = Axe().run(page, options=options)
    assert result.violations_count == 0, f"{page.url}: {result.generate_report()}"
