"""References as they are written, and whether they lead anywhere."""

from __future__ import annotations

import pytest

from memkit.metrics.references import Reference, find_references

FILES = {"/memories/b.md": "# B\n\n## Music\n\nJazz.\n"}


def test_found_below_the_frontmatter() -> None:
    """Every occurrence counts, with its line; those in the frontmatter do not."""
    text = (
        "---\ndescription: see /memories/a.md\n---\n"
        "See /memories/b.md, /memories/b.md.\n`/memories/b.md > # B > ## Music`\r\n"
    )

    assert [
        Reference("/memories/b.md", 4, "/memories/b.md", ()),
        Reference("/memories/b.md", 4, "/memories/b.md", ()),
        Reference("/memories/b.md > # B > ## Music", 5, "/memories/b.md", ("B", "Music")),
    ] == list(find_references(text))


@pytest.mark.parametrize(
    "text", ["/memories/b.mdx", "/memories/{name}.md", "/memories/*.md", "/memories/b.txt", "b.md"]
)
def test_what_is_none(text: str) -> None:
    """Other suffixes, and patterns that stand for paths, are no references."""
    assert [] == list(find_references(text))


@pytest.mark.parametrize(
    ("text", "dangles"),
    [
        ("/memories/b.md", False),
        ("/memories/b.md > ## Music", False),
        ("/memories/b.md > ## Sport", True),
        ("/memories/c.md", True),
    ],
)
def test_dangling(text: str, *, dangles: bool) -> None:
    """A reference dangles without its file or its section."""
    (reference,) = find_references(text)

    assert dangles == reference.dangles(FILES)
