"""The combined tree, drawn by hand."""

from __future__ import annotations

from memkit.metrics.tree import build_tree

FILES = {
    "/memories/plants/ferns.md": (
        "---\nname: ferns\ndescription: Ferns and moss\n---\n\n# Ferns\n\nAbove.\n\n### Water\n\nOften.\n\n"
        "## Soil\n\n#### Peat\n\nNone.\n"
    ),
    "/memories/log.md": "No heading.\n",
}


def test_every_level_adds_one() -> None:
    """Files follow folders, headings follow files, and a heading that skips levels lies one below its parent."""
    tree = build_tree(FILES)

    assert [
        ("root", "/memories", -1, 0),
        ("file", "/memories/log.md", 0, 1),
        ("folder", "/memories/plants", 0, 1),
        ("file", "/memories/plants/ferns.md", 2, 2),
        ("section", "/memories/plants/ferns.md > Ferns", 3, 3),
        ("section", "/memories/plants/ferns.md > Ferns > Water", 4, 4),
        ("section", "/memories/plants/ferns.md > Ferns > Soil", 4, 4),
        ("section", "/memories/plants/ferns.md > Ferns > Soil > Peat", 6, 5),
    ] == [(node.kind, node.place, node.parent, node.depth) for node in tree.nodes]


def test_leaves_hold_the_text() -> None:
    """A file without headings, and each section without subsections, holds its text; nothing else does."""
    tree = build_tree(FILES)

    assert (1, 5, 7) == tree.leaves
    assert ["", "No heading.", "", "", "", "Often.", "", "None."] == [node.text.strip() for node in tree.nodes]


def test_labels() -> None:
    """A label is the name, and the description where there is one."""
    tree = build_tree(FILES)

    assert ["memories", "log", "plants", "ferns Ferns and moss"] == [node.label for node in tree.nodes[:4]]
    assert [(1, 2), (5, 6)] == list(tree.siblings())


def test_nothing() -> None:
    """An empty store is its root, which is no leaf."""
    tree = build_tree({})

    assert ((), 1) == (tree.leaves, len(tree.nodes))
