"""Asks every address outside of the site, to which a page links, whether it is there.

    $ python -m tools.links
    200  https://arxiv.org/abs/2309.06180
    1 of 1 addresses answered

Addresses inside the site are checked by the tests. This needs a network, and other people's servers, so it is
a command of its own and no test. A server that answers "forbidden" or "too many requests" is there: it only
does not talk to programs.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

DIST = Path(__file__).resolve().parent.parent / "dist"
PATIENCE = 20  # seconds
_IS_THERE = {401, 403, 405, 429}


def addresses(site: Path) -> list[str]:
    """Return the addresses outside of the site, to which its pages link, each once, without their anchors.

    >>> addresses(Path("no/such/folder"))
    []
    """
    found: set[str] = set()
    for page in site.rglob("*.html"):
        links = re.findall(r'<a\b[^>]*?\bhref="?(https?://[^"\s>]+)', page.read_text(encoding="utf-8"))
        found |= {unescape(link).partition("#")[0] for link in links}
    return sorted(found)


def answer(address: str) -> tuple[str, bool]:
    """Return what the server says, and whether the address is there."""
    request = Request(address, headers={"User-Agent": "Mozilla/5.0 (links of a static site)"})
    try:
        with urlopen(request, timeout=PATIENCE) as response:
            return str(response.status), True
    except HTTPError as error:
        return str(error.code), error.code in _IS_THERE
    except (URLError, TimeoutError, ConnectionError) as error:
        return str(getattr(error, "reason", error)), False


def asked(links: Iterable[str]) -> Iterator[tuple[str, str, bool]]:
    """Yield (address, what was answered, whether it is there), some at a time, in their order."""
    links = list(links)
    with ThreadPoolExecutor(max_workers=8) as pool:
        for link, (said, is_there) in zip(links, pool.map(answer, links), strict=True):
            yield link, said, is_there


def main(site: Path = DIST) -> int:
    """Print what each address answers, and return 1 if one is not there."""
    found = list(asked(addresses(site)))
    for link, said, _ in found:
        print(f"{said}  {link}")
    there = sum(is_there for _, _, is_there in found)
    print(f"{there} of {len(found)} addresses answered")
    return 0 if there == len(found) else 1


if __name__ == "__main__":
    sys.exit(main())
