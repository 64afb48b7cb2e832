"""Secrets are cut out; everything else stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.redaction import HIDDEN, redact


@pytest.mark.parametrize(
    "name", ["OPENAI_API_KEY", "API_KEY", "AWS_SECRET_ACCESS_KEY", "HUB_TOKEN", "my_app_secret"], ids=str
)
def test_values_of_secret_variables(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The value of a variable with a secret's name is cut out wherever it stands."""
    monkeypatch.setenv(name, "hunter2-hunter2")

    assert f"a {HIDDEN}, b{HIDDEN}" == redact("a hunter2-hunter2, bhunter2-hunter2")


@pytest.mark.parametrize(
    ("name", "value"), [("MODE", "hunter2-hunter2"), ("X_TOKEN", "disabled"), ("X_TOKEN", "1234567"), ("X_TOKEN", "")]
)
def test_other_values_stay(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that names no secret, or whose value is short or a word, hides nothing."""
    monkeypatch.setenv(name, value)

    assert f"it is {value} here" == redact(f"it is {value} here")


def test_a_secret_inside_a_longer_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where one secret begins another, nothing of the longer one is left."""
    monkeypatch.setenv("A_TOKEN", "abcd-1234")
    monkeypatch.setenv("B_TOKEN", "abcd-1234-tail-5678")

    assert f"{HIDDEN} {HIDDEN}" == redact("abcd-1234-tail-5678 abcd-1234")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("key sk-proj-Ab12Cd34Ef56Gh78Ij90.", f"key {HIDDEN}."),
        ("sk-1234567890abcdef1234", HIDDEN),
        ("Authorization: Bearer eyJhbGciOi.JIUzI1NiIs.InR5cCI6", f"Authorization: Bearer {HIDDEN}"),
        ("sk-learn-compatible-estimators", "sk-learn-compatible-estimators"),
        ("ask-12345678901234567890", "ask-12345678901234567890"),
        ("Bearer of good news", "Bearer of good news"),
        ("Bearer internationalisation matters", "Bearer internationalisation matters"),
        ("Bearer internationalisation of 2024 matters", "Bearer internationalisation of 2024 matters"),
    ],
)
def test_patterns(text: str, expected: str) -> None:
    """What looks like a key is cut out, words that resemble one are not."""
    assert expected == redact(text)


def test_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists and maps are gone through, keys included; other values stay."""
    monkeypatch.setenv("X_TOKEN", "abcd-1234")

    assert {"a": [HIDDEN, 1, None, {HIDDEN: True}]} == redact({"a": ["abcd-1234", 1, None, {"abcd-1234": True}]})


@given(st.text(), st.text())
def test_nothing_is_left(before: str, after: str) -> None:
    """Whatever stands around a secret, it is gone and the rest is there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("X_TOKEN", "\u00e4bcd-1234-wxyz")
        found = redact(f"{before}\u00e4bcd-1234-wxyz{after}")

    assert "\u00e4bcd-1234-wxyz" not in found
    assert redact(before) + HIDDEN + redact(after) == found
