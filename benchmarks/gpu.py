"""The kernels on the GPU at hand, in under five minutes: `python -m benchmarks.gpu`. The table comes last.

    $ python -m benchmarks.gpu                 # right? then plain, fast, and vLLM and FlashInfer if installed
    $ python -m benchmarks.gpu --alone         # ours only
    $ python -m benchmarks.gpu --tune          # tiles, warps and stages on one workload

It needs PyTorch, Triton and a GPU of NVIDIA's, and nothing else of this project's environment. FlashInfer may
compile for minutes when it is first used; run it again then, or leave it out. How it measures stands at the
top of `kernels/measure.py`. `make bench` does not run it, since it would measure nothing there.
"""

import argparse
import importlib
import itertools
import platform
import sys
import time
from functools import partial

from kernels.device import capability, has_gpu

# What --tune tries, and on what: the batch that a server is busiest with.
TILES, WARPS, STAGES = (32, 64, 128), (4, 8), (1, 3, 5, 7)


def about() -> str:
    """Return what is measured on: the card and the versions."""
    torch, triton = (importlib.import_module(name) for name in ("torch", "triton"))
    major, minor = capability()
    return (
        f"{torch.cuda.get_device_name()}, compute capability {major}.{minor}; Triton {triton.__version__}, "
        f"PyTorch {torch.__version__}, Python {platform.python_version()}"
    )


def tune() -> None:
    """Print how long each way to compile takes on one workload."""
    # Imported here: without a GPU they would come with Triton's interpreter, for nothing.
    fast, measure = (importlib.import_module(f"kernels.{name}") for name in ("fast", "measure"))
    dtype = "bfloat16" if capability() >= (8, 0) else "float16"
    workload = measure.Workload(64, 4096, 16, dtype)
    arguments = measure.step_of(workload)
    copied = measure.copied_per_second()
    print(f"{workload}   a copy moves {copied / 1e9:,.0f} GB/s\n tile  warps  stages")
    for tile, warps, stages in itertools.product(TILES, WARPS, STAGES):
        launch = fast.Launch(tile, warps, stages)
        words = f"{tile:5} {warps:6} {stages:7}   "
        try:
            (took,) = measure.milliseconds([partial(fast.paged_decode, *arguments, launch=launch)])
        except Exception as error:  # noqa: BLE001 (a card without the room says so in many ways)
            print(f"{words}{type(error).__name__}", flush=True)
            continue
        share = measure.Row(workload, {"fast": took}, {}).share("fast", copied)
        print(f"{words}{took:8.3f} ms {100 * share:4.0f} %", flush=True)


def main(arguments: list[str] | None = None) -> int:
    """Check, measure, and print the table; return 1 where a kernel is wrong or there is no GPU."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu", description=__doc__)
    parser.add_argument("--alone", action="store_true", help="leave vLLM and FlashInfer out")
    parser.add_argument("--tune", action="store_true", help="try ways to compile, on one workload")
    chosen = parser.parse_args(arguments)
    started = time.monotonic()
    if not has_gpu():
        print("Benchmark skipped: no GPU. It needs PyTorch and a GPU of NVIDIA's.")
        return 1
    print(about(), flush=True)
    if chosen.tune:
        tune()
        return 0
    checks, measure = (importlib.import_module(f"kernels.{name}") for name in ("checks", "measure"))
    wrong = [one for one in checks.check_all() if not one.is_right]
    for one in wrong:
        print(f"WRONG by {one.error:.2g}: {one.kernel}, {one.what}")
    if wrong:
        return 1
    print("Both kernels agree with the reference.", flush=True)
    copied = measure.copied_per_second()
    rows = []
    left = measure.SECONDS - (time.monotonic() - started)
    for row in measure.measured(with_others=not chosen.alone, seconds=left):
        rows.append(row)
        print(f"measured: {row.workload}", flush=True)
    for name, reason in {name: why for row in rows for name, why in row.missing.items()}.items():
        print(f"{name} is missing where it has a dash: {reason}")
    print(f"\n{measure.table(rows, copied)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
