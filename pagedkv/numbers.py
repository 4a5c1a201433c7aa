"""Every number that the lesson quotes, by name: computed here and now by this package, or cited.

Example:
    >>> numbers()["opt_13b.per_token"].text
    '800 KiB'

`python -m pagedkv numbers` prints them all. The pages of the lesson read the same function, so that a number
on a page is one of these, or none.
"""

import sys
from collections.abc import Iterator
from dataclasses import replace

from pagedkv.capacity import CapacityExample, capacity_example
from pagedkv.decode import decode_both_ways
from pagedkv.examples import ExampleStep, prefix_sharing_example, worked_example
from pagedkv.operations import Append, Arrive
from pagedkv.proof import HEAD_DIM, LENGTHS, attention_proof, random_run
from pagedkv.quote import Number, count, decimal, size
from pagedkv.scenarios import BLOCK_SIZES, HOLES, PREFIX_SHARING, RESERVE_VS_BLOCKS, START, WORKED_EXAMPLE
from pagedkv.sizes import (
    KIB,
    LLAMA_3_8B,
    OPT_13B,
    QUIZ_MODEL,
    ModelShape,
    in_binary_units,
    kv_bytes_per_token,
)
from pagedkv.sources import CITED, SOURCES
from pagedkv.tries import tries

CACHE_STEPS = (10, 100, 1000)
LONG_CONTEXT = 128 * KIB  # "128K": Llama 3.1 8B's own; Llama 3 8B stops at its `context`
SEEDS = range(5)


def numbers(model: ModelShape = LLAMA_3_8B, capacity: CapacityExample | None = None) -> dict[str, Number]:
    """Return name -> number, in the order of the lesson.

    Args:
        model: the model whose sizes the lesson works out.
        capacity: the capacity example, if another than the default for that model.

    >>> numbers()["figure_1.new_way.wasted"].value
    2
    """
    capacity = capacity or capacity_example(model)
    found: dict[str, Number] = {}
    parts = (
        *(_cited(), tries(), _sizes(model), _cache(), _figures()),
        *(_capacity(capacity), _examples(), _proofs()),
    )
    for part in parts:
        for name, number in part:
            if name in found:
                raise AssertionError(f"The number {name} is given twice.")
            found[name] = number
    return found


_Numbers = Iterator[tuple[str, Number]]


def _cited() -> _Numbers:
    for name, fact in CITED.items():
        yield (
            name,
            Number(fact.value, fact.text, f"cited: {SOURCES[fact.source].title}, {fact.where}"),
        )


