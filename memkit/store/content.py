"""The content of a file: bytes read within a limit, and text that can be written back unchanged."""

from __future__ import annotations

import os
import stat

from memkit.errors import NotFound, NotText, TooLarge
from memkit.store.faults import special
from memkit.store.paths import shown
from memkit.store.scan import Signature


def read_file(fd: int, path: str, limit: int) -> tuple[Signature, bytes]:
    """The signature and content of an open file of at most `limit` bytes.

    Raises NotFound for a folder, PathRefused for a special file, TooLarge, OSError.
    """
    status = os.fstat(fd)
    if stat.S_ISDIR(status.st_mode):
        raise NotFound(f"{shown(path)} is a folder; there is no file of that name.", path=path)
    if not stat.S_ISREG(status.st_mode):
        raise special(path)
    check_size(status.st_size, path, limit)
    pieces = []
    size = 0
    while piece := os.read(fd, status.st_size + 1):
        pieces.append(piece)
        size += len(piece)
        check_size(size, path, limit)
    return Signature.of(status), b"".join(pieces)


def check_size(size: int, path: str, limit: int) -> None:
    """Raise TooLarge when a file of `size` bytes is over the limit."""
    if size > limit:
        raise TooLarge(f"{shown(path)} would be over the limit of {limit} bytes a file; split it.", path=path)


def decode(data: bytes, path: str) -> str:
    """The text of a file, from which `encode` makes the same bytes. Raises NotText."""
    if b"\0" in data:
        raise NotText(f"{shown(path)} is not text: it has a NUL byte at {data.index(0)}.", path=path)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise NotText(f"{shown(path)} is not UTF-8 text: the byte at {error.start} does not fit.", path=path) from None


def encode(text: str, path: str) -> bytes:
    """The bytes of a text to write. Raises NotText for what could not be read back."""
    if "\0" in text:
        raise NotText(
            f"The text for {shown(path)} has a NUL character at {text.index(chr(0))}; leave it out.", path=path
        )
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise NotText(
            f"The text for {shown(path)} has half of a surrogate pair at {error.start}, which is not a character; "
            "leave it out.",
            path=path,
        ) from None
