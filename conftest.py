"""Where Triton is not installed, the modules that are written in it are not looked at for examples."""

import importlib.util

NEEDS_TRITON = ["kernels/plain.py", "kernels/fast.py", "kernels/offline.py"]
# The last one compiles, which a process that interprets cannot.
collect_ignore = NEEDS_TRITON[2:] if importlib.util.find_spec("triton") else NEEDS_TRITON
