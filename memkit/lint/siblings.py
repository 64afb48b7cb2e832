"""Siblings that a reader cannot tell apart by their labels."""

from __future__ import annotations

from collections.abc import Iterator

from memkit.lint.finding import Finding
from memkit.lint.wording import LabelKey, label_key
from memkit.metrics.tree import Node, Tree


def check_siblings(tree: Tree) -> Iterator[Finding]:
    """A finding for each sibling whose name has the words of an earlier one's, unless their descriptions differ."""
    for group in tree.siblings():
        seen: dict[LabelKey, list[Node]] = {}
        for node in (tree.nodes[number] for number in group):
            earlier = seen.setdefault(label_key(node.name), [])
            if alike := next((other for other in earlier if _told_alike(node, other)), None):
                yield _finding(node, alike)
            earlier.append(node)


def _told_alike(one: Node, other: Node) -> bool:
    return not (one.description and other.description) or label_key(one.description) == label_key(other.description)


def _finding(node: Node, other: Node) -> Finding:
    where = f"line {other.line} ({other.name})" if node.kind == other.kind == "section" else other.path
    message = f"the {node.kind} {node.name!r} cannot be told from its sibling at {where} by name or description"
    mend = "rename one for what only it holds, or merge the two"
    return Finding(node.path, max(1, node.line), "sibling-confusable", message, mend)
