"""What is wrong with frontmatter, and what of it is mended."""

from __future__ import annotations

import pytest

from memkit.lint.check import lint
from memkit.lint.frontmatter import fix_frontmatter

PATH = "/memories/people/ana.md"
BODY = "\n# Ana\n\n- Potter in Halle since May. Sings too. [S1T2]\n"
GOOD = "---\nname: ana\ndescription: A potter\n---\n" + BODY

CASES = {
    "good": (GOOD, [], GOOD),
    "missing": (
        BODY,
        [(1, "frontmatter-missing", True)],
        "---\nname: ana\ndescription: Potter in Halle since May.\n---\n\n" + BODY,
    ),
    "nothing to say": ("\n", [(1, "frontmatter-missing", False)], "\n"),
    "another name": (
        GOOD.replace("name: ana", "name: 'bo'"),
        [(2, "frontmatter-name", True)],
        GOOD,
    ),
    "no name, no description": (
        "---\nmetadata:\n  by: Bo\n---\n" + BODY,
        [(1, "frontmatter-description", True), (1, "frontmatter-name", True)],
        "---\nname: ana\ndescription: Potter in Halle since May.\nmetadata:\n  by: Bo\n---\n" + BODY,
    ),
    "an empty description": (
        "---\nname: ana\ndescription: ''\nmetadata: {}\n---\n" + BODY,
        [(3, "frontmatter-description", True)],
        "---\nname: ana\ndescription: Potter in Halle since May.\nmetadata: {}\n---\n" + BODY,
    ),
    "a comment is kept": (
        GOOD.replace("name: ana", "name: bo # for now"),
        [(2, "frontmatter-name", False)],
        GOOD.replace("name: ana", "name: bo # for now"),
    ),
    "a flow map is left": (
        "---\n{name: bo, description: A potter}\n---\n" + BODY,
        [(1, "frontmatter-name", False)],
        "---\n{name: bo, description: A potter}\n---\n" + BODY,
    ),
    "unreadable": (
        GOOD.replace("A potter", "[a"),
        [(1, "frontmatter-unreadable", False)],
        GOOD.replace("A potter", "[a"),
    ),
    "late": ("\n" + GOOD, [(2, "frontmatter-late", False)], "\n" + GOOD),
    "twice": (GOOD + "---\ntags: x\n", [], GOOD + "---\ntags: x\n"),
    "a second block": (
        "---\nname: ana\ndescription: A potter\n---\n\n" + GOOD,
        [(6, "frontmatter-second", False)],
        "---\nname: ana\ndescription: A potter\n---\n\n" + GOOD,
    ),
    "several lines": (
        GOOD.replace("A potter", "A potter\n  of note"),
        [(3, "frontmatter-lines", False)],
        GOOD.replace("A potter", "A potter\n  of note"),
    ),
}


@pytest.mark.parametrize(("text", "findings", "fixed"), CASES.values(), ids=CASES)
def test_rules(text: str, findings: list[tuple[int, str, bool]], fixed: str) -> None:
    """Each fault is found on its line; what is mended differs in the one value, and what is not sure stays."""
    found = lint({PATH: text})

    assert findings == [(one.line, one.rule, one.fixable) for one in found if one.rule.startswith("frontmatter")]
    assert fixed == fix_frontmatter(PATH, text)


def test_bytes_are_kept() -> None:
    """A byte order mark stays first, and new lines end as the others do."""
    text = "\ufeff# Kiln\r\n\r\nHot.\r\n"

    assert "\ufeff---\r\nname: ana\r\ndescription: Kiln\r\n---\r\n\r\n" + text[1:] == fix_frontmatter(PATH, text)
    named = "\ufeff---\r\nname: bo\r\ndescription: x\r\n---\r\n"
    assert named.replace("bo", "ana") == fix_frontmatter(PATH, named)


def test_only_the_rules_asked_for() -> None:
    """What is not selected is left as it is."""
    text = "---\nname: bo\n---\n" + BODY

    assert text.replace("bo", "ana") == fix_frontmatter(PATH, text, {"frontmatter-name"})
    assert text == fix_frontmatter(PATH, text, {"frontmatter-missing"})
