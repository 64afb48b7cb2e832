from __future__ import annotations

import pytest

from memkit.query.rules.wording import read_clause, read_question


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How often was a.py read? Answer with an integer.", ["How often was a.py read?"]),
        ("The agent reads a.py. How often?", ["How often?"]),
        ("Until step 9, what was done and how frequently?", ["Until step 9, what was done and how frequently?"]),
        ("Which files were read and at which steps?", ["Which files were read and at which steps?"]),
        ("How many files were read, and which was read last?", ["How many files were read", "which was read last?"]),
        ("Identify the step and what came of it.", ["Identify the step", "what came of it."]),
        ("How often was 'x and how' typed?", ["How often was 'x and how' typed?"]),
        ("It went well.", []),
        ("", []),
    ],
)
def test_clauses(question: str, expected: list[str]) -> None:
    """Only what asks is read, cut where it asks anew, without how to answer."""
    assert expected == [asked.text for asked in read_question(question)]


def test_what_is_blanked() -> None:
    """Step references, quotations and paths leave blanks, so that places in `plain` are places in the text."""
    asked = read_clause("Until step 9, how often was 'Go To' used on /src/A.py?")

    assert len(asked.text) == len(asked.plain)
    assert "how often was used on" == " ".join(word.text for word in asked.words)
    assert ["Go To"] == [quote.text for quote in asked.quotes]
    assert ["/src/A.py"] == [path.text for path in asked.paths]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the file core.py", ["core.py"]),
        ("/repo/src/core.py.", ["/repo/src/core.py"]),
        ("src/pkg/core.py and ./run", ["src/pkg/core.py", "./run"]),
        ("LogLocator.nonsingular is a method", []),
        ("files/directories or BY/LIMIT", []),
        ("version 3.11, e.g. this", []),
    ],
)
def test_paths(text: str, expected: list[str]) -> None:
    """Paths and file names are told from words with a slash or a full stop."""
    assert expected == [path.text for path in read_clause(text).paths]


def test_letters_that_grow() -> None:
    """A letter whose lower case is longer shifts nothing."""
    asked = read_clause("İstanbul step 3 DRAWER 1")

    assert len(asked.text) == len(asked.plain)
    assert "drawer" in [word.text for word in asked.words]


def test_exclusions() -> None:
    """What is to be left out reaches to the end of its bracket."""
    asked = read_clause("What was done (excluding 'go to' actions) at last?")

    assert [True, False] == [asked.excludes(asked.text.index(word)) for word in ("go to", "at last")]
