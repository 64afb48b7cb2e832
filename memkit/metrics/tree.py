"""The combined tree of a store: root, folders, files, then the headings inside them.

Each heading lies one below the nearest one above it of a lower level, so every level adds depth and a heading that
skips levels adds one. (Filesystem paper, appendix D.4.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import zip_longest
from pathlib import PurePosixPath
from typing import Literal, TypeAlias

from attrs import frozen

from memkit.store.files import ROOT
from memkit.store.frontmatter import describe, end_line
from memkit.store.lines import split_lines
from memkit.store.outline import Heading, headings

Kind: TypeAlias = Literal["root", "folder", "file", "section"]


@frozen
class Node:
    """A place of the tree. `parent` is its number in `Tree.nodes`, -1 for the root, whose depth is 0.

    `name` is a folder's, a file's without suffix, or a heading's title, `description` the frontmatter's. `text` is
    the content of a leaf: a section without its heading, a file without its frontmatter; empty elsewhere.
    `path` is the file's or folder's, `line` that of the heading, 1 for a file and 0 for a folder.
    """

    kind: Kind
    path: str
    name: str
    parent: int
    depth: int
    description: str = ""
    titles: tuple[str, ...] = ()
    line: int = 0
    text: str = ""

    @property
    def label(self) -> str:
        """Name plus description."""
        return f"{self.name} {self.description}".rstrip()

    @property
    def place(self) -> str:
        """The path, and for a section the titles down to it."""
        return " > ".join((self.path, *self.titles))


@frozen(slots=False)
class Tree:
    """The nodes, every parent before its children: the same for the same files in whatever order they came."""

    nodes: tuple[Node, ...]

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """For each node the numbers of those right below it, in order."""
        below: list[list[int]] = [[] for _ in self.nodes]
        for number, node in enumerate(self.nodes[1:], 1):
            below[node.parent].append(number)
        return tuple(map(tuple, below))

    @cached_property
    def leaves(self) -> tuple[int, ...]:
        """The content units: sections without subsections, and files without headings. Never the root."""
        return tuple(number for number in range(1, len(self.nodes)) if not self.children[number])

    def count(self, kind: Kind) -> int:
        """How many nodes are of a kind."""
        return sum(node.kind == kind for node in self.nodes)

    def siblings(self) -> Iterator[tuple[int, ...]]:
        """The children of each node that has two or more."""
        return (group for group in self.children if len(group) > 1)


def build_tree(files: Mapping[str, str]) -> Tree:
    """The tree of texts by virtual path. A folder is there when a file is in it."""
    nodes = [Node("root", ROOT, "memories", -1, 0)]
    folders = {ROOT: 0}
    for path in sorted(files, key=lambda path: path.split("/")):
        parent = _folder(nodes, folders, path.rpartition("/")[0])
        _add_file(nodes, parent, path, files[path])
    return Tree(tuple(nodes))


def _folder(nodes: list[Node], folders: dict[str, int], path: str) -> int:
    """The number of the folder, made with those above it when it is new."""
    if path not in folders:
        above, _, name = path.rpartition("/")
        parent = _folder(nodes, folders, above)
        folders[path] = len(nodes)
        nodes.append(Node("folder", path, name, parent, nodes[parent].depth + 1))
    return folders[path]


def _add_file(nodes: list[Node], parent: int, path: str, text: str) -> None:
    outline = headings(text)
    lines = split_lines(text)
    name, about, depth = PurePosixPath(path).stem, describe(text), nodes[parent].depth + 1
    body = "" if outline else "\n".join(lines[end_line(text) :])
    above = [(0, len(nodes))]  # (level, number) of the file and of the headings that are open
    nodes.append(Node("file", path, name, parent, depth, about, line=1, text=body))
    for heading, following in zip_longest(outline, outline[1:]):
        while above[-1][0] >= heading.level:
            above.pop()
        over = above[-1][1]
        above.append((heading.level, len(nodes)))
        leaf = following is None or following.level <= heading.level
        nodes.append(_section(nodes[over], over, heading, lines if leaf else []))


def _section(parent: Node, over: int, heading: Heading, lines: list[str]) -> Node:
    text = "\n".join(lines[heading.line : heading.end_line])
    titles = heading.path
    return Node("section", parent.path, heading.title, over, parent.depth + 1, "", titles, heading.line, text)
