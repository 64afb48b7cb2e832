"""A commit as an event: the paths it touches and how, and the assignments it adds, read from its diff.

The step is `git show` in two halves: the header, with `commit HASH`, is its action, and the patch its observation.
Where one text holds both, they are told apart by the first `diff --git` line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import field, frozen, mutable

CHANGES = 200
"""Changes of one commit that are kept: an import of a whole tree is no list of changes."""
VALUE_CHARACTERS = 200

_COMMIT = re.compile(r"commit [0-9a-f]{7,64}\b", re.ASCII)
_DATE = re.compile(r"^(?:AuthorDate|Author date|Date):[ \t]*(\S[^\n]{0,60}?)\s*$", re.MULTILINE)
_ISO = re.compile(r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?) ?(Z|[+-]\d{2}:?\d{2})?", re.ASCII)
_ASSIGNMENT = re.compile(
    r"\s*(?:(?:export|const|let|var|final|static|public|private)\s+){0,3}"
    r"([A-Za-z_][\w.]{0,99})(?:\s*:\s*[\w.\[\], |]{1,60})?\s*:?=(?![=~>])\s*(\S[^\n]*)",
    re.ASCII,
)
_QUOTED = re.compile(r"\\([0-7]{3}|.)")


@mutable
class FileChange:
    """A file of a commit: its path afterwards, how it changed, and the assignments added to it."""

    path: str
    status: str = "modified"
    additions: int = 0
    deletions: int = 0
    values: list[tuple[str, str]] = field(factory=list)


@frozen
class Commit:
    """What the patch of a commit says."""

    files: tuple[FileChange, ...]
    time: str

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths touched, in the order of the patch."""
        return tuple(dict.fromkeys(file.path for file in self.files))

    @property
    def changes(self) -> tuple[tuple[str, str], ...]:
        """`<path>.status` of every file, then `<path>:<name>.value` of every assignment added."""
        statuses = [(f"{file.path}.status", file.status) for file in self.files]
        values = [(f"{file.path}:{name}.value", value) for file in self.files for name, value in file.values]
        return tuple((statuses + values)[:CHANGES])

    @property
    def numbers(self) -> dict[str, float]:
        """Lines added and deleted, and files touched."""
        return {
            "additions": float(sum(file.additions for file in self.files)),
            "deletions": float(sum(file.deletions for file in self.files)),
            "files": float(len(self.files)),
        }


def is_commit(action: str) -> bool:
    """Whether an action is the header of a commit."""
    return _COMMIT.match(action) is not None


def read_commit(action: str, observation: str) -> Commit:
    """The commit that a step logs."""
    header, sign, patch = action.partition("\ndiff --git ")
    patch = f"diff --git {patch}\n{observation}" if sign else observation
    if not (dated := _DATE.search(header)):
        dated = _DATE.search(observation[: max(0, observation.find("diff --git ")) or 4000])
    return Commit(tuple(_files(patch)), _iso(dated[1]) if dated else "")


def _files(patch: str) -> Iterator[FileChange]:
    file: FileChange | None = None
    left = [0, 0]  # lines of the old and the new text that the hunk still has
    for line in patch.split("\n"):
        if file is not None and max(left) > 0:
            _count(file, line, left)
        elif line.startswith("diff --git "):
            if file is not None:
                yield file
            file = FileChange(_second_path(line))
        elif file is not None:
            if line.startswith("@@ "):
                left = _hunk(line)
            else:
                _describe(file, line.rstrip("\r"))
    if file is not None:
        yield file


def _describe(file: FileChange, line: str) -> None:
    """Take in a line between `diff --git` and the first hunk."""
    if line.startswith("new file mode"):
        file.status = "added"
    elif line.startswith("deleted file mode"):
        file.status = "deleted"
    elif line.startswith("rename from "):
        file.path = _path(line.removeprefix("rename from "), "")
    elif line.startswith("rename to "):
        file.status = f"renamed to {_path(line.removeprefix('rename to '), '')}"
    elif line.startswith("+++ ") and not file.status.startswith("renamed"):
        name = _path(line[4:], "b/")
        file.path = name if name != "/dev/null" else file.path
    elif line.startswith("--- ") and file.status == "deleted":
        file.path = _path(line[4:], "a/")


def _count(file: FileChange, line: str, left: list[int]) -> None:
    sign = line[:1]
    if sign == "+":
        file.additions += 1
        left[1] -= 1
        if len(line) < 2000 and (match := _ASSIGNMENT.match(line, 1)) is not None:
            file.values.append((match[1], match[2].strip()[:VALUE_CHARACTERS]))
    elif sign == "-":
        file.deletions += 1
        left[0] -= 1
    elif sign != "\\":  # context; "\ No newline at end of file" counts for neither side
        left[0] -= 1
        left[1] -= 1


def _hunk(line: str) -> list[int]:
    match = re.match(r"@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@", line, re.ASCII)
    return [int(match[1] or 1), int(match[2] or 1)] if match else [0, 0]


def _second_path(line: str) -> str:
    """The new path of `diff --git a/x b/x`, where nothing below names it (binary and empty files)."""
    rest = line.removeprefix("diff --git ").rstrip("\r")
    half = len(rest) // 2
    if rest[:2] == "a/" and rest[half : half + 3] == " b/" and rest[2:half] == rest[half + 3 :]:
        return rest[half + 3 :]
    return _path(rest.rpartition(" b/")[2] if " b/" in rest else rest.rpartition(" ")[2], "b/")


def _path(text: str, prefix: str) -> str:
    """A path as git writes it, without the prefix; one in quotes has its bytes in octal."""
    text = text.rstrip("\r\t")
    if len(text) > 1 and text[0] == text[-1] == '"':
        escapes = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}
        raw = _QUOTED.sub(lambda m: chr(int(m[1], 8)) if len(m[1]) == 3 else escapes.get(m[1], m[1]), text[1:-1])
        text = raw.encode("latin-1", "ignore").decode("utf-8", "replace")
    return text.removeprefix(prefix)


def _iso(date: str) -> str:
    """An ISO date and time with its offset; a date of another form as it is written."""
    match = _ISO.match(date)
    if match is None:
        return date
    offset = match[3] or ""
    if offset and offset != "Z" and ":" not in offset:
        offset = f"{offset[:3]}:{offset[3:]}"
    return f"{match[1]}T{match[2]}{offset}"