def _sizes(model: ModelShape) -> _Numbers:
    yield "unit.kib", count(KIB, "the unit")
    yield "model.name", Number(model.name, model.name, "the model's shape")
    for key, shape in (("llama_3_8b", model), ("opt_13b", OPT_13B), ("quiz_model", QUIZ_MODEL)):
        per_token = kv_bytes_per_token(shape)
        product = f"2 x {shape.n_layers} x {shape.n_kv_heads} x {shape.head_dim} x {shape.bytes_per_elem}"
        yield f"{key}.shape.layers", count(shape.n_layers, "the model's shape")
        yield f"{key}.shape.kv_heads", count(shape.n_kv_heads, "the model's shape")
        yield f"{key}.shape.head_dim", count(shape.head_dim, "the model's shape")
        yield f"{key}.shape.bytes_per_number", count(shape.bytes_per_elem, "the model's shape")
        yield f"{key}.product", Number(per_token, product.replace(" x ", " × "), "the model's shape")
        yield f"{key}.bytes_per_token", count(per_token, product)
        yield f"{key}.per_token", size(per_token, product)
        for tokens in {"llama_3_8b": (1000,), "opt_13b": (), "quiz_model": (2000,)}[key]:
            yield f"{key}.bytes_for_{tokens}", count(tokens * per_token, f"{tokens} tokens")
            text = in_binary_units(tokens * per_token)
            if key == "quiz_model":
                text = f"{tokens * per_token / 2**20:.1f} MiB"
            yield f"{key}.for_{tokens}", Number(tokens * per_token, text, f"{tokens} tokens")
    per_token = kv_bytes_per_token(model)
    context = model.context or 0
    # What the commonest slip, counting query heads, would give.
    slip = replace(model, n_kv_heads=model.n_heads or model.n_kv_heads)
    yield "llama_3_8b.with_query_heads", size(kv_bytes_per_token(slip), "query heads counted for KV heads")
    times = (model.n_heads or model.n_kv_heads) // model.n_kv_heads
    yield "llama_3_8b.heads_ratio", count(times, "query heads / KV heads")
    yield "llama_3_8b.for_context", size(context * per_token, f"{context} tokens")
    yield "llama_3_8b.for_ten_contexts", size(10 * context * per_token, f"10 x {context} tokens")
    yield "long_context.tokens", count(LONG_CONTEXT, "128 x 1,024")
    yield "llama_3_8b.for_long_context", size(LONG_CONTEXT * per_token, f"{LONG_CONTEXT} tokens")
    weights = int(CITED["llama_3_8b.weights"].value) * model.bytes_per_elem
    yield "llama_3_8b.weights_gb", Number(weights, f"{weights} GB", "8 billion weights x bytes per number")
    opt = kv_bytes_per_token(OPT_13B)
    yield "opt_13b.for_context", size((OPT_13B.context or 0) * opt, f"{OPT_13B.context} tokens")
    yield "opt_13b.for_long_context", size(LONG_CONTEXT * opt, f"{LONG_CONTEXT} tokens")


def _cache() -> _Numbers:
    for n in CACHE_STEPS:
        run = decode_both_ways(n)
        origin = f"counted in a run of {n} decode steps"
        yield f"cache.{n}.without", count(run.pairs_without, origin)
        yield f"cache.{n}.with", count(run.pairs_with, origin)
        yield f"cache.{n}.ratio", decimal(run.pairs_without / run.pairs_with, 1, origin)
        yield (
            f"cache.{n}.largest_difference",
            Number(run.largest_difference, f"{run.largest_difference:.0e}", origin),
        )


def _figures() -> _Numbers:
    start, _ = START.run()
    snapshot = start.snapshot()
    yield "start.num_slots", count(START.settings.num_slots, "the scenario")
    yield "start.reserve", count(START.settings.reserve, "the scenario")
    yield "start.block_size", count(START.settings.block_size, "the scenario")
    for layout, counters in (
        ("contiguous", snapshot["contiguous"]["counters"]),
        ("paged", snapshot["paged"]["counters"]),
    ):
        for name, value in (
            ("used", counters["used"]),
            ("empty", counters["empty"]),
            ("free", counters["free"]),
            ("largest_hole", counters["largest_hole"]),
        ):
            yield f"start.{layout}.{name}", count(value, "the scenario, run")
    for arrival in START.operations:
        if isinstance(arrival, Arrive):
            yield f"start.prompt_{arrival.chat.lower()}", count(arrival.tokens, "the scenario")

    final = RESERVE_VS_BLOCKS.run()[0].snapshot()
    yield "figure_1.num_slots", count(RESERVE_VS_BLOCKS.settings.num_slots, "the scenario")
    yield "figure_1.reserve", count(RESERVE_VS_BLOCKS.settings.reserve, "the scenario")
    yield "figure_1.block_size", count(RESERVE_VS_BLOCKS.settings.block_size, "the scenario")
    yield "figure_1.old_way.wasted", count(final["contiguous"]["counters"]["empty"], "figure 1, run")
    yield "figure_1.old_way.free", count(final["contiguous"]["counters"]["free"], "figure 1, run")
    yield "figure_1.new_way.wasted", count(final["paged"]["counters"]["empty"], "figure 1, run")
    yield "figure_1.new_way.free", count(final["paged"]["counters"]["free"], "figure 1, run")
    for chat in final["paged"]["chats"]:
        yield f"figure_1.chat_{chat['chat']}.tokens", count(chat["tokens"], "figure 1, run")

    yield "block_sizes.block_size", count(BLOCK_SIZES.settings.block_size, "the scenario")

    running = HOLES.run(3)[0].snapshot()["contiguous"]
    after = HOLES.run(4)[0].snapshot()["contiguous"]
    refused = HOLES.operations[4]
    yield "figure_2.num_slots", count(running["num_slots"], "the scenario")
    yield "figure_2.running.empty", count(running["counters"]["empty"], "figure 2 (a), run")
    yield "figure_2.after.free", count(after["counters"]["free"], "figure 2 (b), run")
    for place, (_, slots) in zip(("first", "second"), after["holes"], strict=True):
        yield f"figure_2.after.{place}_hole", count(slots, "figure 2 (b), run")
    if isinstance(refused, Arrive) and refused.reserve is not None:
        yield "figure_2.refused", count(refused.reserve, "the scenario")


