"""Descriptions in a file's own words."""

from __future__ import annotations

import pytest

from memkit.lint.summary import CHARACTERS, summarize

CASES = {
    "# Glazes and clays\n\nBy Ana.\n": "Glazes and clays",
    "# Ana\n\n1. She fires at night. [S1T1] Then sleeps.\n": "She fires at night.",
    "# Ana\n": "Ana",
    "---\nname: x\n---\n\n- [S1T1] no stop here\n": "no stop here",
    "\n---\n\n***\n": "",
    "": "",
    "# A\ttab\n": "A tab",
}


@pytest.mark.parametrize(("text", "expected"), CASES.items())
def test_summaries(text: str, expected: str) -> None:
    """The first heading, unless it only repeats the name; else the first sentence, without marks and locators."""
    assert expected == summarize("/memories/ana.md", text)


def test_long_ones() -> None:
    """A long sentence is cut at a word."""
    found = summarize("/memories/ana.md", "kiln " * 60)

    assert found.endswith("kiln…")
    assert len(found) <= CHARACTERS
