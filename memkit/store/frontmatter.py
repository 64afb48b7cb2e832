"""Frontmatter: the small YAML map at the top of a file that names and describes it.

Read as strings only: `yes`, `012` and `2024-01-01` are text. Anchors, aliases and tags are refused, a key given
twice is an error, and size and depth are capped before anything is built. Written so that any YAML reader gets
back the same strings: as a plain scalar where that is sure, else in JSON-style double quotes, and read again
before it is returned.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

import yaml
from attrs import frozen
from yaml.nodes import ScalarNode
from yaml.resolver import Resolver

from memkit.errors import BadFrontmatter
from memkit.store.limits import KIB
from memkit.store.lines import split_lines

FENCE = "---"
CLOSING = f"\n{FENCE}\n"
MAX_BYTES = 16 * KIB
MAX_DEPTH = 8

# Ten times as fast where PyYAML was built with libyaml, as its wheels are.
_LOADER: type[yaml.SafeLoader | yaml.CSafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_Tree: TypeAlias = "str | list[_Tree] | dict[str, _Tree]"

# Two characters or more (`y` is a boolean to some readers), a letter first, and nothing with a meaning in YAML.
_PLAIN = re.compile(r"[^\W\d_][\w .,;()/'&+=-]*[\w.,;()/'&+=-]")
# JSON leaves these as they are; YAML refuses them or takes them for line breaks.
_UNSAFE = re.compile("[\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


@frozen
class Frontmatter:
    """What a file says of itself; a part it does not give is empty.

    `description` is one line. A `metadata` value that is not a string is its compact JSON text. `end_line` is the
    1-based line of the closing fence.
    """

    name: str
    description: str
    metadata: dict[str, str]
    end_line: int


def parse(text: str) -> Frontmatter | None:
    """The frontmatter of a file, None when its first line is not `---`. Raises BadFrontmatter."""
    lines = _head(text)
    if not lines or not _is_fence(lines[0]):
        return None
    end = _closing(lines)
    if end == 0:
        raise BadFrontmatter(f"The frontmatter is not closed by a {FENCE} line within {MAX_BYTES} bytes.")
    block = "\n".join(lines[1 : end - 1])
    if len(block.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        raise BadFrontmatter(f"The frontmatter is longer than {MAX_BYTES} bytes; make it shorter.")
    tree = _load(block)
    metadata = tree.get("metadata") or {}
    if not isinstance(metadata, dict):
        raise BadFrontmatter("The frontmatter's metadata is not a map; write `key: value` lines below it.")
    return Frontmatter(
        name=_one_line(_string(tree, "name")),
        description=_one_line(_string(tree, "description")),
        metadata={key: _as_text(value) for key, value in metadata.items()},
        end_line=end,
    )


def render(name: str, description: str, metadata: Mapping[str, str] | None = None) -> str:
    """Frontmatter of these strings, its last line ended. Runs of white space in name and description become one space.

    Raises BadFrontmatter for what no reader could get back: half a surrogate pair, a very long key, over the size cap.
    """
    wanted = Frontmatter(_one_line(name), _one_line(description), dict(metadata or {}), 0)
    lines = [FENCE]
    lines += [
        f"{key}: {_scalar(value)}"
        for key, value in (("name", wanted.name), ("description", wanted.description))
        if value
    ]
    if wanted.metadata:
        lines.append("metadata:")
        lines += [f"  {_scalar(key)}: {_scalar(value)}" for key, value in wanted.metadata.items()]
    lines.append(FENCE)
    text = "\n".join(lines) + "\n"
    found = parse(text)
    if found is None or (found.name, found.description, found.metadata) != (
        wanted.name,
        wanted.description,
        wanted.metadata,
    ):
        raise BadFrontmatter("These strings cannot be written as frontmatter; use shorter keys.")
    return text


def describe(text: str) -> str:
    """The one-line description of a file; "" when it has none or its frontmatter is bad."""
    end = text.find(CLOSING)
    if 0 <= end <= MAX_BYTES:
        return _remembered_description(text[: end + len(CLOSING)])
    return _description(text)


@lru_cache(maxsize=4096)
def _remembered_description(head: str) -> str:
    # A listing shows the same few hundred files again and again; YAML is slow to read.
    return _description(head)


def _description(text: str) -> str:
    try:
        found = parse(text)
    except BadFrontmatter:
        return ""
    return "" if found is None else found.description


def end_line(text: str) -> int:
    """The line of the closing fence, whatever is between the fences; 0 when there is no closed frontmatter."""
    lines = _head(text)
    return _closing(lines) if lines and _is_fence(lines[0]) else 0


def _head(text: str) -> list[str]:
    """The lines that frontmatter within the cap could take."""
    size = MAX_BYTES + len(FENCE) * 4
    if len(text) <= size:
        return split_lines(text)
    return split_lines(text[:size])[:-1]  # The last one may be cut.


def _closing(lines: list[str]) -> int:
    return next((number for number, line in enumerate(lines[1:], 2) if _is_fence(line)), 0)


def _is_fence(line: str) -> bool:
    return line.rstrip(" \t") == FENCE


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _load(block: str) -> dict[str, _Tree]:
    try:
        events = (event for event in yaml.parse(block, _LOADER) if isinstance(event, _CONTENT))
        first = next(events, None)
        tree = {} if first is None else _tree(first, events, 1)
        if next(events, None) is not None:
            raise BadFrontmatter("The frontmatter has several YAML documents; keep one.")
    except yaml.MarkedYAMLError as error:
        line = "" if error.problem_mark is None else f" in line {error.problem_mark.line + 2}"
        raise BadFrontmatter(f"The frontmatter is not valid YAML: {error.problem}{line}.") from error
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        # The scanner lets ValueError out for escapes such as "\UFFFFFFFF".
        raise BadFrontmatter("The frontmatter is not valid YAML: it has a character it may not have.") from error
    if not isinstance(tree, dict):
        raise BadFrontmatter("The frontmatter is not a map; write `name:` and `description:` lines.")
    return tree


_CONTENT = (yaml.NodeEvent, yaml.CollectionEndEvent)


def _tree(event: yaml.Event, events: Iterator[yaml.Event], depth: int) -> _Tree:
    """The value that starts with `event`. Refuses while reading, so nothing grows or nests beyond the caps."""
    if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
        raise BadFrontmatter("The frontmatter has an anchor or alias; write the value out.")
    if getattr(event, "tag", None) is not None:
        raise BadFrontmatter("The frontmatter has a tag; every value is read as text.")
    if depth > MAX_DEPTH:
        raise BadFrontmatter(f"The frontmatter is more than {MAX_DEPTH} levels deep; make it flatter.")
    if isinstance(event, yaml.ScalarEvent):
        return _text(event.value)
    items = []
    while not isinstance(below := next(events), yaml.CollectionEndEvent):
        items.append(_tree(below, events, depth + 1))
    return items if isinstance(event, yaml.SequenceStartEvent) else _map(items)


def _map(items: list[_Tree]) -> dict[str, _Tree]:
    """A map of keys and values in turn."""
    tree: dict[str, _Tree] = {}
    for key, value in zip(items[::2], items[1::2], strict=True):
        if not isinstance(key, str):
            raise BadFrontmatter("The frontmatter has a key that is not text.")
        if key in tree:
            raise BadFrontmatter(f"The frontmatter gives {key!r} twice; keep one.")
        tree[key] = value
    return tree


def _text(value: str) -> str:
    if _SURROGATE.search(value):
        raise BadFrontmatter("The frontmatter has half of a surrogate pair, which is not a character; leave it out.")
    return value


def _string(tree: dict[str, _Tree], key: str) -> str:
    value = tree.get(key, "")
    if not isinstance(value, str):
        raise BadFrontmatter(f"The frontmatter's {key} is not text; write it on one line.")
    return value


def _as_text(value: _Tree) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _scalar(text: str) -> str:
    """A YAML scalar that every reader takes for just this string."""
    if _PLAIN.fullmatch(text) and _resolved(text) == "tag:yaml.org,2002:str":
        return text
    if _SURROGATE.search(text):
        raise BadFrontmatter("A text for frontmatter has half of a surrogate pair, which is not a character.")
    return _UNSAFE.sub(lambda c: f"\\u{ord(c[0]):04x}", json.dumps(text, ensure_ascii=False))


def _resolved(text: str) -> str:
    """The tag a YAML reader that knows numbers, dates and booleans gives a plain scalar."""
    tag: str = Resolver().resolve(ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]
    return tag
