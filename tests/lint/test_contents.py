"""Files that hold nothing."""

from __future__ import annotations

import pytest

from memkit.lint.check import lint
from memkit.lint.contents import has_content


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("", False),
        ("---\nname: a\ndescription: b\n---\n\n# A\n\n## B\n", False),
        ("Title\n=====\n\n---\n\n- \n", False),
        ("# A\n\n🙂\n", True),
        ("# A\n\n- see /memories/b.md\n", True),
    ],
)
def test_content(text: str, *, content: bool) -> None:
    """Frontmatter, headings, rules and empty items say nothing."""
    assert content == has_content(text)


def test_findings() -> None:
    """An empty file and one that is no text are told."""
    found = lint(
        {"/memories/a.md": "# A\n"}, {"/memories/b.md": "It is not text."}, rules={"file-empty", "file-unreadable"}
    )

    assert [
        ("/memories/a.md", 1, "file-empty", "there is no text below the frontmatter and the headings"),
        ("/memories/b.md", 1, "file-unreadable", "It is not text"),
    ] == [(one.path, one.line, one.rule, one.message) for one in found]
