"""Virtual paths: which names a store takes.

A path is checked as text before the filesystem sees it. The rules make a store portable (a copy to
Windows or macOS loses nothing), keep what is shown to a person honest, and keep the store's own hidden
files out of a model's reach. `memkit.store.root` then resolves the checked names without following links.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import TypeAlias

from memkit.errors import PathRefused
from memkit.store.limits import DEFAULT_LIMITS, Limits

ROOT = "/memories"

Parts: TypeAlias = tuple[str, ...]
"""The names of a path below the root, outermost first; empty for the root itself."""

UNLISTED = frozenset({"node_modules"})
"""Folders that may exist but are left out of listings, as the memory tool promises its models."""

SHOWN_CHARACTERS = 200
"""A refused path is quoted up to this length."""

_DEVICES = frozenset(
    ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"]
    + [f"{port}{digit}" for port in ("COM", "LPT") for digit in "0123456789\u00b9\u00b2\u00b3"]
)
_ENCODED = re.compile(r"%(?:2e|2f|5c)", re.IGNORECASE)
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_DOTS = frozenset({".", ".."})
_SURROGATE = re.compile("[\ud800-\udfff]")
# The categories Cc, Zl and Zp.
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def parse(path: str, limits: Limits = DEFAULT_LIMITS) -> Parts:
    """The names of `path` below `/memories`, in normal form NFC. Raises PathRefused, and touches no file."""
    if not isinstance(path, str):
        raise PathRefused(f"The path {path!r} is refused: it must be text that starts with {ROOT}/.")
    if path == ROOT:
        return ()
    if not path.startswith(ROOT + "/"):
        raise refused(path, f"it must start with {ROOT}/")
    if len(path) > limits.path_bytes or len(path.encode("utf-8", "surrogatepass")) > limits.path_bytes:
        raise refused(path, f"it is longer than {limits.path_bytes} bytes; use shorter names")
    names = path.split("/")[2:]
    if len(names) > limits.depth:
        raise refused(path, f"it is more than {limits.depth} names deep; use fewer folders")
    parts = tuple(unicodedata.normalize("NFC", name) for name in names)
    for name in parts:
        problem = name_problem(name, limits.name_bytes)
        if problem is not None:
            raise refused(path, problem)
    return parts


def virtual(parts: Iterable[str]) -> str:
    """The virtual path of names below the root."""
    return "/".join((ROOT, *parts))


@lru_cache(maxsize=8192)
def name_problem(name: str, name_bytes: int = DEFAULT_LIMITS.name_bytes) -> str | None:
    """Which rule a name in NFC breaks and how to mend it, as the end of a sentence; None when it breaks none."""
    if name == "":
        return 'it has an empty name; write single slashes and no "/" at the end'
    if name in _DOTS:
        return f'"." and ".." are not followed; write the whole path from {ROOT}/'
    if name.startswith("."):
        return 'names that start with "." are kept for the store; start the name with another character'
    return _character_problem(name) or _portability_problem(name) or _length_problem(name, name_bytes)


def _character_problem(name: str) -> str | None:
    if _SURROGATE.search(name):
        return "it has half of a surrogate pair, which is not a character; leave it out"
    if _CONTROL.search(name):
        return "it has a control character or line break; leave it out"
    if not _BIDI.isdisjoint(name):
        return "it has a control for the direction of text; leave it out"
    if "\\" in name:
        return 'it has a backslash; separate names with "/"'
    if ":" in name:
        return "it has a colon, which names a drive or stream on Windows; use another character"
    return None


def _portability_problem(name: str) -> str | None:
    if name != name.strip():
        return "a name starts or ends with a space; leave the space out"
    if name.endswith("."):
        return "a name ends with a dot; leave the dot out"
    if name.split(".", 1)[0].rstrip().upper() in _DEVICES:
        return "a name is that of a device on Windows; use another name"
    if _ENCODED.search(name):
        return 'it has an encoded "." or slash, and paths are never decoded; write the character itself'
    # Compatibility forms such as fullwidth dots turn into ".." on systems that fold them.
    if not _DOTS.isdisjoint(re.split(r"[/\\]", unicodedata.normalize("NFKC", name))):
        return 'a name reads as "." or ".." in another form; use another name'
    return None


def _length_problem(name: str, name_bytes: int) -> str | None:
    if len(name.encode()) > name_bytes:
        return f"a name is longer than {name_bytes} bytes; use a shorter name"
    return None


def refused(path: str, problem: str) -> PathRefused:
    """The one message for every path the store will not take."""
    return PathRefused(f"The path {shown(path)} is refused: {problem}.", path=path)


def shown(path: str) -> str:
    """`path` in quotes, with escapes when it holds anything that does not print, and cut when very long."""
    text = path if path.isprintable() else ascii(path)[1:-1]
    if len(text) > SHOWN_CHARACTERS:
        text = text[:SHOWN_CHARACTERS] + "…"
    return f'"{text}"'


def fold(name: str) -> str:
    """A key that is equal for names which some filesystem takes for one: case and normal form aside."""
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def twin(name: str, others: Iterable[str]) -> str | None:
    """The first of `others` that some filesystem would take for `name`."""
    wanted = fold(name)
    return next((other for other in others if fold(other) == wanted), None)
