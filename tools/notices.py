"""Puts the licences of others into the built site: `publish(Path("dist"))`.

`THIRD_PARTY_NOTICES.md` says what of others the site contains; `licenses/` holds the texts. Both are kept by
hand, and `tests/test_notices.py` compares them with what was built and with the packages that it came from.
"""

import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# The texts, and the name that each gets: a browser shows a .txt and downloads a file without an ending.
OVERVIEW = {
    "THIRD_PARTY_NOTICES.md": "THIRD_PARTY_NOTICES.txt",
    "LICENSE": "LICENSE.txt",
    "LICENSE-CONTENT": "LICENSE-CONTENT.txt",
}


def publish(site: Path) -> None:
    """Copy notices and licences to `licenses/` of the built site, in place of what was there."""
    target = site / "licenses"
    if target.exists():
        shutil.rmtree(target)
    shutil.copytree(ROOT / "licenses", target)
    for name, public_name in OVERVIEW.items():
        shutil.copy2(ROOT / name, target / public_name)
