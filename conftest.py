"""Where Triton is not installed, the modules that are written in it are not looked at for examples."""

import importlib.util

NEEDS_TRITON = [f"kernels/{name}.py" for name in ("plain", "fast", "checks", "measure", "plot", "offline")]
# The last one compiles, which a process that interprets cannot.
collect_ignore = NEEDS_TRITON[-1:] if importlib.util.find_spec("triton") else NEEDS_TRITON
