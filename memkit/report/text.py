"""Text that somebody else wrote, made fit to be shown: nothing that drives a page or turns its words around."""

from __future__ import annotations

import re

UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\ud800-\udfff]"
)
"""Controls but tab and line feed, bidirectional and invisible formatting, separators of lines, lone surrogates."""
ELLIPSIS = "…"


def clean(text: str) -> str:
    """`text` with carriage returns dropped before line feeds and every unsafe character replaced by U+FFFD."""
    return UNSAFE.sub("\ufffd", text.replace("\r\n", "\n"))


def cut(text: str, characters: int) -> str:
    """`text`, or its beginning and an ellipsis, in at most so many characters."""
    return text if len(text) <= characters else text[: characters - 1].rstrip() + ELLIPSIS


def cut_middle(text: str, characters: int) -> str:
    """`text`, or its first two thirds and its end in about so many characters, with the gap counted between them."""
    if len(text) <= characters:
        return text
    head = characters * 2 // 3
    tail = characters - head
    return f"{text[:head]}\n[{ELLIPSIS} {len(text) - characters:,} characters left out {ELLIPSIS}]\n{text[-tail:]}"
