"""How the embedded manager looks at a store and changes it: by the memory tool's commands, or by a shell."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Sequence
from typing import Any, Protocol, TypeAlias

from attrs import frozen

from memkit import ROOT, Message
from memkit_plugins.extractive.reading import CLIPPED, MORE, NUMBERED

Call: TypeAlias = tuple[str, dict[str, Any]]

LISTED = re.compile(rf"^(?:[\d.]+[BKMG]\t)?({ROOT}/.+\.md)(?:\t.*)?$")
GO_ON = re.compile(r"^\[output cut: .* view_range \[(\d+), \d+\]\]$")
ABSENT = "absent"
PAGE = 12_000
"""Characters of a file that one command shows."""
END = "END_OF_TEXT"
SUCCESS = "[exit code 0"


@frozen
class Page:
    """Rows of a file from a line on. `following` is the line to go on with, None at the end; `whole` says that no
    row was cut.
    """

    rows: tuple[str, ...]
    following: int | None
    whole: bool


class Hands(Protocol):
    """Calls by which a store is read and changed, and what their results say; a result of None was dropped."""

    def survey(self) -> Call:
        """List the store."""
        ...

    def listed(self, result: Message | None) -> list[str]:
        """The files that a survey shows."""
        ...

    def find(self, marks: Collection[str]) -> Call:
        """Look for any of these texts."""
        ...

    def show(self, path: str, first: int) -> Call:
        """Read a file from a line on."""
        ...

    def page(self, first: int, result: Message | None) -> Page:
        """What was read from that line on."""
        ...

    def count(self, path: str) -> Call:
        """Count the lines of a file."""
        ...

    def counted(self, result: Message | None) -> int | None:
        """The count; None when there is no such file."""
        ...

    def create(self, path: str, text: str) -> Call:
        """Make a file."""
        ...

    def append(self, path: str, lines: int, block: str) -> Call:
        """Add whole lines to the end of a file that has so many."""
        ...

    def delete(self, path: str) -> Call:
        """Remove a file."""
        ...

    def succeeded(self, result: Message | None) -> bool:
        """Whether a change is known to have been made."""
        ...


def hands_for(tools: Collection[str]) -> Hands | None:
    """Those that need only the tools granted; None when they do not suffice."""
    if "bash" in tools:
        return ByShell()
    return ByTools() if {"view", "grep", "create", "insert", "delete"} <= set(tools) else None


class ByTools:
    """By view, grep, create, insert and delete."""

    def survey(self) -> Call:
        """View the root."""
        return "view", {"path": ROOT}

    def listed(self, result: Message | None) -> list[str]:
        """The rows of the listing that are files."""
        rows = result.content.split("\n") if result else []
        return [row[1] for row in map(LISTED.match, rows) if row]

    def find(self, marks: Collection[str]) -> Call:
        """Grep for alternatives."""
        return "grep", {"pattern": "|".join(map(re.escape, marks)), "max_results": 1_000}

    def show(self, path: str, first: int) -> Call:
        """View from a line on."""
        return "view", {"path": path, "view_range": [first, -1]}

    def page(self, first: int, result: Message | None) -> Page:  # noqa: ARG002 - rows carry their numbers
        """The numbered rows, and the range that the notice names."""
        rows = result.content.split("\n") if result and not result.is_error else []
        numbered = [row[2] for row in map(NUMBERED.match, rows) if row]
        notice = GO_ON.match(rows[-1]) if rows else None
        whole = bool(numbered) and not any(CLIPPED.search(row) for row in numbered)
        return Page(tuple(numbered), int(notice[1]) if notice else None, whole)

    def count(self, path: str) -> Call:
        """Grep for any line, of which one is shown and the others are counted."""
        return "grep", {"pattern": "^", "path": path, "max_results": 1}

    def counted(self, result: Message | None) -> int | None:
        """The line shown and those counted."""
        if result is None or result.is_error:
            return None
        more = MORE.search(result.content)
        return 1 + (int(more[1].replace(",", "")) if more else 0)

    def create(self, path: str, text: str) -> Call:
        """By `create`."""
        return "create", {"path": path, "file_text": text}

    def append(self, path: str, lines: int, block: str) -> Call:
        """By `insert` after the last line."""
        return "insert", {"path": path, "insert_line": lines, "insert_text": block}

    def delete(self, path: str) -> Call:
        """By `delete`."""
        return "delete", {"path": path}

    def succeeded(self, result: Message | None) -> bool:
        """Unless it is an error."""
        return result is not None and not result.is_error


class ByShell:
    """By find, grep, cat, wc and rm in a shell. The first line of a result is the status that the tool writes."""

    def survey(self) -> Call:
        """Find every file."""
        return _bash(f"find {ROOT} -type f | sort")

    def listed(self, result: Message | None) -> list[str]:
        """The lines that are paths."""
        return [row[1] for row in map(LISTED.match, _output(result)) if row]

    def find(self, marks: Collection[str]) -> Call:
        """Grep for alternatives, each found once on a line of its own."""
        patterns = " ".join(f"-e {shlex.quote(mark)}" for mark in marks)
        return _bash(f"grep -rhoF {patterns} {ROOT} | sort -u")

    def show(self, path: str, first: int) -> Call:
        """Number the lines as view does, and show a page of them under the number there is."""
        file = shlex.quote(path)
        return _bash(f"wc -l < {file}; cat -n {file} | tail -n +{first} | head -c {PAGE}")

    def page(self, first: int, result: Message | None) -> Page:
        """The rows that came whole; the last one may have been cut."""
        total, *rows = _output(result) or ["0"]
        last = int(total) if total.strip().isdigit() else 0
        numbered = [row[2] for row in map(NUMBERED.match, rows) if row]
        following = first + len(numbered)
        if following <= last or (rows and rows[-1] and following > last and len("\n".join(rows)) >= PAGE):
            numbered = numbered[:-1]
            following -= 1
        go_on = following if numbered and following <= last else None
        return Page(tuple(numbered), go_on, bool(numbered))

    def count(self, path: str) -> Call:
        """Count, unless the file is absent."""
        file = shlex.quote(path)
        return _bash(f"if [ -e {file} ]; then wc -l < {file}; else echo {ABSENT}; fi")

    def counted(self, result: Message | None) -> int | None:
        """The number that came."""
        rows = [row.strip() for row in _output(result) if row.strip()]
        return int(rows[-1]) if rows and rows[-1].isdigit() else None

    def create(self, path: str, text: str) -> Call:
        """By `cat` into the file."""
        folder = shlex.quote(path.rpartition("/")[0])
        return _bash(f"mkdir -p {folder} && cat > {shlex.quote(path)} <<'{END}'\n{text}{END}")

    def append(self, path: str, lines: int, block: str) -> Call:  # noqa: ARG002 - a shell knows where the end is
        """By `cat` to the end of the file."""
        return _bash(f"cat >> {shlex.quote(path)} <<'{END}'\n{block}{END}")

    def delete(self, path: str) -> Call:
        """By `rm`."""
        return _bash(f"rm {shlex.quote(path)}")

    def succeeded(self, result: Message | None) -> bool:
        """When the status says so."""
        return result is not None and not result.is_error and result.content.startswith(SUCCESS)


def _bash(command: str) -> Call:
    return "bash", {"command": command}


def _output(result: Message | None) -> Sequence[str]:
    return result.content.split("\n")[1:] if result and not result.is_error else []
