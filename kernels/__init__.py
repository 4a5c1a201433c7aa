"""The GPU side: paged decode attention in Triton, and the same in NumPy to read first.

    reference   NumPy, request by request and tile by tile; the kernels follow its names and its order
    plain       the first kernel: one program per request and query head
    fast        the second: the heads of a group together, long contexts split over programs and merged
    batch       from the tables of a `BlockManager` to the arrays that a kernel takes
    device      where arrays live: on the GPU (through PyTorch), or in NumPy for Triton's interpreter
    cases       random caches with every unused slot poisoned
    measure     on a GPU: bytes, time, and the share of what a plain copy reaches

`plain` and `fast` need Triton (`pip install "pagedkv[gpu]"` brings it); the rest needs NumPy alone. Without a
GPU the kernels run in Triton's interpreter: slowly, and step by step if you like.
"""

import os

from kernels.device import has_gpu

# Triton reads this when it is imported, so it is said before any module of this package can import it.
if not has_gpu():
    os.environ.setdefault("TRITON_INTERPRET", "1")
