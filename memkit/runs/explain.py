"""One question of a run: what was asked, there, kept, found, served, answered and cited, and where it was lost."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from attrs import frozen

from memkit.citations import render_citation, resolve_citation
from memkit.compare.funnel import funnel_of, reach_of
from memkit.compare.recorded import UNITS, answer_of
from memkit.compare.units import Record, UnitLog, memory_dir
from memkit.errors import NotFound, StoreError, UserError
from memkit.locators import Locator, find_locators
from memkit.memory import MANIFEST_NAME, Memory
from memkit.metrics.funnel import Funnel
from memkit.metrics.reach import FOUND, Passage, Reach
from memkit.records import Answer, Finding, Question, Step
from memkit.runs.columns import SCORE
from memkit.runs.open import Run
from memkit.store.lines import split_lines
from memkit.transcript import render_step, render_turn

ITEMS_NAMED = 5
"""Of the questions that an unclear name could mean."""


@frozen
class Kept:
    """A line of the store that holds a locator."""

    path: str
    line: int
    text: str


@frozen
class Place:
    """One place of the gold evidence under one arm. `rank` is that of its best passage in the search of the funnel."""

    locator: str
    kept: tuple[Kept, ...]
    rank: int | None
    found: bool
    served: bool
    cited: bool


@frozen
class Cited:
    """A citation, the locators in the text it points at, and why there is no such text, where there is none."""

    citation: str
    locators: tuple[str, ...]
    fault: str = ""


@frozen
class Way:
    """The way of the evidence under one arm and attempt. `named` are the locators that the answer itself writes.

    `passages` are those a search looks through: of the store, or of the archive of a memory that is not `stored` in
    files. `note` says what could not be looked up.
    """

    arm: str
    attempt: int
    status: str
    lost_at: str | None
    computation: str | None
    stored: bool
    passages: int
    places: tuple[Place, ...]
    served: tuple[str, ...]
    answer: str
    cited: tuple[Cited, ...]
    named: tuple[str, ...]
    findings: tuple[Finding, ...]
    scores: Mapping[str, float]
    note: str = ""


@frozen
class Explanation:
    """A question of one stream and its way under each arm; `there` is the text of each place in the archive."""

    run: str
    stream: str
    question: str
    category: str
    text: str
    gold: str | None
    answerable: bool
    defect: str
    there: Mapping[str, str]
    arms: tuple[Way, ...]


def explain(run: Run, item: str, arms: Collection[str] = ()) -> Explanation:
    """Follow the question `item`, an id or the beginning of one, under `arms` (under all, when none is named).

    Neither data nor model is needed. UserError when it is no question of the run, or could be several.
    """
    stream, question = _find(run, item)
    rows = [row for row in _rows(run, stream, question) if not arms or row["arm"] in arms]
    records = UnitLog(run.directory / UNITS).load().answer
    first = rows[0]
    asked = _question(first)
    return Explanation(
        run=run.name,
        stream=stream,
        question=question,
        category=first["category"],
        text=asked.text,
        gold=asked.gold,
        answerable=asked.answerable,
        defect=first["defect"] or "",
        there=_there(run, stream, asked.evidence),
        arms=tuple(_way(run, row, asked, records.get(row["answer_key"])) for row in rows),
    )


def _find(run: Run, item: str) -> tuple[str, str]:
    """The stream and the id of the question that is meant; `STREAM/ID` tells questions of one id apart."""
    frame = run.read_items(["stream", "question"]).unique(maintain_order=True)
    pairs = [(str(stream), str(question)) for stream, question in frame.iter_rows()]
    named = [pair for pair in pairs if item in (pair[1], "/".join(pair))]
    found = named or [pair for pair in pairs if pair[1].startswith(item) or "/".join(pair).startswith(item)]
    if len(found) == 1:
        return found[0]
    if not found:
        near = get_close_matches(item, [question for _, question in pairs], n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"`memkit show {run.directory} --items` lists them"
        raise UserError(f"no question of {run.name} is called {item!r}; {hint}")
    several = ", ".join("/".join(pair) for pair in found[:ITEMS_NAMED]) + (" …" if len(found) > ITEMS_NAMED else "")
    raise UserError(f"{item!r} could be {len(found)} questions: {several}; give more of the name")


def _rows(run: Run, stream: str, question: str) -> list[dict[str, Any]]:
    import polars as pl

    wanted = (pl.col("stream") == stream) & (pl.col("question") == question)
    return list(run.items.filter(wanted).iter_rows(named=True))


def _question(row: Mapping[str, Any]) -> Question:
    return Question(
        row["question"],
        row["question_text"],
        row["gold"],
        evidence=tuple(map(Locator.parse, row["evidence"])),
        category=row["category"],
        answerable=row["answerable"],
    )


def _there(run: Run, stream: str, evidence: Sequence[Locator]) -> dict[str, str]:
    """The text of each place, from the archive of any memory of the stream; what none has is left out."""
    import polars as pl

    keys = run.memories.filter(pl.col("stream") == stream)["build_key"].unique(maintain_order=True)
    memory = next((memory for key in keys if (memory := _open(memory_dir(run.directory, key)))), None)
    return {str(place): text for place in evidence if memory and (text := _text(memory, place))}


def _text(memory: Memory, place: Locator) -> str:
    try:
        found = memory.archive.resolve(place)
    except NotFound:
        return ""
    return render_step(found) if isinstance(found, Step) else render_turn(found)


def _open(path: Path) -> Memory | None:
    return Memory.open(path).frozen() if (path / MANIFEST_NAME).is_file() else None


def _way(run: Run, row: Mapping[str, Any], question: Question, record: Record | None) -> Way:
    scores = {name.removeprefix(SCORE): row[name] for name in row if name.startswith(SCORE) and row[name] is not None}
    memory = _open(memory_dir(run.directory, row["build_key"])) if row["build_key"] else None
    answer = answer_of(record) if record else Answer("", end="empty")
    funnel = funnel_of(question, answer, memory, scores)
    reach = reach_of(memory.path) if memory else None
    return Way(
        arm=row["arm"],
        attempt=row["attempt"],
        status=row["status"],
        # What the run recorded: it knows whether the searcher computes.
        lost_at=row.get("lost_at"),
        computation=row.get("computation"),
        stored=funnel.kept is not None,
        passages=len(reach.passages) if reach else 0,
        places=tuple(_places(question, funnel, reach)),
        served=tuple(map(str, answer.effort.served)),
        answer=answer.text,
        cited=tuple(_cited(answer, memory)),
        named=tuple(map(str, dict.fromkeys(find_locators(answer.text)))),
        findings=answer.findings,
        scores=scores,
        note=_note(row, record, memory),
    )


def _note(row: Mapping[str, Any], record: Record | None, memory: Memory | None) -> str:
    if record is None:
        return "there is no answer on record"
    if row["build_key"] is None:
        return "a null row has no memory"
    return "" if memory else "its memory is gone; run the comparison again, which builds it"


def _places(question: Question, funnel: Funnel, reach: Reach | None) -> Iterator[Place]:
    ranks = reach.ranks(question.text, question.evidence) if reach else {}
    for place in funnel.gold:
        rank = ranks.get(place)
        yield Place(
            str(place),
            tuple(_line(passage, place) for passage in reach.holding(place) if passage.first) if reach else (),
            rank,
            rank is not None and rank <= FOUND,
            place in funnel.served,
            place in (funnel.cited or ()),
        )


def _line(passage: Passage, place: Locator) -> Kept:
    """The line of a passage in which the locator is written first."""
    lines = enumerate(split_lines(passage.text), passage.first)
    number, text = next((number, line) for number, line in lines if place in find_locators(line))
    return Kept(passage.path, number, text)


def _cited(answer: Answer, memory: Memory | None) -> Iterator[Cited]:
    for citation in answer.citations:
        shown = render_citation(citation)
        try:
            found = resolve_citation(citation, memory.store).locators if memory else ()
        except StoreError as error:
            yield Cited(shown, (), str(error))
        else:
            yield Cited(shown, tuple(map(str, found)))
