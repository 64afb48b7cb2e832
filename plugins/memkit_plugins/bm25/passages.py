"""Ranking: a question in, the files that speak of it out, each with its best lines."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping

from attrs import frozen

from memkit import ROOT
from memkit_plugins.bm25.index import Index
from memkit_plugins.bm25.state import FileSignature
from memkit_plugins.bm25.units import units_of
from memkit_plugins.bm25.windows import WindowedFile

CANDIDATE_UNITS = 300
"""Units that tantivy may offer: their files are scored exactly. Enough that more change no result worth having."""
CANDIDATE_FILES = 40
"""Files scored for one question: bounds the work on a large store."""
FILE_LINES = 5
"""Best lines whose scores a file's score adds up. One ranks files worse, ten no better, all favour long files."""
REMEMBERED_BYTES = 32_000_000
"""Size of the files whose terms are kept between questions; they take two to five times as much in memory."""


@frozen
class RankedFile:
    """A file that matches. `lines` are (line, score), best first; lines of frontmatter and headings are not among them.

    `score` adds those of the `FILE_LINES` best lines and of the best line of frontmatter.
    """

    path: str
    signature: FileSignature
    score: float
    lines: tuple[tuple[int, float], ...]


@frozen
class Ranking:
    """Files, best first. `complete` is False when there may be more than were looked at."""

    files: tuple[RankedFile, ...]
    complete: bool


class Passages:
    """Ranks the files and lines of one store; keeps the terms of the files it has scored."""

    def __init__(self, index: Index) -> None:
        self.index = index
        self._held: OrderedDict[str, tuple[FileSignature, WindowedFile]] = OrderedDict()
        self._held_bytes = 0

    def terms(self, question: str) -> tuple[str, ...]:
        """What of a question is searched for; empty when it has no word at all."""
        return self.index.analyzer.query(question)

    def rank(self, terms: tuple[str, ...], within: str = ROOT) -> Ranking:
        """Every file at or below `within` that has one of the terms, as far as the candidate limits reach.

        Ties go to the path and the line that come first.
        """
        if not terms:
            return Ranking((), complete=True)
        found = self.index.candidates(terms, limit=CANDIDATE_UNITS, within=within)
        ranked = []
        for path, signature in list(found.files.items())[:CANDIDATE_FILES]:
            file = self._windowed(path, signature)
            scores = file.scores(found.weights, found.averages)
            if scores:
                ranked.append(_ranked(path, signature, file, scores))
        ranked.sort(key=lambda file: (-file.score, file.path))
        return Ranking(tuple(ranked), complete=not found.capped and len(found.files) <= CANDIDATE_FILES)

    def _windowed(self, path: str, signature: FileSignature) -> WindowedFile:
        held = self._held.pop(path, None)
        if held is None or held[0] != signature:
            self._held_bytes -= held[0][1] if held else 0
            data = self.index.read(path, signature)
            held = signature, self._analysed(data)
            self._held_bytes += signature[1]
        self._held[path] = held
        while self._held_bytes > REMEMBERED_BYTES and len(self._held) > 1:
            _, (oldest, _) = self._held.popitem(last=False)
            self._held_bytes -= oldest[1]
        return held[1]

    def _analysed(self, data: bytes) -> WindowedFile:
        return WindowedFile(units_of(data, self.index.options.unit, self.index.analyzer))


def _ranked(path: str, signature: FileSignature, file: WindowedFile, scores: Mapping[int, float]) -> RankedFile:
    body = [(file.lines[at], score) for at, score in scores.items() if file.parts[at] == "body"]
    body.sort(key=lambda line: (-line[1], line[0]))
    front = max((score for at, score in scores.items() if file.parts[at] == "front"), default=0.0)
    return RankedFile(path, signature, sum(score for _, score in body[:FILE_LINES]) + front, tuple(body))
