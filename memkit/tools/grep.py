"""grep: the lines of a store that match a pattern, in time linear in the store for any pattern.

Patterns are RE2's. A file is searched as one piece of bytes, since a call for each line costs many times the
search; `never_nl` keeps a match within its line, and the few forms that could tell a line from a file are refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, TypeAlias

from attrs import field, mutable

from memkit.errors import StoreError, ToolError
from memkit.store.files import Signature, Store
from memkit.store.paths import parse, virtual
from memkit.tools.output import OUTPUT_CAP, clip

MAX_RESULTS = 1_000
"""The most lines one call may ask for."""

SHOWN_CHARACTERS = 500
"""Characters shown of one matching line, around its first match."""

FILES_NAMED = 5
"""Files that a notice names, those with the most matches: they tell where to look next."""

_Finder: TypeAlias = Callable[[bytes], Iterator[tuple[int, int]]]
"""From the bytes of a file to each line that matches, once: where its first match starts, and where it ends."""

_NOTICE_ROOM = 2_000
_NAMES_ROOM = 700
_BOM = b"\xef\xbb\xbf"
_LITERAL = re.compile(r"[\w ,:;'\"/@#%&=<>!~-]*")

# What each would match depends on where the file, not the line, begins and ends; \C may match half a character.
_BEYOND_LINES = re.compile(
    r"\\Q.*?(?:\\E|$)|(\\[AzC]|\(\?[a-zA-Z]{0,9}-[a-zA-Z]{0,9}m[a-zA-Z]{0,9}[:)])|\\.", re.DOTALL
)


@mutable
class _Result:
    """What a search shows, and counts of what it leaves out. `room` is in characters."""

    limit: int
    room: int
    rows: list[str] = field(factory=list)
    left: dict[str, int] = field(factory=dict)
    unread: list[str] = field(factory=list)
    files: int = 0

    def is_full(self) -> bool:
        """Whether every further line is to be counted only."""
        return bool(self.left) or len(self.rows) >= self.limit

    def add(self, row: str) -> bool:
        """Take a row; False when there is no room for it."""
        self.room -= len(row) + 1
        if self.room < 0:
            return False
        self.rows.append(row)
        return True


def grep_store(store: Store, pattern: str, path: str, *, max_results: int, ignore_case: bool = False) -> str:
    """Lines of the file or folder `path` that match, as `path:line:text` in store order, then what was left out.

    Raises ToolError for a pattern RE2 does not take or a path that is not there, and PathRefused.
    """
    find = _compile(pattern, ignore_case=ignore_case)
    result = _Result(max_results, OUTPUT_CAP - _NOTICE_ROOM)
    for file, signature in _scope(store, path).items():
        body = _searchable(store, file, signature)
        if body is None:
            result.unread.append(file)
        else:
            result.files += 1
            _search(find, file, body, result)
    return "\n".join([*(result.rows or [_no_match(pattern, path, result)]), *_notices(result)])


def _compile(pattern: str, *, ignore_case: bool) -> _Finder:
    if _LITERAL.fullmatch(pattern) and not ignore_case:
        return partial(_find_literal, pattern.encode())
    import re2

    options = re2.Options()
    options.never_nl = True
    options.never_capture = True
    options.log_errors = False
    try:
        re2.compile(pattern.encode(), options)
    except re2.error as error:
        reason = error.args[0].decode(errors="replace") if isinstance(error.args[0], bytes) else str(error)
        raise ToolError(
            f"The pattern {clip(pattern, SHOWN_CHARACTERS)!r} is not a regular expression of RE2: {reason}."
            " Put a backslash before a character that is meant literally; look-around and back-references do not exist."
        ) from None
    for match in _BEYOND_LINES.finditer(pattern):
        if match[1]:
            raise ToolError(
                f"grep searches line by line and does not take {match[1]}; use ^ and $ for the ends of a line."
            )
    try:
        # The rest of the line goes with the match, so that the search goes on in the next line.
        return partial(_find_regexp, re2.compile(f"(?{'i' * ignore_case}m)(?:{pattern}).*$".encode(), options))
    except re2.error:
        raise ToolError("The pattern is too large, or has a \\Q that no \\E closes; make it simpler.") from None


def _scope(store: Store, path: str) -> Mapping[str, Signature]:
    """The files that are or lie below `path`."""
    wanted = virtual(parse(path, store.limits))
    signatures = store.scan()
    if wanted in signatures:
        return {wanted: signatures[wanted]}
    found = {file: signature for file, signature in signatures.items() if file.startswith(wanted + "/")}
    if not found and not store.is_dir(wanted):
        raise ToolError(f"The path {path} does not exist. Please provide a valid path.")
    return found


def _searchable(store: Store, path: str, signature: Signature) -> bytes | None:
    """The content of a file with Unix line breaks and without byte order mark; None when it is not UTF-8 text."""
    try:
        data = store.load(path, signature)
    except StoreError:
        return None
    if b"\0" in data:
        return None
    if not data.isascii():
        try:
            data.decode()
        except UnicodeDecodeError:
            return None
    # Looking for one byte first takes a twentieth of the time where there is none.
    return data.removeprefix(_BOM).replace(b"\r\n", b"\n") if b"\r" in data else data.removeprefix(_BOM)


def _search(find: _Finder, path: str, body: bytes, result: _Result) -> None:
    matches = find(body)
    number, counted = 1, 0
    for at, end in matches:
        if not result.is_full():
            start = body.rfind(b"\n", 0, at) + 1
            number += body.count(b"\n", counted, start)
            counted = start
            text = clip(body[start:end].decode(), SHOWN_CHARACTERS, around=len(body[start:at].decode()))
            if result.add(f"{path}:{number}:{text}"):
                continue
        result.left[path] = 1 + sum(1 for _ in matches)


def _find_literal(word: bytes, body: bytes) -> Iterator[tuple[int, int]]:
    # Several times as fast as RE2 where most lines match, since bytes.find makes no match object.
    size, position = len(body), 0
    while position < size and (at := body.find(word, position)) >= 0:
        end = body.find(b"\n", at)
        position = size if end < 0 else end + 1
        yield at, size if end < 0 else end


def _find_regexp(regexp: Any, body: bytes) -> Iterator[tuple[int, int]]:
    # After a final line break there is no further line, though the empty pattern would find one.
    last = len(body) - body.endswith(b"\n") if body else -1
    before = -1
    for match in regexp.finditer(body):
        at, end = match.span()
        if at > last:
            return
        # At the end of a line just found, a pattern may match the empty text once more.
        if at > before:
            yield at, end
        before = end


def _no_match(pattern: str, path: str, result: _Result) -> str:
    hint = " Lines are searched one by one, so \\n never matches." if "\n" in pattern or "\\n" in pattern else ""
    files = f"{result.files:,} file{'s' * (result.files != 1)}"
    return f"No line matches {clip(pattern, SHOWN_CHARACTERS)!r} in {path} ({files} searched).{hint}"


def _notices(result: _Result) -> list[str]:
    notices = []
    if result.left:
        total, files = sum(result.left.values()), len(result.left)
        most = sorted(result.left.items(), key=lambda item: (-item[1], item[0]))
        named = _names([f"{path} ({count:,})" for path, count in most])
        more = ", or raise max_results" if len(result.rows) >= result.limit < MAX_RESULTS else ""
        notices.append(
            f"[{total:,} more matching line{'s' * (total != 1)} in {files:,} file{'s' * (files != 1)}: {named};"
            f" narrow path or pattern{more}]"
        )
    if result.unread:
        notices.append(f"[not searched, since not UTF-8 text: {_names(result.unread)}]")
    return notices


def _names(items: list[str]) -> str:
    named: list[str] = []
    for item in items[:FILES_NAMED]:
        if named and sum(map(len, named)) + len(item) > _NAMES_ROOM:
            break
        named.append(item)
    return ", ".join(named) + (", …" if len(named) < len(items) else "")