def _capacity(example: CapacityExample) -> _Numbers:
    contiguous, paged = example.contiguous, example.paged
    yield "capacity.pool", size(example.pool_bytes, "the example")
    yield "capacity.num_slots", count(example.num_slots, "pool / bytes per token")
    yield "capacity.reserve", count(example.reserve, "the example")
    yield "capacity.block_size", count(example.block_size, "the example")
    yield "capacity.workload.requests", count(len(example.lengths), "the example")
    yield "capacity.workload.lowest", count(example.lowest, "the example")
    yield "capacity.workload.highest", count(example.highest, "the example")
    yield "capacity.contiguous.requests", count(contiguous.requests, "the example, run")
    share = 100 * contiguous.tokens / contiguous.allocated
    yield "capacity.contiguous.used_share", decimal(share, 1, "tokens / reserved slots", " %")
    yield "capacity.contiguous.allocated", count(contiguous.allocated, "the example, run")
    share = 100 * contiguous.wasted / contiguous.allocated
    yield "capacity.contiguous.wasted_share", decimal(share, 1, "empty / reserved slots", " %")
    yield "capacity.paged.requests", count(paged.requests, "the example, run")
    yield (
        "capacity.times_as_many",
        decimal(paged.requests / contiguous.requests, 1, "paged / contiguous"),
    )
    yield "capacity.paged.allocated", count(paged.allocated, "the example, run")
    yield "capacity.paged.wasted", count(paged.wasted, "the example, run")
    yield (
        "capacity.paged.wasted_share",
        decimal(100 * paged.wasted / paged.allocated, 1, "wasted / allocated", " %"),
    )


