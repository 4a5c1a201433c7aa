"""Wrong versions of the rules, each with the test that must notice it.

To add one: name what is wrong, copy the text from the source so that it occurs exactly once in that file, say
what it becomes, and name the test (a test function, without parameters) that fails because of it.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """One wrong program: in `<package>/<file>`, each old text becomes the new one."""

    name: str
    file: str
    changes: tuple[tuple[str, str], ...]
    caught_by: str
    package: str = "pagedkv"

    @property
    def node(self) -> str:
        """The test that notices, below `tests/`."""
        return f"{self.package}/{self.caught_by}"


def mutant(name: str, file: str, old: str, new: str, caught_by: str, *, package: str = "pagedkv") -> Mutant:
    """Return a mutant with one change; `caught_by` is a node below `tests/<package>/`."""
    return Mutant(name, file, ((old, new),), caught_by, package)


PAGING = (
    mutant(
        "last-in-first-out-free-list",
        "blocks.py",
        "self.free_list.popleft()",
        "self.free_list.pop()",
        "test_blocks.py::test_blocks_are_handed_out_in_the_order_of_the_free_list",
    ),
    mutant(
        "freed-blocks-go-to-the-front",
        "blocks.py",
        "self.free_list.append(block)",
        "self.free_list.appendleft(block)",
        "test_blocks.py::test_freed_blocks_go_to_the_back_in_the_order_of_the_table",
    ),
    mutant(
        "freed-blocks-go-to-the-front-in-the-worked-example",
        "blocks.py",
        "self.free_list.append(block)",
        "self.free_list.appendleft(block)",
        "test_examples.py::test_worked_example_has_the_row",
    ),
    mutant(
        "free-ignores-counts",
        "blocks.py",
        "            if self.ref_count[block] == 0:\n",
        "            if True:\n",
        "test_blocks.py::test_a_shared_block_goes_back_when_its_last_owner_ends",
    ),
    mutant(
        "free-returns-no-block",
        "blocks.py",
        "                self.free_list.append(block)\n",
        "",
        "test_blocks.py::test_freed_blocks_go_to_the_back_in_the_order_of_the_table",
    ),
    mutant(
        "free-forgets-the-count",
        "blocks.py",
        "            self.ref_count[block] -= 1\n",
        "            self.ref_count[block] = 0\n",
        "test_blocks.py::test_a_block_of_three_owners_stays_when_one_ends",
    ),
    mutant(
        "copy-on-write-without-the-decrement",
        "blocks.py",
        "                self.ref_count[copied_from] -= 1\n",
        "",
        "test_blocks.py::test_a_write_to_a_shared_block_with_room_copies_it",
    ),
    mutant(
        "copy-on-write-lets-go-before-it-has-a-block",
        "blocks.py",
        "                copied_from = block\n                block = self._take_block()\n",
        "                copied_from = block\n"
        "                self.ref_count[copied_from] -= 1\n"
        "                block = self._take_block()\n"
        "                self.ref_count[copied_from] += 1\n",
        "test_refusals.py::test_a_refused_call_of_the_allocator_changes_nothing",
    ),
    mutant(
        "copy-on-write-from-three-sharers-up",
        "blocks.py",
        "if self.ref_count[block] > 1:",
        "if self.ref_count[block] > 2:",
        "test_blocks.py::test_a_write_to_a_shared_block_with_room_copies_it",
    ),
    mutant(
        "copy-on-write-copies-no-key",
        "manager.py",
        "            self.k_pool[block, :offset] = self.k_pool[copied_from, :offset]\n",
        "",
        "test_manager.py::test_after_copy_on_write_both_read_what_they_wrote",
    ),
    mutant(
        "copy-on-write-copies-no-value",
        "manager.py",
        "            self.v_pool[block, :offset] = self.v_pool[copied_from, :offset]\n",
        "",
        "test_attention.py::test_after_a_fork_and_a_copy_on_write_both_attend_to_their_own",
    ),
    mutant(
        "copy-on-write-copies-one-slot-too-few",
        "manager.py",
        "self.k_pool[block, :offset] = self.k_pool[copied_from, :offset]",
        "self.k_pool[block, : offset - 1] = self.k_pool[copied_from, : offset - 1]",
        "test_blocks_stateful.py::TestPaging::runTest",
    ),
    mutant(
        "block-taken-one-token-late",
        "blocks.py",
        "        if offset == 0:\n",
        "        if offset == 1 or not table:\n",
        "test_blocks.py::test_a_block_is_taken_exactly_when_the_length_is_a_multiple_of_the_block_size",
    ),
    mutant(
        "fork-raises-no-count",
        "blocks.py",
        "            self.ref_count[block] += 1\n",
        "            pass\n",
        "test_blocks.py::test_a_fork_shares_every_block_and_takes_none",
    ),
    mutant(
        "fork-shares-the-table-itself",
        "blocks.py",
        "self.tables[parent].copy()",
        "self.tables[parent]",
        "test_blocks.py::test_the_tables_of_parent_and_child_are_two",
    ),
    mutant(
        "append-counts-before-it-is-refused",
        "blocks.py",
        "        copied_from = None\n",
        "        copied_from = None\n        self.lengths[rid] = length + 1\n",
        "test_refusals.py::test_a_refused_call_of_the_allocator_changes_nothing",
    ),
    mutant(
        "append-stores-before-it-checks-the-value",
        "manager.py",
        '        key, value = vector(k, self.head_dim, "the key"), vector(v, self.head_dim, "the value")\n'
        "        block, offset, copied_from = super().append(rid)\n",
        "        block, offset, copied_from = super().append(rid)\n"
        '        key, value = vector(k, self.head_dim, "the key"), vector(v, self.head_dim, "the value")\n',
        "test_refusals.py::test_a_key_or_value_of_the_wrong_shape_changes_nothing",
    ),
    mutant(
        "needed-blocks-are-rounded-down",
        "blocks.py",
        'return -(-whole_number(num_tokens, "num_tokens", at_least=0) // self.block_size)',
        'return whole_number(num_tokens, "num_tokens", at_least=0) // self.block_size',
        "test_blocks.py::test_blocks_for_rounds_up",
    ),
)

ATTENTION = (
    Mutant(
        "last-block-read-to-its-end",
        "attention.py",
        (
            ("[: length - first]", ""),
            ("np.empty(mgr.length_of(rid))", "np.empty(len(mgr.tables[rid]) * mgr.block_size)"),
        ),
        "test_attention.py::test_no_slot_that_is_not_valid_changes_a_bit",
    ),
    mutant(
        "softmax-without-taking-the-maximum-out",
        "attention.py",
        "np.exp(scores - scores.max())",
        "np.exp(scores)",
        "test_attention.py::test_softmax_of_huge_scores_neither_overflows_nor_vanishes",
    ),
    mutant(
        "scores-without-the-scale",
        "attention.py",
        "softmax(scores / math.sqrt(mgr.head_dim))",
        "softmax(scores)",
        "test_attention.py::test_the_scale_is_the_root_of_the_head_size",
    ),
    mutant(
        "gather-reads-the-last-block-to-its-end",
        "manager.py",
        "        keys = self.k_pool[table].reshape(-1, self.head_dim)[:length]\n",
        "        keys = self.k_pool[table].reshape(-1, self.head_dim)\n",
        "test_manager.py::test_gather_stops_at_the_length_and_not_at_the_end_of_the_block",
    ),
)

CONTIGUOUS = (
    mutant(
        "first-fit-misses-an-exact-hole",
        "contiguous.py",
        "if hole.size >= size:",
        "if hole.size > size:",
        "test_contiguous.py::test_a_hole_of_exactly_the_size_is_taken",
    ),
    mutant(
        "best-fit-instead-of-first-fit",
        "contiguous.py",
        "        for hole in self.holes():\n",
        "        for hole in sorted(self.holes(), key=lambda hole: hole.size):\n",
        "test_contiguous.py::test_the_first_hole_that_is_long_enough_is_taken_and_not_the_best",
    ),
    mutant(
        "the-last-hole-is-missed",
        "contiguous.py",
        "        if start < self.num_slots:\n",
        "        if start == 0:\n",
        "test_contiguous.py::test_the_run_behind_the_last_reservation_is_a_hole",
    ),
    mutant(
        "holes-in-order-of-arrival",
        "contiguous.py",
        "sorted(self.reservations.values())",
        "list(self.reservations.values())",
        "test_contiguous_stateful.py::TestReserving::runTest",
    ),
    mutant(
        "holes-that-touch-are-not-merged",
        "contiguous.py",
        "        return holes\n",
        "        return [Run(hole.start + i, 1) for hole in holes for i in range(hole.size)]\n",
        "test_contiguous.py::test_holes_that_touch_are_one_hole",
    ),
    mutant(
        "a-reply-is-cut-off-one-token-late",
        "contiguous.py",
        "        if length == run.size:\n",
        "        if length > run.size:\n",
        "test_contiguous.py::test_tokens_fill_the_run_from_its_start_and_stop_at_its_end",
    ),
    mutant(
        "a-contiguous-fork-copies-no-token",
        "contiguous.py",
        "            self.lengths[child] = self.lengths[parent]\n",
        "            pass\n",
        "test_contiguous.py::test_a_fork_reserves_as_much_again_and_holds_as_many_tokens",
    ),
)

QUEUE = (
    mutant(
        "newcomers-overtake-the-queue",
        "layouts.py",
        "        if not self.queue:\n",
        "        if True:\n",
        "test_side_by_side.py::test_nobody_overtakes_in_the_new_way",
    ),
    mutant(
        "whoever-fits-leaves-the-queue-first",
        "layouts.py",
        "        while self.queue:\n"
        "            event = self._admit(self.queue[0])\n"
        "            if event is None:\n"
        "                break\n"
        '            event["from_queue"] = True\n'
        "            events.append(event)\n"
        "            del self.queue[0]\n",
        "        for chat in self.queue.copy():\n"
        "            event = self._admit(chat)\n"
        "            if event is None:\n"
        "                continue\n"
        '            event["from_queue"] = True\n'
        "            events.append(event)\n"
        "            self.queue.remove(chat)\n",
        "test_side_by_side.py::test_a_finish_admits_nobody_behind_one_who_does_not_fit",
    ),
    mutant(
        "a-finish-does-not-serve-the-queue",
        "layouts.py",
        "[self._finish(operation.chat), *self._serve_queue()]",
        "[self._finish(operation.chat)]",
        "test_side_by_side.py::test_a_finish_serves_the_queue_in_order_in_the_same_step",
    ),
    mutant(
        "the-demand-of-a-waiting-chat-does-not-grow",
        "layouts.py",
        "        self.wanted[more.chat] += more.tokens\n",
        "",
        "test_side_by_side.py::test_a_chat_from_the_queue_is_admitted_with_all_its_tokens",
    ),
    mutant(
        "shared-slots-are-counted-twice",
        "layouts.py",
        '"used": sum(filled.values()),',
        '"used": sum(blocks.lengths.values()),',
        "test_side_by_side_stateful.py::TestSession::runTest",
    ),
    mutant(
        "a-refused-token-is-wanted-all-the-same",
        "layouts.py",
        "        self.wanted[chat] = self.blocks.lengths[chat]  # a refused append leaves no trace\n",
        "        self.wanted[chat] += tokens\n",
        "test_side_by_side.py::test_four_more_tokens_that_find_no_block_at_all_change_nothing",
    ),
)

ARITHMETIC = (
    mutant(
        "bytes-per-token-with-query-heads",
        "sizes.py",
        'for name in ("n_layers", "n_kv_heads",',
        'for name in ("n_layers", "n_heads",',
        "test_sizes.py::test_query_heads_do_not_count",
    ),
    mutant(
        "bytes-per-token-of-keys-alone",
        "sizes.py",
        "    product = 2\n",
        "    product = 1\n",
        "test_sizes.py::test_bytes_per_token_of_the_models_of_the_lesson",
    ),
    mutant(
        "pairs-of-the-newest-token-left-out",
        "decode.py",
        "return n * (n + 1) // 2",
        "return n * (n - 1) // 2",
        "test_decode.py::test_the_formulas_give_the_table_of_the_lesson",
    ),
)

CONTENTS = (
    mutant(
        "a-contiguous-fork-copies-no-values",
        "contents.py",
        "                pool[start : start + length] = pool[first : first + length]\n",
        "                pass\n",
        "test_contents.py::test_attention_is_that_of_the_formula_in_both_layouts",
    ),
    mutant(
        "a-freed-reservation-is-cleared",
        "contents.py",
        "        super().free(rid)\n        del",
        "        self.keys[:] = 0.0\n        super().free(rid)\n        del",
        "test_contents.py::test_stale_values_are_there_and_only_a_careless_reader_meets_them",
    ),
    mutant(
        "a-fork-makes-up-its-parents-tokens-again",
        "contents.py",
        "self.tokens[child] = self.tokens[parent].copy()\n\n    def free(self, rid: Hashable) -> list[int]:",
        "self.tokens[child] = [Token(str(child), p) for p in range(len(self.tokens[parent]))]\n\n"
        "    def free(self, rid: Hashable) -> list[int]:",
        "test_contents.py::test_attention_is_that_of_the_formula_in_both_layouts",
    ),
    mutant(
        "nan-is-left-in-the-slots",
        "contents.py",
        "blocks = copy.copy(blocks)",
        "blocks = blocks",
        "test_contents.py::test_nan_in_every_unused_slot_changes_no_bit_of_any_answer",
    ),
    mutant(
        "a-careless-reader-that-is-careful",
        "contents.py",
        "[reach] for pool in",
        "[reach[: len(tokens)]] for pool in",
        "test_contents.py::test_stale_values_are_there_and_only_a_careless_reader_meets_them",
    ),
)

EXERCISES = (
    mutant(
        "seeds-that-drift",
        "seeds.py",
        "int(self._random() * count)",
        "round(self._random() * (count - 1))",
        "test_questions.py::test_seeds_give_the_same_numbers_for_ever",
        package="exercises",
    ),
    mutant(
        "a-gb-is-a-gib",
        "quantity.py",
        "abs(Decimal(num_bytes) / UNITS[self.unit] - self.value) <= half",
        "min(abs(Decimal(num_bytes) / UNITS[u] - self.value) for u in (self.unit, TWIN[self.unit])) <= half",
        "test_questions.py::test_an_answer_to_the_lessons_own_variants_is_judged",
        package="exercises",
    ),
    mutant(
        "the-quiz-counts-query-heads",
        "questions/model_bytes.py",
        "per_token = kv_bytes_per_token(model)",
        "per_token = kv_bytes_per_token(replace(model, n_kv_heads=setting.query_heads))",
        "test_questions.py::test_seed_zero_is_the_lessons_own_variant",
        package="exercises",
    ),
    mutant(
        "variants-in-which-the-lowest-number-is-in-front",
        "questions/arrival.py",
        " and free[:need] != sorted(free)[:need]",
        "",
        "test_questions.py::test_the_mistakes_that_the_lesson_warns_of_are_named_in_every_variant",
        package="exercises",
    ),
)

CONFIGS = (
    mutant(
        "a-config-counts-query-heads",
        "configs/layers.py",
        'names = [f"{prefix}num_key_value_heads", "num_key_value_heads"]',
        'names = ["num_attention_heads"]',
        "configs/test_right_values.py::test_bytes_per_token",
    ),
    mutant(
        "a-latent-vector-counts-twice",
        "configs/layers.py",
        'latent = fields.count("kv_lora_rank") + fields.count("qk_rope_head_dim")',
        'latent = 2 * (fields.count("kv_lora_rank") + fields.count("qk_rope_head_dim"))',
        "configs/test_right_values.py::test_bytes_per_token",
    ),
    mutant(
        "a-latent-vector-is-divided-by-ranks",
        "configs/layers.py",
        "rows = (heads * self.key_size, heads * self.value_size, self.latent)",
        "rows = (heads * self.key_size, heads * self.value_size, self.latent // tp)",
        "configs/test_right_values.py::test_what_servers_report",
    ),
    mutant(
        "windows-grow-without-end",
        "configs/totals.py",
        "return length if window is None else min(length, window)",
        "return length",
        "configs/test_right_values.py::test_a_chat_is_full_layers_and_windows_up_to_their_end",
    ),
    mutant(
        "a-window-that-is-switched-off-counts",
        "configs/schedule.py",
        '    if not fields.switch("use_sliding_window", default=True):\n        return None\n',
        "",
        "configs/test_right_values.py::test_bytes_per_token",
    ),
    mutant(
        "the-last-slope-is-taken-for-the-first",
        "configs/totals.py",
        "        start = end\n",
        "        pass\n",
        "configs/test_totals.py::test_the_longest_chat_fits_and_a_longer_one_does_not",
    ),
    mutant(
        "a-list-of-another-length-is-taken",
        "configs/fields.py",
        "        if len(value) != num_layers:\n",
        "        if len(value) < num_layers:\n",
        "configs/test_refusals.py::test_what_is_not_known_is_refused_by_its_field",
    ),
)

MUTANTS = PAGING + ATTENTION + CONTIGUOUS + QUEUE + ARITHMETIC + CONTENTS + EXERCISES + CONFIGS
