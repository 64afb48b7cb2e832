"""Tokens are counted with no network, for any text."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit import count_tokens, cut_tokens
from memkit.tokens import PIECE_CHARACTERS

texts = st.text(st.characters(exclude_categories=()))
HUGE = {
    "spaces": (" ", 1_000_000),
    "line breaks": ("\n", 1_000_000),
    "one letter": ("a", 1_000_000),
    "ideographs": ("字", 300_000),
    "words": ("hello world ", 100_000),
}


def test_known_counts() -> None:
    """The encoding is o200k_base: its counts of known texts."""
    assert [0, 2, 1, 4] == [count_tokens(text) for text in ("", "hello world", " the", "田中さくら")]


@given(texts)
def test_any_text_has_a_count(text: str) -> None:
    """Lone surrogates and special tokens included; each character takes at most its UTF-8 bytes."""
    assert (len(text) > 0) <= count_tokens(text) <= 4 * len(text)


@given(texts, st.integers(0, 30))
def test_cut(text: str, limit: int) -> None:
    """A cut is a prefix within the limit, and the whole text when that fits."""
    cut = cut_tokens(text, limit)

    assert text.startswith(cut)
    assert (cut == text) or limit < count_tokens(text)
    assert count_tokens(cut) <= limit


@pytest.mark.parametrize(("piece", "times"), HUGE.values(), ids=HUGE)
def test_huge_text(piece: str, times: int) -> None:
    """A text far larger than the encoder's stack is counted, and a cut counts what it should."""
    text = piece * times

    assert 0 < count_tokens(text) <= len(text.encode())
    assert 1000 >= count_tokens(cut_tokens(text, 1000)) > 900


def test_pieces_change_no_count() -> None:
    """Cutting at line ends for the encoder leaves the count of ordinary text as it was."""
    line = "The quick brown fox jumps over the lazy dog.\n"
    times = 3 * PIECE_CHARACTERS // len(line)

    assert times * count_tokens(line) == count_tokens(line * times)


def test_special_tokens_are_text() -> None:
    """A special token that a user wrote is its characters."""
    assert 1 < count_tokens("<|endoftext|>")


def test_no_network(tmp_path: Path) -> None:
    """The encoding loads in a process whose sockets are cut off and whose cache setting leads nowhere."""
    code = "import socket; socket.socket = None\nfrom memkit import count_tokens; print(count_tokens('hello world'))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "TIKTOKEN_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (0, "2\n", "") == (done.returncode, done.stdout, done.stderr)
    assert [] == list(tmp_path.iterdir())
