"""Locators are written one way, and read wherever they stand in a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit import Locator, Span, UserError, find_locators

numbers = st.integers(0, 999_999_999)
locators = st.one_of(
    st.builds(Locator, st.sampled_from(["S", "B"]), numbers, numbers),
    st.builds(Locator, st.sampled_from(["M", "step"]), st.just(0), numbers),
)
FORMS = {
    "[S5T3]": Locator("S", 5, 3),
    "[B4M7]": Locator("B", 4, 7),
    "[M12]": Locator("M", 0, 12),
    "[step 14]": Locator("step", 0, 14),
}
OTHERS = [
    "",
    "S5T3",
    "[S5T3",
    "[S5T3] ",
    "[s5t3]",
    "[S5]",
    "[S-1T3]",
    "[S٣T3]",
    "[step14]",
    "[S1234567890T1]",
    "[[S5T3]]",
]


@pytest.mark.parametrize(("text", "locator"), FORMS.items())
def test_form(text: str, locator: Locator) -> None:
    """Each written form is one locator, both ways."""
    assert locator == Locator.parse(text)
    assert text == str(locator)


@pytest.mark.parametrize("text", OTHERS)
def test_anything_else(text: str) -> None:
    """What is not exactly a locator is refused with the forms there are."""
    with pytest.raises(UserError) as error:
        Locator.parse(text)

    assert f"{text!r} is not a locator; write [S5T3], [B4M7], [M12] or [step 14]" == str(error.value)


@given(locators)
def test_round_trip(locator: Locator) -> None:
    """A written locator reads as itself."""
    assert locator == Locator.parse(str(locator))


@given(st.lists(st.tuples(locators, st.text(alphabet=st.characters(exclude_characters="[]")))))
def test_find(parts: list[tuple[Locator, str]]) -> None:
    """Every locator in a text is found, in order, whatever stands between."""
    text = "".join(f"{locator}{between}" for locator, between in parts)

    assert [locator for locator, _ in parts] == list(find_locators(text))


def test_order() -> None:
    """Locators of one kind sort as they were said."""
    assert [Locator("S", 2, 10), Locator("S", 10, 2)] == sorted([Locator("S", 10, 2), Locator("S", 2, 10)])


def test_span() -> None:
    """A span is written as (i, field, [u, v))."""
    assert "([step 14], observation, [10, 25))" == str(Span(Locator("step", 0, 14), "observation", 10, 25))
