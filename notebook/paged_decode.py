# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Paged attention on a GPU, from the block table up
#
# The lesson's `paged_attention` walks a block table in Python. This notebook walks the same table on a GPU.
# It replays a list of operations that the widget saved, hands the block tables over as they are, reads a
# first kernel line by line, then a fast one, and measures both if there is a GPU.
#
# You should know NumPy. You need not know Triton, or have a GPU: without one the kernels run in Triton's
# interpreter, on the CPU, slowly and with the same answers. Run the cells from the top; nothing has to be
# edited.

# %% [markdown]
# ## Setting up
#
# The code is that of the project: `pagedkv` has the allocator, `kernels` what runs on the GPU. The cell
# finds it beside this notebook or fetches it, and installs only what is missing. It leaves the versions of
# PyTorch and Triton that are there alone.

# %%
import importlib.util
import subprocess
import sys
import zipfile
from pathlib import Path

REPOSITORY = "{{ repository }}"  # filled in from pyproject.toml

places = [place for place in (Path.cwd(), Path.cwd().parent) if (place / "kernels" / "fast.py").is_file()]
if not places and Path("sources.zip").is_file():
    zipfile.ZipFile("sources.zip").extractall("sources")
    places = [Path("sources")]
if not places and REPOSITORY:
    subprocess.run(["git", "clone", "--quiet", "--depth", "1", REPOSITORY, "project"], check=True)
    places = [Path("project")]
if not places:
    raise FileNotFoundError("Put sources.zip, from this notebook's page, beside the notebook and run again.")
sys.path.insert(0, str(places[0].resolve()))

needed = {"numpy": "numpy", "triton": "triton", "ml_dtypes": "ml-dtypes", "matplotlib": "matplotlib"}
missing = [package for name, package in needed.items() if importlib.util.find_spec(name) is None]
if missing:
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", *missing], check=True)

# %%
import numpy as np

from kernels import batch, cases, checks, device, fast, plain, reference
from pagedkv import paged_attention

if device.has_gpu():
    major, minor = device.capability()
    print(f"A GPU of compute capability {major}.{minor}: the kernels are compiled for it.")
else:
    print("No GPU: the kernels run in Triton's interpreter, on small shapes.")

# %% [markdown]
# ## The operations
#
# A session of the widget is a list of operations: a chat arrives, gets more tokens, ends, is forked.
# `SESSION` is such a list, as the widget's **Copy link** or **Save operations** gives it. Paste your own
# between the quotes, or leave the lesson's worked example.

# %%
SESSION = """v=1&scenario=worked-example"""

# %%
from pagedkv.contents import Contents
from widget.export import read_document
from widget.link import read

text = SESSION.strip()
story = read_document(text) if text.startswith("{") else read(text.partition("#")[2] or text)
contents = Contents(story.settings)
for operation in story.operations[: story.step]:
    contents.apply(operation)

blocks = contents.blocks
print(f"{blocks.num_blocks} blocks of {blocks.block_size} slots, after {story.step} operations")
for chat, table in blocks.tables.items():
    print(f"{chat}: {blocks.lengths[chat]} tokens in blocks {table}")
if not blocks.tables:
    raise ValueError("After these operations nobody holds a token. Take a later step.")

# %%
from IPython.display import SVG

from widget.export import document, exported
from widget.session import Session

session = Session()
session.dispatch({"type": "import", "text": document(story)})
SVG(exported("svg", session.state())["text"])

# %% [markdown]
# This is the allocator that the widget runs, and the pools behind it hold a key and a value for each token.
# (They are made up, with a head size of 4, so that every mistake shows.)
#
# ## From tables to arrays
#
# A kernel takes arrays. The tables of the chats become the rows of one rectangle. Rows that are shorter are
# filled up with a block that does not exist: whoever reads on past the end of a table should get caught.

