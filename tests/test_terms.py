from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.terms import QUERY_TERMS, STOP_WORDS, WORD_CHARACTERS, Analyzer

STEMMED = Analyzer()
PLAIN = Analyzer(stemming=False)
ANY_TEXT = st.text(st.characters(exclude_categories=())) | st.text("ab' ’你好가ก1-é🎉\n\ud83d")


def indexed(text: str) -> list[str]:
    """The terms of a document."""
    return STEMMED.terms(STEMMED.words(text))


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("", []),
        (" \t\n-_|*", []),
        ("Dave's cars", ["dave", "car"]),
        ("Dave’s cars", ["dave", "car"]),
        ("I don't", ["i", "dont"]),
        ("'quoted' O'Brien's", ["quot", "obrien"]),
        ("Müller STRASSE straße", ["müller", "strass", "strass"]),
        ("e\u0301cole", ["école"]),
        ("Привет, мир", ["привет", "мир"]),
        ("مرحبا بالعالم", ["مرحبا", "بالعالم"]),
        ("שָׁלוֹם עולם", ["שָׁלוֹם", "עולם"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("C:\\repo\\main.py", ["c", "repo", "main", "py"]),
        ("my-group AND -drawer *", ["my", "group", "and", "drawer"]),
        ("❤️🎉!", ["❤", "🎉"]),
        ("hello tantivy你好", ["hello", "tantivi", "你", "好", "你好"]),
        ("3月", ["3", "月"]),
        ("ｶﾞﾝ", ["ガ", "ン", "ガン"]),
        ("co\u00adoperate", ["cooper"]),
        ("\ud83d half", ["half"]),
    ],
)
def test_terms_of_a_text(text: str, terms: list[str]) -> None:
    """Words fold and stem, unspaced scripts give characters and pairs, punctuation only separates."""
    assert indexed(text) == terms


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("What did Dave's brother do?", ("dave", "brother")),
        ("who am I", ("who", "am", "i")),
        ("權威事實", ("權威", "威事", "事實")),
        ("月", ("月",)),
        ("run running runs", ("run",)),
        ("?!", ()),
    ],
)
def test_terms_of_a_question(question: str, terms: tuple[str, ...]) -> None:
    """Stop words go unless nothing else is there, terms are distinct, and runs give pairs."""
    assert STEMMED.query(question) == terms


def test_without_stemming_word_forms_stay_apart() -> None:
    """The option keeps words as they are written, but for case and apostrophes."""
    assert PLAIN.terms(PLAIN.words("Running RUNS Dave's")) == ["running", "runs", "dave"]


@given(st.lists(st.sampled_from([*string.punctuation, *string.ascii_letters, " "])).map("".join))
def test_ascii_punctuation_never_means_anything(text: str) -> None:
    """No punctuation reaches a term, and without the apostrophe all of it is as good as a space."""
    spaced = "".join(" " if character in string.punctuation else character for character in text.replace("'", ""))

    assert PLAIN.words(text.replace("'", "")) == spaced.lower().split()
    assert all(word.isalnum() for word in PLAIN.words(text))


@given(ANY_TEXT)
def test_any_text_is_valid(text: str) -> None:
    """Every string gives terms without white space, each of bounded length, and a bounded query."""
    for term in (*indexed(text), *STEMMED.query(text)):
        assert 0 < len(term) <= WORD_CHARACTERS
        assert term.split() == [term]
    assert len(STEMMED.query(text)) <= QUERY_TERMS


@given(ANY_TEXT)
def test_a_text_is_found_by_itself(text: str) -> None:
    """Every term of a question is among the terms of a document with the same text."""
    assert set(STEMMED.query(text)) <= set(indexed(text))


@given(st.text(st.characters(codec="ascii")))
def test_ascii_and_other_text_are_split_alike(text: str) -> None:
    """One character outside ASCII changes nothing about the words before it."""
    assert PLAIN.words(f"{text} é") == [*PLAIN.words(text), "é"]


def test_very_long_input_is_bounded() -> None:
    """A question of 20,000 characters keeps its first distinct terms, and a giant word is cut."""
    question = " ".join(f"word{number}" for number in range(2500))

    assert len(STEMMED.query(question)) == QUERY_TERMS
    assert PLAIN.words("x" * 1000) == ["x" * WORD_CHARACTERS]
    assert PLAIN.query("é" * 1000) == ("é" * WORD_CHARACTERS,)


def test_stop_words_are_words() -> None:
    """Each stop word is the form in which a question's word is compared with it."""
    assert [word for word in sorted(STOP_WORDS) if PLAIN.words(word) != [word]] == []
