"""Text to terms: the same terms for what is indexed and for what is asked, and never a query language.

A term is a word, a pair of neighbouring characters of a script that puts no spaces between words, or a symbol
such as an emoji. Everything else separates terms and means nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache
from itertools import pairwise, takewhile
from typing import Any

WORD_CHARACTERS = 64
"""Longer words are cut here, so that a pasted key or blob stays one small term."""
QUERY_TERMS = 256
"""Distinct terms a query may have; the rest of a longer one is left out."""
REMEMBERED_WORDS = 200_000
"""Words whose terms are kept; the memory of words is emptied when it is full."""

STOP_WORDS = frozenset(
    """
    a about also am an and any are as at be been but by can could did do does for from had has have he her hers him
    his how i if in into is it its just me my no not of on or our she so some than that the their them then there
    these they this to up us was we were what when where which who whom whose why will with would you your
    d ll m re s t ve arent cant couldnt didnt doesnt dont hasnt havent im isnt ive id theyre wasnt werent whats whos
    wont wouldnt youre youve
    """.split()  # noqa: SIM905
)
"""English words that carry no topic. Dropped from queries only: a document keeps its true length."""

# Soft hyphen, joiners and variation selectors: they shape a word and are no part of it.
_INVISIBLE = dict.fromkeys((0x00AD, 0x200C, 0x200D, 0x2060, 0xFE0E, 0xFE0F))
_POSSESSIVE = re.compile(r"'s\b", re.ASCII)
# ASCII text in one pass: apostrophes go, what is no letter or digit separates.
_ASCII = {code: " " for code in range(128) if not chr(code).isalnum()} | {ord("'"): None}
# Scripts written without spaces between words, Hangul because its words carry their particles, and the long vowel
# mark, which Unicode counts to no script.
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Bopomofo}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}ー"
_TERM = (
    rf"(?P<run>[{_UNSPACED}]+)"
    rf"|(?P<word>[[\p{{L}}\p{{N}}]--[{_UNSPACED}]][[\p{{L}}\p{{N}}\p{{M}}]--[{_UNSPACED}]]*"
    rf"(?:['’][[\p{{L}}\p{{N}}\p{{M}}]--[{_UNSPACED}]]+)*)"
    r"|(?P<symbol>\p{So})"
)


class Analyzer:
    """Turns text into words and words into terms; `stemming` gives the forms of an English word one term.

    Every string is valid input, the empty one and one with lone surrogates included.
    """

    def __init__(self, *, stemming: bool = True) -> None:
        self._terms = _TermOfWord(_stemmer() if stemming else str)

    def words(self, text: str) -> list[str]:
        """The words of a text to index, in order, repeats included; `terms` makes terms of them.

        A run of an unspaced script gives its characters and its pairs, so that a query of one character finds it.
        """
        if text.isascii():
            text = text.lower()
            if "'" in text:
                text = _POSSESSIVE.sub("", text)
            words = text.translate(_ASCII).split()
            if max(map(len, words), default=0) > WORD_CHARACTERS:
                return [word[:WORD_CHARACTERS] for word in words]
            return words
        words = []
        for kind, piece in _pieces(text):
            if kind == "run":
                words += piece
                words += _pairs(piece)
            else:
                words.append(_plain(piece))
        return words

    def terms(self, words: Iterable[str]) -> list[str]:
        """The term of each word."""
        of = self._terms
        return [of[word] for word in words]

    def query(self, text: str) -> tuple[str, ...]:
        """The distinct terms of a question, at most `QUERY_TERMS`, in order.

        Stop words are dropped unless nothing else is there. Empty when the text has no term at all.
        """
        content: dict[str, None] = {}
        stops: dict[str, None] = {}
        for kind, piece in _pieces(text):
            if kind == "run":
                content.update(dict.fromkeys(self.terms(_pairs(piece) or [piece])))
            else:
                word = _plain(piece)
                (stops if word in STOP_WORDS else content)[self._terms[word]] = None
            if len(content) >= QUERY_TERMS:
                break
        return tuple(content or stops)[:QUERY_TERMS]

    def content_words(self, text: str) -> tuple[str, ...]:
        """The distinct words of a question as it writes them, folded, without the stop words."""
        words = (piece if kind == "run" else _plain(piece) for kind, piece in _pieces(text))
        return tuple(dict.fromkeys(word for word in words if word not in STOP_WORDS))

    def prefix(self, word: str) -> str:
        """The beginning that a word shares with its term: its other forms begin with it too."""
        same = (one == other for one, other in zip(word, self._terms[word], strict=False))
        return word[: sum(takewhile(bool, same))] or word


class _TermOfWord(dict[str, str]):
    """The term of each word met, worked out once."""

    def __init__(self, stem: Callable[[str], str]) -> None:
        super().__init__()
        self._stem = stem

    def __missing__(self, word: str) -> str:
        if len(self) >= REMEMBERED_WORDS:
            self.clear()
        term = self[word] = self._stem(word)
        return term


def _pieces(text: str) -> list[tuple[str, str]]:
    """(kind, characters) of each run, word and symbol, normalised and case-folded."""
    text = text.encode("utf-8", "replace").decode().translate(_INVISIBLE)
    # Folding can undo the normal form, so it is made again.
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return [(match.lastgroup or "", match[0]) for match in _pattern().finditer(text)]


def _plain(piece: str) -> str:
    """A word without its apostrophes and an English possessive ending, cut to `WORD_CHARACTERS`."""
    return piece.replace("’", "'").removesuffix("'s").replace("'", "")[:WORD_CHARACTERS]


def _pairs(run: str) -> list[str]:
    return [a + b for a, b in pairwise(run)]


@cache
def _pattern() -> Any:
    import regex

    return regex.compile(_TERM, regex.VERSION1)


def _stemmer() -> Callable[[str], str]:
    import Stemmer

    stem: Callable[[str], str] = Stemmer.Stemmer("english").stemWord
    return stem
