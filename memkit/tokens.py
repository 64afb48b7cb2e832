"""Counting tokens, offline: the only place that knows tiktoken."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from memkit.errors import UserError

if TYPE_CHECKING:
    import tiktoken

ENCODING = "o200k_base"
"""The encoding every count uses, so that counts of different models can be compared."""
PIECE_CHARACTERS = 200_000
"""Encoded at a time: the encoder's stack overflows on a million spaces in a row."""
REMEMBERED_CHARACTERS = 200_000
"""Longer texts are counted afresh each time rather than kept in memory."""


def count_tokens(text: str) -> int:
    """Tokens of `text`. Special tokens written in it count as the characters they are."""
    return _count(text) if len(text) > REMEMBERED_CHARACTERS else _remembered_count(text)


@lru_cache(maxsize=8192)
def _remembered_count(text: str) -> int:
    return _count(text)


def _count(text: str) -> int:
    return sum(len(_encoding().encode_ordinary(piece)) for piece in _pieces(text))


def cut_tokens(text: str, limit: int) -> str:
    """The longest prefix of `text`, whole characters only, of at most `limit` tokens."""
    left, end = limit, 0
    for piece in _pieces(text):
        tokens = _encoding().encode_ordinary(piece)
        if len(tokens) > left:
            return text[: end + len(_encoding().decode_bytes(tokens[:left]).decode("utf-8", "ignore"))]
        left -= len(tokens)
        end += len(piece)
    return text


def _pieces(text: str) -> Iterator[str]:
    """The text in encodable pieces, cut after a line break where there is one."""
    try:
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate; a question mark stands for it
        text = text.encode("utf-8", "replace").decode()
    start = 0
    while len(text) - start > PIECE_CHARACTERS:
        cut = text.rfind("\n", start, start + PIECE_CHARACTERS) + 1 or start + PIECE_CHARACTERS
        yield text[start:cut]
        start = cut
    yield text[start:]


@cache
def _encoding() -> tiktoken.Encoding:
    import tiktoken

    name = "TIKTOKEN_CACHE_DIR"
    before = os.environ.get(name)
    # tiktoken looks here before it would ask the network; litellm's wheel carries the files.
    os.environ[name] = str(_bundled_encodings())
    try:
        return tiktoken.get_encoding(ENCODING)
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


def _bundled_encodings() -> Path:
    # find_spec does not run litellm, whose import takes seconds.
    spec = find_spec("litellm")
    for root in (spec.submodule_search_locations or ()) if spec else ():
        folder = Path(root) / "litellm_core_utils" / "tokenizers"
        if folder.is_dir():
            return folder
    raise UserError("the token encodings are not installed; reinstall agent-memkit with its dependency litellm")
