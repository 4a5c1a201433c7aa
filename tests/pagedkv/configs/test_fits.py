"""What fits, in sentences: none claims more than is known, and each is right for one as for many."""

import pytest

from pagedkv.configs.fits import Wish, notes_on, refused_by_servers, what_fits
from pagedkv.configs.layers import model_of
from pagedkv.configs.models import MODELS
from pagedkv.configs.totals import Deployment

GIB = 2**30


def said(name: str, tp: int = 1, pp: int = 1, **wish: int | None) -> str:
    wanted: dict[str, int | None] = {
        "tokens": 8192,
        "chats": 10,
        "memory": 80 * GIB,
        "weights": 16 * 10**9,
        **wish,
    }
    return " ".join(what_fits(Deployment(model_of(MODELS[name]), tp=tp, pp=pp), Wish(**wanted)))


def test_without_the_weights_nothing_is_said_to_fit_beside_them() -> None:
    words = said("Mixtral 8x7B", weights=None)
    assert "beside the weights" not in words
    assert words.startswith(
        "Without the weights: at most 80 chats of 8,192 tokens fit in 80 GiB of each GPU."
    )
    assert "Enter the size of the weights. Add up the sizes of the model's safetensors files" in words
    assert "Without the weights" not in said("Mixtral 8x7B", weights=93 * 10**9, tp=2)
    assert "weights" not in said("Mixtral 8x7B", weights=0)


@pytest.mark.parametrize("weights", [140 * 10**9, 141 * 10**9, 80 * GIB, 80 * GIB - 1, 320 * GIB, 321 * GIB])
def test_weights_that_do_not_fit_name_the_least_gpus_that_leave_room(weights: int) -> None:
    wish = Wish(tokens=8192, memory=80 * GIB, weights=weights)
    least = next(count for count in range(1, 99) if wish.room(count) > 0)
    words = said("Llama 3.1 70B", weights=weights)
    assert (f"over at least {least} GPUs of 80 GiB" in words) == (least > 1)
    assert ("nothing is left" in words) == (least > 1)
    assert "nothing is left" not in said("Llama 3.1 70B", weights=weights, tp=least)


def test_one_is_one_and_none_is_none() -> None:
    chat = GIB  # of 8,192 tokens
    assert said("Llama 3.1 8B", memory=16 * 10**9 + chat).startswith("1 chat of 8,192 tokens fits beside")
    assert "1 has to wait" in said("Llama 3.1 8B", memory=16 * 10**9 + 2 * chat, chats=3)
    assert "2 have to wait" in said("Llama 3.1 8B", memory=16 * 10**9 + chat, chats=3)
    none = said("Llama 3.1 8B", memory=16 * 10**9 + chat - 1)
    assert none.startswith("Not even 1 chat of 8,192 tokens fits beside the weights")
    assert "to wait" not in none
    assert "of 1 token fit" in said("Llama 3.1 8B", tokens=1)


def test_windows_have_both_counts_and_the_batch_that_is_assumed() -> None:
    wish = Wish(tokens=32_768, chats=1, memory=80 * GIB, weights=54 * 10**9)
    one = Deployment(model_of(MODELS["Gemma 3 27B"]))
    words = " ".join(what_fits(one, wish))
    room = wish.room(1)
    blocks = room // one.bytes_per_chat(32_768)
    reserved = room // one.bytes_per_chat(32_768, one.reserved)
    assert blocks > reserved
    assert f"{blocks} chats" in words
    assert "counted in blocks." in words
    assert (
        f"As vLLM reserves it: {reserved}, since each window also has room for a batch of up to 8,192"
        in words
    )
    assert "As vLLM reserves" not in said("Llama 3.1 8B")


def test_what_a_server_needs_is_said_wherever_something_fits() -> None:
    sentence = "Not counted: what a server needs for its own work."
    assert sentence in said("Llama 3.1 8B")
    assert sentence in said("Llama 3.1 8B", weights=None)
    assert sentence not in said("Llama 3.1 70B", weights=141 * 10**9)


def test_the_model_s_own_limit_is_said() -> None:
    assert "has memory for 533,280 tokens; the model itself stops at 131,072" in said("Llama 3.1 8B")
    assert "has memory for 3,600 tokens, of the 131,072 that" in said("Llama 3.1 8B", memory=16_472 * 10**6)
    assert "The model itself stops at 4,096 tokens" in said("Llama 2 7B")
    assert "stops at 4,096 tokens" not in said("Llama 2 7B", tokens=4096)
    assert "stops" not in said("Gemma 3 27B")


@pytest.mark.parametrize(
    ("tp", "words"),
    [
        (3, ["rounded down to 2 heads of 8", "servers refuse this", "64 query heads"]),
        (5, ["rounded down to 1 head of 8"]),
        (12, ["TP 12 is no multiple of the 8 KV heads", "64 query heads"]),
        (16, []),
        (8, []),
        (1, []),
    ],
)
def test_a_division_that_servers_refuse_is_said_beside_the_headline(tp: int, words: list[str]) -> None:
    one = Deployment(model_of(MODELS["Llama 3.1 70B"]), tp=tp)
    refused = refused_by_servers(one)
    assert bool(refused) == bool(words)
    assert all(word in " ".join(refused) for word in words)
    found = what_fits(one, Wish(tokens=64, memory=80 * GIB, weights=1))
    assert found[1 : 1 + len(refused)] == refused
    assert all(sentence in notes_on(one, Wish()) for sentence in refused)


def test_heads_that_are_kept_twice_and_latent_vectors_are_said() -> None:
    assert (
        "2 GPUs keep the same one"
        in notes_on(Deployment(model_of(MODELS["Llama 3.1 70B"]), tp=16), Wish())[0]
    )
    latent = Deployment(model_of(MODELS["DeepSeek V3"]), tp=8)
    assert "does not make this cache smaller" in notes_on(latent, Wish())[0]
    single = model_of({"num_hidden_layers": 1, "num_attention_heads": 4, "multi_query": True, "head_dim": 8})
    assert "more than the 1 KV head," in notes_on(Deployment(single, tp=2), Wish())[0]
