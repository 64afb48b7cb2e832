"""Which things a clause names: objects with a number, paths, quotations, and targets that the catalogue knows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import field, frozen

from memkit.query.match import Haystack
from memkit.query.plan import Term
from memkit.query.rules.lexicon import Lexicon, stems
from memkit.query.rules.wording import Asked, Quote

_NUMBERED = re.compile(r"\b([a-z]{2,24}) (\d{1,4})\b(?!\s*%)")
_NO_OBJECTS = frozenset(
    """
    step steps turn turns line lines loc page top first last version python id item action actions number at in
    on of to from by and or than about over under least most exactly only session code code: chapter day january
    february march april may june july august september october november december
    """.split()  # noqa: SIM905
)
_ELEMENT = re.compile(r"\[\d{1,9}\]")
_CONTAINING = re.compile(
    r"\b(?:contain\w*|includ\w+|words?|texts?|strings?|phrases?|keywords?|patterns?|terms?|quer(?:y|ied|ies)|typ(?:e|ed|ing)"
    r"|mention\w*|match\w*|search(?:es|ed|ing)?(?:\s+for)?)\s+(?:(?:the|a|an|words?|texts?|strings?|phrases?|keywords?)\s+)*$"
)
_RUN_WORDS = 8
"""Words at the beginning of a run of capitalised ones that may be no part of the name."""
_NAME = re.compile(r"(?<![\w'’])[A-Z][\w'’-]*(?:\s+[A-Z0-9][\w'’-]*)*")


@frozen
class Named:
    """What a clause names: `targets`, texts that the action contains, and where both stand.

    `left_out` says that things are to be left out, for which the language has no words.
    """

    targets: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    places: tuple[tuple[int, int], ...] = ()
    left_out: bool = False


@frozen
class Things:
    """The targets that a log is known to have."""

    known: tuple[str, ...]
    numbered: bool = field(init=False)
    _haystack: Haystack = field(init=False, repr=False, eq=False)

    @numbered.default
    def _is_numbered(self) -> bool:
        """Whether the log's things are objects with a number, as in a household world."""
        count = sum(bool(_NUMBERED.fullmatch(target.lower())) for target in self.known)
        return count * 2 > len(self.known)

    @_haystack.default
    def _searched(self) -> Haystack:
        return Haystack(self.known)

    def read(self, asked: Asked, lexicon: Lexicon) -> Named:
        """What a clause names, each once, in order."""
        found: dict[int, str] = {path.start: path.text for path in asked.paths}
        texts: dict[int, str] = {}
        for quote in (quote for quote in asked.quotes if not asked.excludes(quote.start)):
            self._read_quote(quote, asked, lexicon, found, texts)
        if self.numbered:
            found |= {
                match.start(): match[0] for match in _NUMBERED.finditer(asked.plain) if match[1] not in _NO_OBJECTS
            }
        texts |= {match.start(): match[0] for match in _ELEMENT.finditer(asked.plain)}
        found |= self._known_names(asked)
        left_out = any(map(asked.excludes, found))
        both = found | texts
        places = tuple((place, place + len(both[place])) for place in sorted(both))
        return Named(_in_order(found), _in_order(texts), places, left_out)

    def of_kind(self, noun: str) -> str | None:
        """The singular of `noun` where targets of the log are named after it: `drawer` for `drawers`."""
        stem = stems([noun])[0]
        for target in self.known:
            for word in re.findall(r"[a-z]+", target.lower()):
                if stems([word])[0] == stem and len(word) > 2:
                    return str(word)
        return None

    def _read_quote(
        self, quote: Quote, asked: Asked, lexicon: Lexicon, found: dict[int, str], texts: dict[int, str]
    ) -> None:
        lower = quote.text.lower()
        if lexicon.exactly(quote.text) and not _CONTAINING.search(asked.before(quote.start)):
            return
        if _CONTAINING.search(asked.before(quote.start)):
            texts[quote.start] = quote.text
        elif (self.numbered and _NUMBERED.fullmatch(lower)) or "/" in quote.text or self._holds(lower):
            found[quote.start] = quote.text
        else:
            texts[quote.start] = quote.text

    def _known_names(self, asked: Asked) -> dict[int, str]:
        """Runs of capitalised words that occur in a known target."""
        names = {}
        plain = list(asked.text)
        for quote in (*asked.quotes, *asked.paths):
            plain[quote.start : quote.end] = " " * (quote.end - quote.start)
        for match in _NAME.finditer("".join(plain)):
            words = match[0].split()
            for first in range(min(len(words), _RUN_WORDS)):
                run = " ".join(words[first:])
                if (match.start() or first) and len(run) > 1 and self._holds(run):
                    names[match.end() - len(run)] = run
                    break
        return names

    def _holds(self, text: str) -> bool:
        return bool(self._haystack.find(Term(text)))


def _in_order(found: dict[int, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(found[place] for place in sorted(found)))


def exclusive(targets: Sequence[str]) -> tuple[str, ...]:
    """Targets without those that another one contains: a path in quotation marks is found twice."""
    return tuple(one for one in targets if not any(one != other and one in other for other in targets))
