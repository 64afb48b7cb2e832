"""`git log` read as it comes: one process, one commit in memory at a time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from attrs import frozen

from memkit_plugins.git_history.program import run_git

# Every line of a difference begins with a sign of its own, so none with NUL, and no part of a commit holds one.
_FORMAT = "%x00%H%x00%aI%x00%an <%ae>%x00%B%x00"
_PARTS = _FORMAT.count("%x00")
_LOG = (
    *("log", "--date-order", "--reverse", f"--format={_FORMAT}", "--no-notes", "--no-show-signature"),
    *("--patch", "--cc", "--find-renames", "--unified=3", "--inter-hunk-context=0", "--abbrev=12", "--no-color"),
    *("--src-prefix=a/", "--dst-prefix=b/", "--submodule=short", "--no-ext-diff", "--no-textconv"),
)


@frozen
class Commit:
    """A commit with its difference as git writes it; `time` is the author's, ISO 8601 with its offset."""

    hash: str
    time: str
    author: str
    message: str
    difference: str
    strange: bool
    """Whether anything in it was not UTF-8."""


def read_commits(repository: Path, revision: str, *, where: str) -> Iterator[Commit]:
    """The commits that `revision` reaches, oldest first, parents before children. Raises DataError."""
    with run_git([*_LOG, "--end-of-options", revision, "--"], repository, where=where) as lines:
        yield from split_log(lines)


def split_log(lines: BinaryIO) -> Iterator[Commit]:
    """The commits in git's output, in its order."""
    head, body = b"", list[bytes]()
    for line in lines:
        if head.count(b"\0") < _PARTS:
            head += line
        elif line.startswith(b"\0"):
            yield _commit(head, b"".join(body))
            head, body = line, []
        else:
            body.append(line)
    if head:
        yield _commit(head, b"".join(body))


def _commit(head: bytes, body: bytes) -> Commit:
    texts, strange = zip(*map(_decode, (*head.split(b"\0")[1:_PARTS], body.strip(b"\n"))), strict=True)
    name, time, author, message, difference = texts
    return Commit(name, time, author, message.rstrip("\n"), difference, any(strange))


def _decode(text: bytes) -> tuple[str, bool]:
    """Text as UTF-8; lines that are not are read as Latin-1, in which every byte is a character."""
    try:
        return text.decode(), False
    except UnicodeDecodeError:
        return "".join(map(_decode_line, text.splitlines(keepends=True))), True


def _decode_line(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("latin-1")
