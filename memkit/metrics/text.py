"""Scores of an answer's text against the gold: token F1, LoCoMo's rules, multiple choice.

What is scored is the answer's first sentence without its citations (`first_sentence`): the scorers were made for
short answers, and an agent's answer goes on to explain itself.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

from memkit.citations import PATTERN as CITATION
from memkit.locators import PATTERN as LOCATOR
from memkit.records import Question

ABSTENTIONS = ("no information available", "not mentioned")
"""What an answer says when the stream does not tell; LoCoMo's scorer accepts these two (Maharana et al. 2024)."""

_ARTICLES = frozenset({"a", "an", "the"})
# Scripts written without spaces: each character is a token, or a whole answer would be one.
_TOKEN = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|[^\s\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+"
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")
# A single letter ends "7 p.m.", "e.g." and initials.
_ABBREVIATION = re.compile(r"(?<![\w'’])(?:[a-z]|mrs?|ms|dr|st|vs|approx)\.$", re.IGNORECASE)
_OWN_LETTER = re.compile(r"^\s*\(?([A-Za-z])[).]\s+")
_CHOSEN_LETTER = re.compile(
    r"\(([A-Za-z])\)|^(?:the )?(?:answer|option)?(?: is)?:?\s*(?:option )?([A-Za-z])(?:[).:,]|\s*$)", re.IGNORECASE
)


def first_sentence(answer_text: str) -> str:
    """The part of an answer that is scored: its first sentence, citations and locators taken out."""
    bare = LOCATOR.sub("", CITATION.sub("", answer_text)).strip()
    for end in _SENTENCE_END.finditer(bare):
        if "\n" in end[0] or not _ABBREVIATION.search(bare[: end.start()]):
            return _tidy(bare[: end.start()])
    return _tidy(bare)


def normalize(text: str) -> str:
    """Lower case, no punctuation, no articles, single spaces, as SQuAD compares answers (Rajpurkar et al. 2016).

    Works on compatibility forms (NFKC), takes Unicode's punctuation for punctuation, and sets Han and kana
    characters apart, so that texts without spaces overlap in part.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    bare = "".join(char for char in folded if not unicodedata.category(char).startswith("P"))
    return " ".join(token for token in _TOKEN.findall(bare) if token not in _ARTICLES)


def token_f1(prediction: str, gold: str) -> float:
    """F1 of the two bags of normalized tokens, in [0, 1]; two empty texts agree."""
    said, wanted = normalize(prediction).split(), normalize(gold).split()
    return _f1(said, wanted) if said or wanted else 1.0


def abstains(answer_text: str) -> bool:
    """Whether the scored sentence says that the stream does not tell."""
    said = first_sentence(answer_text).lower()
    return any(phrase in said for phrase in ABSTENTIONS)


def f1_score(question: Question, answer_text: str) -> float:
    """Token F1 of the scored sentence against the gold; of the option's text, where the answer chooses one.

    A question the stream cannot answer scores 1 for an abstention, else 0. Raises ValueError for an answerable
    question without gold.
    """
    if not question.answerable:
        return float(abstains(answer_text))
    chosen = chosen_option(question.options, answer_text)
    return token_f1(first_sentence(answer_text) if chosen is None else chosen, _gold(question))


def locomo_score(question: Question, answer_text: str) -> float:
    """LoCoMo's score for the question's category, in [0, 1] (`task_eval/evaluation.py` of its repository).

    1: the mean over the gold's comma-separated parts of the best F1 with a part of the prediction.
    3: F1 with what stands before `;` in the gold. 5, or not answerable: 1 for an abstention, else 0.
    Any other: F1. Tokens are stemmed; the original stems with NLTK's variant of Porter, which differs in a few words.
    Raises ValueError for an answerable question without gold.
    """
    if question.category == "5" or not question.answerable:
        return float(abstains(answer_text))
    said, gold = first_sentence(answer_text), _gold(question)
    if question.category == "1":
        parts = [_stems(part) for part in said.split(",")]
        golds = [_stems(part) for part in gold.split(",")]
        return sum(max(_f1(part, wanted) for part in parts) for wanted in golds) / len(golds)
    if question.category == "3":
        gold = gold.partition(";")[0]
    return _f1(_stems(said), _stems(gold))


def chosen_option(options: Sequence[str], answer_text: str) -> str | None:
    """The option an answer chooses, by letter (`(b)`, or a lone `b`) or by text; None when that is not clear."""
    said = first_sentence(answer_text)
    letters = {_letter(option, place): option for place, option in enumerate(options)}
    for match in _CHOSEN_LETTER.finditer(said):
        if option := letters.get((match[1] or match[2]).lower()):
            return option
    words = f" {normalize(said)} "
    named = {option: text for option in options if (text := f" {_option_text(option)} ") in words and text.strip()}
    # "tea" is named by "green tea" too, where both are options.
    longest = [o for o, text in named.items() if not any(text in other and text != other for other in named.values())]
    return longest[0] if len(longest) == 1 else None


def exact_option(question: Question, answer_text: str) -> float:
    """1.0 when the answer chooses the gold among the question's options, else 0.0."""
    return float(question.gold is not None and chosen_option(question.options, answer_text) == question.gold)


def _gold(question: Question) -> str:
    if question.gold is None:
        raise ValueError(f"question {question.id} has no gold answer")
    return question.gold


def _tidy(text: str) -> str:
    return re.sub(r"\s+([.,;!?])", r"\1", " ".join(text.split()))


def _letter(option: str, place: int) -> str:
    own = _OWN_LETTER.match(option)
    return own[1].lower() if own else string.ascii_lowercase[place % 26]


def _option_text(option: str) -> str:
    return normalize(_OWN_LETTER.sub("", option))


def _f1(said: Sequence[str], gold: Sequence[str]) -> float:
    common = (Counter(said) & Counter(gold)).total()
    return 2 * common / (len(said) + len(gold)) if common else 0.0


_LOCOMO_DROPPED = re.compile(r"\b(?:a|an|the|and)\b")


def _stems(text: str) -> list[str]:
    """LoCoMo's own normal form (ASCII punctuation, `and` counted among the articles), then Porter stems."""
    bare = text.lower().translate(str.maketrans("", "", string.punctuation))
    stem = _stem()
    return [stem(word) for word in _LOCOMO_DROPPED.sub(" ", bare).split()]


@cache
def _stem() -> Callable[[str], str]:
    import snowballstemmer

    stem: Callable[[str], str] = snowballstemmer.stemmer("porter").stemWord
    return stem
