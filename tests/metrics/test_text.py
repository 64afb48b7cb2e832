from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.metrics.text import (
    chosen_option,
    exact_option,
    f1_score,
    first_sentence,
    locomo_score,
    normalize,
    token_f1,
)
from memkit.records import Question

TEAS = ("An oat flat white", "A pot of green tea", "Tea")


def ask(gold: str | None, category: str = "", **rest: object) -> Question:
    """A question whose text does not matter."""
    return Question("q", "?", gold=gold, category=category, **rest)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Paris [/memories/a.md:L3-4]. She moved there.", "Paris."),
        ("Paris, [S5T3] in May [/memories/a.md > # Trips > ## 2023].", "Paris, in May."),
        ("At 7 p.m. on Monday, near St. Mary's. Later too.", "At 7 p.m. on Monday, near St. Mary's."),
        ("3.5 km. Then home.", "3.5 km."),
        ("No. He did not.", "No."),
        ("東京です。大阪ではない。", "東京です。"),
        ("one line\nanother line", "one line"),
        ("[/memories/only.md]", ""),
        ("", ""),
    ],
)
def test_first_sentence(answer: str, expected: str) -> None:
    """What is scored is the first sentence, without citations and locators; abbreviations end none."""
    assert first_sentence(answer) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The  Cat, a dog!", "cat dog"),
        ("Müller-Lüdenscheidt", "müllerlüdenscheidt"),
        ("\uff21\uff22\uff23", "abc"),  # full-width letters
        ("金継ぎ", "金 継 ぎ"),
        ("theory and art", "theory and art"),
        ("“quoted”…", "quoted"),
        ("$5", "$5"),
    ],
)
def test_normalize(text: str, expected: str) -> None:
    """Case, punctuation, articles and spacing go; words stay, and characters of spaceless scripts stand apart."""
    assert normalize(text) == expected


@given(st.text())
def test_normalize_twice(text: str) -> None:
    """A text without articles left over is in normal form after one pass, but for letters that fold anew."""
    once = normalize(text.encode("ascii", "ignore").decode())
    assert normalize(once) == once


@pytest.mark.parametrize(
    ("said", "gold", "expected"),
    [
        ("the red car", "a red bike", 1 / 2),  # 1 of 2 and 1 of 2
        ("she bought a red car", "red car", 2 * 2 / (4 + 2)),
        ("go go", "go", 2 / 3),  # repeats count
        ("金継ぎ", "金継", 4 / 5),
        ("cat", "dog", 0.0),
        ("", "dog", 0.0),
        ("the", "!", 1.0),  # both say nothing
    ],
)
def test_token_f1(said: str, gold: str, expected: float) -> None:
    """F1 is twice the common tokens over the tokens of both."""
    assert token_f1(said, gold) == pytest.approx(expected)


@given(st.text(), st.text())
def test_token_f1_symmetric(one: str, other: str) -> None:
    """F1 lies in [0, 1], does not care which text is the gold, and is 1 for equal texts."""
    assert 0.0 <= token_f1(one, other) == token_f1(other, one) <= 1.0
    assert token_f1(one, one) == 1.0


@pytest.mark.parametrize(
    ("category", "gold", "answer", "expected"),
    [
        # 1: each gold part takes its best part: (1 + 0 + 2/3) / 3
        ("1", "hiking, painting, old cars", "cars, hiked", (1 + 0 + 2 / 3) / 3),
        ("1", "beach", "the beach", 1.0),
        ("2", "7 May 2023", "On 7 May, 2023", 2 * 3 / (4 + 3)),
        ("2", "running", "She runs.", 2 / 3),  # stemmed alike
        ("4", "salt and pepper", "pepper, salt", 1.0),  # `and` counts as an article
        ("3", "yes; she likes books", "Yes", 1.0),
        ("3", "yes; she likes books", "she likes books", 0.0),
        ("4", "yes; no", "yes", 2 / 3),  # only category 3 cuts at `;`
    ],
)
def test_locomo_score(category: str, gold: str, answer: str, expected: float) -> None:
    """Each category is scored by its own rule, worked out by hand here."""
    assert locomo_score(ask(gold, category), answer) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("No information available.", 1.0),
        ("It is Not Mentioned in the chats [/memories/a.md].", 1.0),
        ("A new Prius.", 0.0),
        ("A Prius. The colour is not mentioned.", 0.0),
        ("", 0.0),
    ],
)
def test_abstention(answer: str, expected: float) -> None:
    """A question without support is right when the scored sentence says so, under both rules."""
    question = ask(None, "5", answerable=False)
    assert (expected, expected) == (locomo_score(question, answer), f1_score(question, answer))


def test_no_gold() -> None:
    """An answerable question without gold has no score."""
    for score in (f1_score, locomo_score):
        with pytest.raises(ValueError) as caught:
            score(ask(None), "x")
        assert str(caught.value) == "question q has no gold answer"


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("(b)", TEAS[1]),
        ("b", TEAS[1]),
        ("B.", TEAS[1]),
        ("The answer is (C) since she likes it.", TEAS[2]),
        ("Answer: a", TEAS[0]),
        ("Option B: green tea", TEAS[1]),
        ("An oat flat white, I think.", TEAS[0]),
        ("A pot of green tea", TEAS[1]),  # names "Tea" too, within the longer option
        ("She had tea.", TEAS[2]),
        ("A dog", None),
        ("An oat flat white or tea", None),
        ("(z)", None),
        ("", None),
    ],
)
def test_chosen_option(answer: str, expected: str | None) -> None:
    """A letter or an option's words choose it; an unclear answer chooses none."""
    assert chosen_option(TEAS, answer) == expected


def test_option_letters_of_their_own() -> None:
    """Options that carry letters are chosen by those, not by their place."""
    options = ("(b) second", "(a) first")
    assert [chosen_option(options, text) for text in ("(a)", "second")] == ["(a) first", "(b) second"]


def test_option_scores() -> None:
    """A letter earns the F1 of the option's words; exactness is all or nothing."""
    question = ask(TEAS[1], options=TEAS)
    scores = [(exact_option(question, text), f1_score(question, text)) for text in ("(b)", "(c)", "neither")]
    assert scores == [(1.0, 1.0), (0.0, pytest.approx(2 / 5)), (0.0, 0.0)]