def _examples() -> _Numbers:
    settings = WORKED_EXAMPLE.settings
    yield "worked.num_slots", count(settings.num_slots, "the scenario")
    yield "worked.reserve", count(settings.reserve, "the scenario")
    yield "worked.block_size", count(settings.block_size, "the scenario")
    yield "worked.num_blocks", count(settings.num_blocks, "the scenario")
    for key, steps in (("worked", worked_example()), ("prefix", prefix_sharing_example())):
        for step in steps:
            yield from _example_step(f"{key}.{step.step}", step)

    # What the prefix run shows: the write to a shared block copies it, and a full block stays shared.
    written = PREFIX_SHARING.run(3)[1][-1]["paged"]
    source, copy = next(pair for event in written for pair in event["copies"])
    refs = PREFIX_SHARING.run()[0].paged.blocks.ref_count
    yield "prefix.copied_block", count(source, "the rules, run")
    yield "prefix.copy", count(copy, "the rules, run")
    yield "prefix.shared_block", count(next(b for b, many in enumerate(refs) if many > 1), "the rules, run")

    # The quiz's next arrival: the worked example, one operation later.
    tokens = 5
    model, _ = WORKED_EXAMPLE.run()
    model.apply(Arrive("D", tokens))
    blocks = model.paged.blocks
    block, offset = list(blocks.slots("D"))[-1]
    yield "quiz.d.tokens", count(tokens, "the question")
    yield "quiz.d.table", Number(str(blocks.tables["D"]), _list(blocks.tables["D"]), "the rules, run")
    yield "quiz.d.free_list_length", count(len(blocks.free_list), "the rules, run")
    empty = len(blocks.tables["D"]) * blocks.block_size - blocks.lengths["D"]
    yield "quiz.d.empty", count(empty, "the rules, run")
    yield "quiz.d.last.position", count(tokens - 1, "the question")
    yield "quiz.d.last.block", count(block, "the rules, run")
    yield "quiz.d.last.slot", count(offset, "the rules, run")

    # Figure 3 asks where the newest token of A lies.
    model, _ = WORKED_EXAMPLE.run(WORKED_EXAMPLE.operations.index(Append("A", 1)) + 1)
    blocks = model.paged.blocks
    position = blocks.lengths["A"] - 1
    block, offset = list(blocks.slots("A"))[-1]
    yield "figure_3.tokens", count(blocks.lengths["A"], "figure 3, run")
    yield "figure_3.position", count(position, "figure 3, run")
    yield "figure_3.logical_block", count(position // blocks.block_size, "position // block size")
    yield "figure_3.physical_block", count(block, "figure 3, run")
    yield "figure_3.slot", count(offset, "position % block size")


def _example_step(key: str, step: ExampleStep) -> _Numbers:
    tables = " ".join(f"{rid}{table}" for rid, table in step.tables.items()) or "none"
    yield f"{key}.step", count(step.step, "the scenario")
    yield f"{key}.event", Number(step.event, step.event, "the scenario")
    tokens = ", ".join(f"{rid} {length}" for rid, length in step.lengths.items()) or "none"
    yield f"{key}.tokens", Number(tokens, tokens, "the rules, run")
    yield f"{key}.tables", Number(tables, tables, "the rules, run")
    counts = _list(step.ref_count)
    yield f"{key}.ref_count", Number(counts, counts, "the rules, run")
    free = _list(step.free_list)
    yield f"{key}.free_list", Number(free, free, "the rules, run")
    yield f"{key}.wasted", count(step.wasted, "the rules, run")


def _proofs() -> _Numbers:
    for rid, length in LENGTHS.items():
        yield f"proof.length_{rid.lower()}", count(length, "the proof's input")
    yield "proof.head_dim", count(HEAD_DIM, "the proof's input")
    proof = attention_proof()
    sizes = [str(run.block_size) for run in proof]
    yield (
        "proof.block_sizes",
        Number(", ".join(sizes), f"{', '.join(sizes[:-1])} and {sizes[-1]}", "the proof's input"),
    )
    for run in proof:
        difference = run.largest_difference
        text = f"{difference:.0e}" if difference else "0"
        yield (
            f"proof.block_size_{run.block_size}.largest_difference",
            Number(difference, text, "through the table against flat, run"),
        )
    runs = [random_run(seed) for seed in SEEDS]
    yield "random.seeds", count(len(runs), "the proof's input")
    yield "random.operations_per_seed", count(runs[0].checks, "the proof's input")
    yield "random.checks", count(sum(run.checks for run in runs), "the rules, run")
    yield "random.refused", count(sum(run.refused for run in runs), "the rules, run")


def _list(values: list[int]) -> str:
    return " ".join(map(str, values)) or "empty"


def lines() -> Iterator[str]:
    """Yield one printable line per number: its name, how it is written, and how it came about.

    >>> next(lines()).split("  ")[0]
    'earlier.token_share.lowest'
    """
    found = numbers()
    width = max(map(len, found))
    for name, number in found.items():
        exact = f" = {number.value:,}" if isinstance(number.value, int | float) else ""
        exact = "" if number.text == exact.removeprefix(" = ") else exact
        yield f"{name:{width}}  {number.text}{exact}  ({number.origin})"


if __name__ == "__main__":
    sys.stdout.write("\n".join(lines()) + "\n")