# %%
block_tables, lengths = batch.tables_of(blocks)
k_cache, v_cache = batch.caches_of(blocks)
print("block_tables\n", block_tables)
print("lengths", lengths)
print("k_cache: (num_blocks, block_size, kv_heads, head_dim) =", k_cache.shape)

# %% [markdown]
# Decoding is one token per chat and step. So each chat brings one query per head, and looks at all of its
# keys and values. Two query heads share the one KV head here, as the heads of a group do in a model.

# %%
rng = np.random.default_rng(0)
q = rng.standard_normal((len(lengths), 2, blocks.head_dim))
print("q: (requests, heads, head_dim) =", q.shape)

# %% [markdown]
# ## The walk in NumPy
#
# The lesson's function goes block by block and keeps all scores until it knows the largest. A kernel has no
# room for that, and it need not wait. It keeps three things per query: the largest score so far (`m`), the
# sum of the weights relative to it (`l`), and the weighted sum of the values (`acc`). When a larger score
# turns up, both sums are scaled down (`alpha`). That is the *online softmax*. Here it is, for the heads of
# one group and a stretch of one request:
#
# {{ code("kernels.reference.attend") }}
#
# The names come back in both kernels, in this order.

# %%
expected = reference.paged_decode(q, k_cache, v_cache, block_tables, lengths)
for row, chat in enumerate(blocks.tables):
    lesson = np.array([paged_attention(each, blocks, chat) for each in q[row]])
    print(f"{chat}: differs from the lesson's paged_attention by {np.abs(expected[row] - lesson).max():.0e}")

# %% [markdown]
# ## The first kernel
#
# NumPy's two outer loops, over requests and heads, become a **grid**. A kernel is written for one point of
# the grid, a *program*, and all of them run at once. Four things are new:
#
# - `tl.program_id(0)` says which program this is.
# - An array arrives as the address of its first number. `ptr + offset` is the address of another one, and
#   `ptr + tl.arange(0, 64)` is 64 addresses in one go. Strides, in numbers, lead from row to row as in
#   NumPy.
# - Shapes are powers of two, known beforehand. Lanes that are too many are switched off with a `mask`: a
#   masked load touches no memory, and gives `other` instead.
# - What is marked `tl.constexpr` is known when the kernel is compiled: another value is another kernel.
#
# {{ code("kernels.plain.plain_kernel") }}
#
# Compare it with the walk above. `block_table[positions // block_size]` has become one load per block. The
# rest is the same arithmetic, with masks.

# %%
on_gpu = [device.on_device(each, "float32") for each in (q, k_cache, v_cache)]
on_gpu += [device.on_device(each, "int32") for each in (block_tables, lengths)]
out = plain.plain_paged_decode(*on_gpu)
print(f"differs from NumPy by {np.abs(device.to_numpy(out) - expected).max():.0e}")

# %% [markdown]
# ### What lies in the other slots
#
# A block that changes hands is not cleared, so unused slots hold whatever was there. A weight of 0 does not
# help against that: 0 times NaN is NaN. So slots past the length are not read at all. The proof is poison:
# NaN in every slot that holds no token.

