"""References that lead nowhere."""

from __future__ import annotations

import pytest

from memkit.lint.check import lint
from memkit.lint.references import fix_references

FILES = {
    "/memories/people/ana.md": "# Ana\n\n## Kiln\n\nHot.\n",
    "/memories/a/log.md": "One.\n",
    "/memories/x/bo.md": "Bo.\n",
    "/memories/y/bo.md": "Bo too.\n",
}

CASES = {
    "see /memories/people/ana.md > ## Kiln": ([], ""),
    "see /memories/people/ana.md > ## Clay": ([("reference-section", False)], ""),
    "see /memories/ana.md.": ([("reference-moved", True)], "see /memories/people/ana.md."),
    "see /memories/ana.md > ## Kiln": ([("reference-moved", True)], "see /memories/people/ana.md > ## Kiln"),
    "see /memories/ana.md > ## Clay": ([("reference-moved", False)], ""),
    "see /memories/bo.md": ([("reference-moved", False)], ""),
    "see /memories/log.md": ([("reference-dangling", False)], ""),
    "see /memories/cleo.md": ([("reference-dangling", False)], ""),
    "`/memories/ana.md`, /memories/ana.mdx and /memories/ana.md": (
        [("reference-moved", True)] * 2,
        "`/memories/people/ana.md`, /memories/ana.mdx and /memories/people/ana.md",
    ),
}


@pytest.mark.parametrize(("line", "found", "fixed"), [(line, *case) for line, case in CASES.items()])
def test_rules(line: str, found: list[tuple[str, bool]], fixed: str) -> None:
    """A reference is mended when exactly one file has its name, and the section; `log` and its like are no names."""
    text = f"---\nname: z\ndescription: /memories/ana.md\n---\n\n{line}\r\n"
    files = {**FILES, "/memories/z.md": text}
    findings = [one for one in lint(files) if one.path == "/memories/z.md" and one.rule.startswith("reference")]

    assert found == [(one.rule, one.fixable) for one in findings]
    assert {6} >= {one.line for one in findings}
    assert (text.replace(line, fixed) if fixed else text) == fix_references(text, files)
