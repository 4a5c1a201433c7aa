"""A slower processor for a page and its workers: their process is stopped for most of each short while.

What the browser offers for this slows a page's own thread and not its workers, and Python boots in one.
"""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_RUNNING = 0.005  # seconds at a time: short, so that nothing waits for long in one piece
_LOOK_AGAIN = 20  # rounds after which new processes are looked for


@contextmanager
def slowed_processor(times: int) -> Iterator[None]:
    """Let the pages of every browser that this process started run for one part in `times` of the time."""
    is_over = threading.Event()

    def slow() -> None:
        pages: list[int] = []
        rounds = 0
        while not is_over.is_set():
            if rounds % _LOOK_AGAIN == 0:
                pages = _pages()
            rounds += 1
            _tell(pages, signal.SIGSTOP)
            time.sleep(_RUNNING * (times - 1))
            _tell(pages, signal.SIGCONT)
            time.sleep(_RUNNING)

    thread = threading.Thread(target=slow)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


def _tell(processes: list[int], what: signal.Signals) -> None:
    for process in processes:
        with suppress(ProcessLookupError):  # its page was closed
            os.kill(process, what)


def _pages() -> list[int]:
    """Return the processes that run pages, of browsers that this process started."""
    parents, pages = {}, []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if b"--type=renderer" in (folder / "cmdline").read_bytes():
                pages.append(int(folder.name))
        except OSError:
            continue  # it ended meanwhile

    def is_ours(process: int) -> bool:
        while process in parents:
            if process == os.getpid():
                return True
            process = parents[process]
        return False

    return [page for page in pages if is_ours(page)]