# %%
used = np.zeros((blocks.num_blocks, blocks.block_size), dtype=bool)
for chat, table in blocks.tables.items():
    for position in range(blocks.lengths[chat]):
        used[table[position // blocks.block_size], position % blocks.block_size] = True
poisoned = [np.where(used[:, :, None, None], cache, np.nan) for cache in (k_cache, v_cache)]
on_gpu[1:3] = [device.on_device(each, "float32") for each in poisoned]
again = plain.plain_paged_decode(*on_gpu)
print(f"{(~used).sum()} of {used.size} slots hold NaN")
print("same answer, to the last bit:", np.array_equal(device.to_numpy(again), device.to_numpy(out)))

# %% [markdown]
# ## The fast kernel
#
# Decoding does few operations per byte that it reads. So the speed is that of the memory, and a kernel can
# be late in two ways only: by reading something twice, or by not having enough reads under way. The first
# kernel does both.
#
# 1. **A group at a time.** The heads of a group share keys and values, and the first kernel reads them once
#    per head. Now one program serves the whole group. Its scores are a product of two matrices (`tl.dot`),
#    for which GPUs have units.
# 2. **A tile is no block.** How many positions a program should read at a time depends on the GPU; how
#    large a block is depends on the allocator. So each position looks up its own block, and a tile may span
#    many blocks or a part of one.
# 3. **A long context is split.** With one chat of 100,000 tokens, most of a GPU would watch. So a context
#    is cut into stretches, each for a program of its own (the middle axis of the grid). Each writes its
#    output, and the logarithm of its sum (`lse`).
# 4. **Copies run ahead.** While a tile is worked on, the next ones are on their way. Triton arranges that
#    for the loop (`num_stages`).
#
# {{ code("kernels.fast.fast_kernel") }}
#
# Stretches are merged by the same walk once more. The score of a stretch is its `lse`, and its value is its
# output:
#
# {{ code("kernels.fast.merge_kernel") }}

# %%
out = fast.paged_decode(*on_gpu)
print(f"the session: differs from NumPy by {np.abs(device.to_numpy(out) - expected).max():.0e}")

case = cases.make_case(
    lengths=[300, 40, 7], num_heads=8, num_kv_heads=2, head_dim=64, block_size=16, dtype="float16"
)
arguments = case.q, case.k_cache, case.v_cache, case.block_tables, case.lengths
for split_size in (1024, 128, 64):
    out = fast.paged_decode(*arguments, split_size=split_size)
    stretches = [-(-length // split_size) for length in (300, 40, 7)]
    print(f"stretches of {split_size}: {stretches}, differs from NumPy by {case.error_of(out):.0e}")

# %% [markdown]
# Why is that hard to get right? Some of what went wrong in kernels of this kind, and is tested here:
# offsets that overflow 32 bits in a large cache; NaN from slots that nobody wrote; a table read past its
# end; a request of length 0, or of one more than a tile; more stretches than tiles, where a maximum of
# minus infinity is subtracted from itself; groups of 5 and head sizes of 80, which are no powers of two.
#
# ## Is it right here?
#
# Small decode steps against the NumPy walk, for every type that a cache may have on this device. All unused
# slots are poisoned.

# %%
found = list(checks.check_all())
for one in found:
    print(f"{'right' if one.is_right else 'WRONG'}  {one.kernel:11}  off by {one.error:.0e}  {one.what}")
assert all(one.is_right for one in found)

# %% [markdown]
# ## How fast is it?
#
# The measure is bytes. A decode step has to move every key and value once:
#
# {{ code("kernels.measure.needed_bytes") }}
#
# Dividing by the time gives a bandwidth, and the yardstick is a plain copy on the same card. The cell takes
# two to four minutes on a GPU. vLLM's Triton kernel and FlashInfer stand beside ours where they are
# installed.

# %%
if device.has_gpu():
    from kernels import measure

    copied = measure.copied_per_second()
    rows = list(measure.measured())
    for name, reason in {name: why for row in rows for name, why in row.missing.items()}.items():
        print(f"{name} is missing where it has a dash: {reason}")
    print(measure.table(rows, copied))
else:
    print("Benchmark skipped: no GPU.")

# %%
if device.has_gpu():
    from kernels.plot import plot

    plot(rows, copied)

# %% [markdown]
# What to look for in it:
#
# - The share should grow with the batch and the length, until the memory is what limits. One short request
#   is over before the GPU is busy.
# - The plain kernel should fall behind most where the group is read four times, and with one long request.
# - Blocks of 1 cost more look-ups and scatter the reads. From some size on the block size should not
#   matter.
#
# ## What this leaves out
#
# Prompts, where many queries meet many keys and arithmetic is what limits; windows and sinks; and the rest
# of a model. The projects that serve models have kernels for all of these. Read their code next: the names
# will be familiar.
