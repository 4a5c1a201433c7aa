"""`python -m pagedkv size`: what it prints, and that it ends with 2 and one sentence where it cannot."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pagedkv.__main__ import main
from pagedkv.configs.models import MODELS

ROOT = Path(__file__).parents[3]


Config = Callable[[str], str]
"""Given a known model's name, the path of a file with its configuration."""


@pytest.fixture
def config(tmp_path: Path) -> Config:
    def write(name: str) -> str:
        path = tmp_path / "config.json"
        path.write_text(json.dumps(MODELS[name]), encoding="utf-8")
        return str(path)

    return write


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["size", *words, "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    found = json.loads(out)
    assert isinstance(found, dict)
    return found


def refusal(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    try:
        code: object = main(["size", *words])
    except SystemExit as ended:
        code = ended.code
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.endswith(".\n")
    assert err.count("\n") == 1
    return err


def test_keys_without_arguments(capsys: pytest.CaptureFixture[str], config: Config) -> None:
    found = answer(capsys, config("Gemma 4 26B-A4B"))
    notes = found.pop("notes")
    assert [note.split(":")[0] for note in notes] == [
        "Read from text_config, the part of the file for the model that writes text.",
        "attention_k_eq_v",
    ]
    windows = [{"bytes_per_token": 204_800, "window": 1024}]
    assert found == {
        "model_type": "gemma4",
        "full_bytes_per_token": 20_480,
        "full_bytes_per_token_all_ranks": 20_480,
        "window_layers": windows,
        "window_layers_all_ranks": windows,
        "constant_bytes": 0,
        "constant_bytes_all_ranks": 0,
        "indexer_bytes_per_token": 0,
        "indexer_bytes_per_token_all_ranks": 0,
        "padded_bytes_per_token": None,
        "model_max_tokens": 262_144,
    }


def test_a_chat_many_chats_and_what_fits(capsys: pytest.CaptureFixture[str], config: Config) -> None:
    words = ["--tokens", "8190", "--chats", "10", "--memory", "80GiB", "--weights", "16GB"]
    found = answer(capsys, config("Llama 3.1 8B"), *words)
    assert found["bytes_ideal"] == 8190 * 131_072
    assert found["bytes_in_blocks"] == 2**30 == found["bytes_engine_reserved"]
    assert found["bytes_in_blocks_all_chats"] == 10 * 2**30
    assert found["bytes_ideal_all_chats"] == 10 * 8190 * 131_072
    room = 80 * 2**30 - 16 * 10**9
    assert found["max_tokens"] == room // 131_072 // 16 * 16
    assert found["max_tokens_ideal"] == room // 131_072
    assert found["max_chats"] == room // 2**30 == 65


def test_ranks(capsys: pytest.CaptureFixture[str], config: Config) -> None:
    words = ["--tp", "4", "--pp", "2", "--tokens", "16", "--memory", "40GiB", "--weights", "140GB"]
    found = answer(capsys, config("Llama 3.1 70B"), *words)
    assert found["full_bytes_per_token"] == 327_680 // 8
    assert found["full_bytes_per_token_all_ranks"] == 327_680
    assert found["bytes_ideal_all_ranks"] == 16 * 327_680 == 8 * found["bytes_ideal"]
    assert found["max_chats"] == (40 * 2**30 - 140 * 10**9 // 8) // (16 * 40_960)


@pytest.mark.parametrize(("dtype", "size"), [("fp8", 65_536), ("q8_0", 69_632), ("q4_0", 36_864)])
def test_formats(capsys: pytest.CaptureFixture[str], config: Config, dtype: str, size: int) -> None:
    found = answer(capsys, config("Llama 3.1 8B"), "--cache-dtype", dtype)
    assert found["full_bytes_per_token"] == size


def test_a_constant_that_is_not_counted_is_null_and_said(
    capsys: pytest.CaptureFixture[str], config: Config
) -> None:
    found = answer(capsys, config("Qwen3.5 27B"), "--tokens", "262144")
    assert found["constant_bytes"] is None
    assert found["bytes_ideal"] == 16 * 2**30
    assert any("constant" in note for note in found["notes"])


def test_words_for_a_reader(capsys: pytest.CaptureFixture[str], config: Config) -> None:
    words = ["--tokens", "2000", "--chats", "3", "--memory", "24GiB", "--weights", "14GB"]
    assert main(["size", config("gpt-oss 20B"), *words]) == 0
    out, _ = capsys.readouterr()
    assert "gpt_oss: 24 layers (12 full, 12 window)" in out
    assert "24,576 B = 24 KiB" in out
    assert "window of 128" in out
    assert "as vLLM reserves it" in out


def test_weights_that_do_not_fit_leave_room_for_nothing(
    capsys: pytest.CaptureFixture[str], config: Config
) -> None:
    found = answer(capsys, config("Llama 3.1 8B"), "--memory", "8GB", "--weights", "16GB", "--tokens", "1")
    assert (found["max_tokens"], found["max_chats"]) == (0, 0)
    assert "The weights alone are larger than the memory." in found["notes"]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--tokens", "0"], "--tokens"),
        (["--tokens", "-5"], "--tokens"),
        (["--tokens", "many"], "--tokens"),
        (["--tokens", "1e3"], "--tokens"),
        (["--tokens", "9" * 40], "--tokens"),
        (["--tokens", "٣"], "--tokens"),
        (["--chats", "3"], "--chats"),
        (["--tokens", "5", "--chats", "0"], "--chats"),
        (["--memory", "80G"], "--memory"),
        (["--memory", "0GiB"], "--memory"),
        (["--memory", "-1GiB"], "--memory"),
        (["--memory", "nanGiB"], "--memory"),
        (["--memory", "999999999999TiB"], "--memory"),
        (["--weights", "16"], "--weights"),
        (["--memory", "80"], "--memory"),
        (["--memory", "-80GB"], "--memory needs a value"),
        (["--weights", "x"], "--weights"),
        (["--cache-dtype", "int3"], "--cache-dtype"),
        (["--tp", "0"], "--tp"),
        (["--tp", "1000000"], "--tp"),
        (["--pp", "33"], "pp is 33"),
        (["--block-size", "0"], "--block-size"),
        (["--unheard-of"], "--unheard-of"),
    ],
)
def test_arguments_are_refused_by_name(
    capsys: pytest.CaptureFixture[str], config: Config, words: list[str], named: str
) -> None:
    assert named in refusal(capsys, config("Llama 3.1 8B"), *words)


def test_files_that_are_none(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bad = {
        "broken.json": b'{"num_hidden_layers": ',
        "list.json": b"[1]",
        "bytes.json": b"\xff\xfe\x00",
        "deep.json": b"[" * 1_000_000,
        "digits.json": b'{"num_hidden_layers": ' + b"9" * 10_000 + b"}",
        "empty.json": b"",
        "missing.json": b'{"num_attention_heads": 8}',
    }
    for name, content in bad.items():
        (tmp_path / name).write_bytes(content)
        refusal(capsys, str(tmp_path / name))
    for name in (str(tmp_path / "nowhere.json"), str(tmp_path), "", "a\0b"):
        refusal(capsys, name)


def test_a_huge_file_is_not_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    assert "bytes" in refusal(capsys, str(path))


def test_a_folder_and_a_mark_at_the_beginning(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = json.dumps(MODELS["Llama 2 7B"])
    (tmp_path / "config.json").write_text("\ufeff" + text, encoding="utf-8")
    assert answer(capsys, str(tmp_path))["full_bytes_per_token"] == 524_288


@pytest.mark.parametrize("form", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_file_in_utf_16_is_read_by_its_mark(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, form: str
) -> None:
    mark = "" if form == "utf-16" else "\ufeff"
    path = tmp_path / "config.json"
    path.write_bytes((mark + json.dumps(MODELS["Llama 2 7B"])).encode(form))
    assert answer(capsys, str(path))["full_bytes_per_token"] == 524_288


def test_without_weights_no_line_says_that_they_are_there(
    capsys: pytest.CaptureFixture[str], config: Config
) -> None:
    words = ["--tokens", "8192", "--memory", "80GiB"]
    assert main(["size", config("Llama 3.1 8B"), *words]) == 0
    out, _ = capsys.readouterr()
    assert "Without the weights: at most 80 chats" in out
    assert "Not counted: what a server needs" in out
    assert answer(capsys, config("Llama 3.1 8B"), *words)["weights_known"] is False
    assert answer(capsys, config("Llama 3.1 8B"), *words, "--weights", "0")["weights_known"] is True


def test_a_model_of_windows_alone_has_no_row_of_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps({**MODELS["Llama 2 7B"], "sliding_window": 4096}), encoding="utf-8")
    assert main(["size", str(path), "--tokens", "8,192"]) == 0
    out, _ = capsys.readouterr()
    assert ": 0 B" not in out
    assert "each token, in layers with a window of 4,096: 524,288 B" in out


def test_it_runs_without_numpy_and_from_stdin() -> None:
    code = (
        "import sys; sys.modules['numpy'] = None; from pagedkv.__main__ import main; "
        "sys.exit(main(['size', '-', '--json']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        input=json.dumps(MODELS["Mixtral 8x7B"]),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["full_bytes_per_token"] == 131_072
