"""Details of a gold answer are what a context must hold to give it: numbers, identifiers, quoted strings."""

from __future__ import annotations

import pytest
from hypothesis import given

from memkit.metrics.details import details, details_found
from memkit.testing.strategies import texts

TABLE = [
    ("Step 17 when viewing lines 2012-2030", ("2012", "2030")),
    ("`transaction.atomic()` in options.py", ("transaction.atomic()", "options.py")),
    ("It ran `tests/runtests.py` with 'admin_changelist'", ("tests/runtests.py", "admin_changelist")),
    ("The Go button [505] became [604]", ("[505]", "[604]")),
    ("/workspace/a_b/c.py and django.db.models", ("/workspace/a_b/c.py", "django.db.models")),
    ("ModelForm, get_prep_value, __init__", ("ModelForm", "get_prep_value", "__init__")),
    ("commit 3e4d428 of 2,844,675 rows, 30.5 %", ("3e4d428", "2844675", "30.5")),
    ("and/or, e.g. giver/receiver, i.e. no details; it's fine", ()),
    ("1. first\n2) second (3) third", ()),
    ("the same 5 and 5", ("5",)),
    ("", ()),
]


@pytest.mark.parametrize(("gold", "expected"), TABLE)
def test_details(gold: str, expected: tuple[str, ...]) -> None:
    """Each kind is found; cited steps, list marks and plain words are none."""
    assert expected == details(gold)


def test_share_found() -> None:
    """The share of the details in the text, without regard to case, blanks and thousands separators."""
    gold = "It counted 2,844,675 rows of `PLANET  relations`, and 7 of ModelForm"

    assert 0.75 == details_found(gold, "How many?", "planet relations: 2844675 rows; modelform")


def test_what_the_question_gives_away_is_left_out() -> None:
    """A detail in the question proves nothing of the context; without any other there is no share."""
    assert 0.0 == details_found("options.py, line 12", "What changed in options.py?", "options.py")
    assert details_found("options.py", "What changed in options.py?", "") is None
    assert details_found("The agent waited", "What happened?", "it waited") is None


def test_details_end_at_token_boundaries() -> None:
    """`12` is not in `123` nor in `a12`."""
    assert 0.0 == details_found("12", "?", "123 a12 012")
    assert 1.0 == details_found("12", "?", "(12)")


@given(texts(), texts(), texts())
def test_any_text_has_a_share(gold: str, question: str, text: str) -> None:
    """Nothing raises; a text that holds the gold holds its details."""
    share = details_found(gold, question, text)

    assert share is None or 0 <= share <= 1
    assert details_found(gold, question, gold) in {None, 1.0}
