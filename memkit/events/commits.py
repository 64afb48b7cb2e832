"""A commit as an event: the paths it touches and how, and the assignments it adds, read from its diff.

The step is `git show` in two halves: its action is the header, `commit HASH` with the author's time behind it or on a
line `Date:`, and its observation the patch. Where one text holds both, the first line that begins with `diff --` parts
them. A patch against several parents counts a line as added or deleted when it is so against any.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import field, frozen, mutable

CHANGES = 200
"""Changes of one commit that are kept: an import of a whole tree is no list of changes."""
VALUE_CHARACTERS = 200
ASSIGNMENT_CHARACTERS = 2_000
"""A longer line is data, not an assignment."""

_COMMIT = re.compile(r"commit [0-9a-f]{7,64}(?:[ \t]+(?P<time>\d[^\n]{0,60}))?(?=\s|$)", re.ASCII)
_DATE = re.compile(r"^(?:AuthorDate|Author date|Date):[ \t]*(\S[^\n]{0,60}?)\s*$", re.MULTILINE)
_ISO = re.compile(r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?) ?(Z|[+-]\d{2}:?\d{2})?", re.ASCII)
_ASSIGNMENT = re.compile(
    r"\s*(?:(?:export|const|let|var|final|static|public|private)\s+){0,3}"
    r"([A-Za-z_][\w.]{0,99})(?:\s*:\s*[\w.\[\], |]{1,60})?\s*:?=(?![=~>])\s*(\S[^\n]*)",
    re.ASCII,
)
_BEGINS = ("diff --git ", "diff --cc ", "diff --combined ")
_HUNK = re.compile(r"(@{2,16}) -[0-9]")
_QUOTED = re.compile(r"\\([0-7]{3}|.)")


@mutable
class FileChange:
    """A file of a commit: its path, its new path where it was renamed, how it changed, what was assigned in it."""

    path: str
    new: str = ""
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
        """The paths touched, in the order of the patch; of a renamed file the old and the new one."""
        return tuple(dict.fromkeys(path for file in self.files for path in (file.path, file.new) if path))

    @property
    def changes(self) -> tuple[tuple[str, str], ...]:
        """`<path>.status` of every file, then `<path>:<name>.value` of every assignment added."""
        statuses = [(f"{file.path}.status", file.status) for file in self.files]
        values = [
            (f"{file.new or file.path}:{name}.value", value) for file in self.files for name, value in file.values
        ]
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
    header, sign, patch = action.partition("\ndiff --")
    first = _COMMIT.match(header)
    dated = first["time"] if first else None
    if not dated and (found := _DATE.search(header)):
        dated = found[1]
    return Commit(tuple(_files(f"diff --{patch}\n{observation}" if sign else observation)), _iso((dated or "").strip()))


def _files(patch: str) -> Iterator[FileChange]:
    """The files of a patch. In a hunk every line begins with its signs, so a line that begins with `diff` ends it."""
    file: FileChange | None = None
    parents = 0  # columns of signs in the hunk at hand: one, or one for each parent of a merge; 0 outside
    for line in patch.split("\n"):
        if line.startswith(_BEGINS):
            if file is not None:
                yield file
            file, parents = FileChange(_named_path(line)), 0
        elif file is not None and (hunk := _HUNK.match(line)):
            parents = len(hunk[1]) - 1
        elif file is not None and parents:
            _count(file, line[:parents], line[parents:])
        elif file is not None:
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
        file.new = _path(line.removeprefix("rename to "), "")
        file.status = f"renamed to {file.new}"
    elif line.startswith("+++ ") and not file.new:
        name = _path(line[4:], "b/")
        file.path = name if name != "/dev/null" else file.path
    elif line.startswith("--- ") and file.status == "deleted":
        file.path = _path(line[4:], "a/")


def _count(file: FileChange, signs: str, line: str) -> None:
    if "+" in signs:
        file.additions += 1
        if len(line) < ASSIGNMENT_CHARACTERS and (match := _ASSIGNMENT.match(line)) is not None:
            file.values.append((match[1], match[2].strip()[:VALUE_CHARACTERS]))
    elif "-" in signs:
        file.deletions += 1


def _named_path(line: str) -> str:
    """The new path of `diff --git a/x b/x`, which is all that binary and empty files have, or that of `diff --cc x`."""
    start = next(sign for sign in _BEGINS if line.startswith(sign))
    rest = line.removeprefix(start).rstrip("\r")
    if start != _BEGINS[0]:
        return _path(rest, "")
    quoted = rest.rpartition(' "b/')
    if quoted[1] and rest.endswith('"'):
        return _path('"b/' + quoted[2], "b/")
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
