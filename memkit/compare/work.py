"""The jobs that answer questions and judge the answers."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import cached_property, lru_cache, partial
from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import Any

from attrs import define, evolve, field, frozen

from memkit.calls.booking import Booking, book_calls
from memkit.compare.arms import Arm, make_part
from memkit.compare.effort import effort_columns
from memkit.compare.funnel import funnel_of
from memkit.compare.jobs import JudgeError, Report, Unit, do_units, parts_of
from memkit.compare.models import Calling, recorded_model
from memkit.compare.nulls import NullSearcher
from memkit.compare.plan import Item
from memkit.compare.recorded import answer_of
from memkit.compare.spec import Use
from memkit.compare.units import Record, UnitLog, UnitWriter, memory_dir
from memkit.contracts import Judge
from memkit.converter import make_converter
from memkit.errors import BudgetHit, UserError
from memkit.memory import Memory
from memkit.metrics.details import details_found
from memkit.metrics.evidence import all_found, citation_scores, recall
from memkit.records import Answer, Question, Stream
from memkit.transcript import render_options

PROMPT_DIGITS = 12
"""Of a digest: enough to tell prompts apart."""


@frozen
class AnswerJob:
    """Answer and judge some questions of one cell, `at_once` together.

    `known` holds recorded answers that were not judged yet, by key; `stream` is there for null rows only.
    """

    id: str
    calling: Calling
    arm: Arm = field(repr=False)
    build_key: str
    items: tuple[Item, ...] = field(repr=False)
    known: Mapping[str, Record] = field(repr=False)
    judge: Use
    judge_model: Use
    search_model: Use
    stream: Stream | None = field(default=None, repr=False)
    null_tokens: int = 0
    at_once: int = 1

    @property
    def keys(self) -> tuple[str, ...]:
        """Of its units."""
        return tuple(item.judge_key for item in self.items)

    def run(self) -> Report:
        """Record each answer and each judgement as it is done."""
        log = UnitLog(self.calling.run_dir / "units")
        with log.writer("answer") as answers, log.writer("judge") as judgements:
            do = _Answering(self, answers, judgements).do
            units = [Unit(item.judge_key, item.question.id, partial(do, item)) for item in self.items]
            return asyncio.run(do_units(self.calling, self.id, units, self.at_once))


@define
class _Answering:
    """What a job has open while it runs; opened by the first unit that needs it, so that a fault is that unit's."""

    job: AnswerJob
    answers: UnitWriter
    judgements: UnitWriter
    _nulls: dict[int, NullSearcher] = field(factory=dict, init=False)

    async def do(self, item: Item) -> None:
        """Answer and judge one question, or judge the answer that is on record."""
        record = self.job.known.get(item.answer_key)
        if record is None:
            with book_calls() as asked:
                answer = await self._ask(item)
            record = self._record(item, answer, asked)
        else:
            answer = answer_of(record)
        await self._judge(item, answer, record["shown"])

    async def _ask(self, item: Item) -> Answer:
        """The answer from the memory or, in a null row, from the stream."""
        job = self.job
        if job.stream is None:
            searcher = _open_searcher(job.calling, job.build_key, job.arm, item.attempt)
            answer: Answer = await searcher.answer(self._memory, item.question)
            return answer
        if item.attempt not in self._nulls:  # one for each attempt: it keeps the text that all questions are asked with
            model = recorded_model(parts_of(job.calling), job.search_model, job.calling, attempt=item.attempt)
            self._nulls[item.attempt] = NullSearcher(job.arm.null, model, job.stream, job.null_tokens)
        return await self._nulls[item.attempt].answer(item.question)

    def _record(self, item: Item, answer: Answer, asked: Booking) -> Record:
        return self.answers.write(
            item.answer_key,
            question=item.question.id,
            memory=self.job.build_key,
            effort=effort_columns(answer.effort),
            answer=_data(answer),
            shown=_details_shown(item.question, answer),
            prompt=answer_prompt(item.question, answer),
            calls=_rows(asked),
        )

    async def _judge(self, item: Item, answer: Answer, shown: Record) -> None:
        memory = self._memory
        try:
            with book_calls() as judged:
                verdict = await self._judging.judge(item.question, answer, memory)
            given = _checked(verdict.scores)
            scores = {**given, **_evidence(item.question, answer, memory)}
        except BudgetHit:
            raise
        except Exception as error:
            raise JudgeError(f"judge {self.job.judge.shown}") from error
        if shown["gold"] == item.question.gold and shown["share"] is not None:
            scores["details_shown"] = shown["share"]
        self.judgements.write(
            item.judge_key,
            scores=scores,
            judged=list(given),
            note=verdict.note,
            **self._lost(item, answer, memory, given),
            calls=_rows(judged),
        )

    def _lost(self, item: Item, answer: Answer, memory: Memory | None, given: Mapping[str, float]) -> Record:
        job = self.job
        # The answer does not say that nothing was computed by one that computes.
        searcher = _open_searcher(job.calling, job.build_key, job.arm, item.attempt) if memory else None
        computes = bool(getattr(searcher, "computes", False))
        funnel = funnel_of(item.question, answer, memory, given, computes=computes)
        return {"lost_at": funnel.lost_at, "computation": funnel.computation}

    @property
    def _memory(self) -> Memory | None:
        job = self.job
        return _open_memory(memory_dir(job.calling.run_dir, job.build_key)) if job.stream is None else None

    @cached_property
    def _judging(self) -> Judge:
        job, registry = self.job, parts_of(self.job.calling)
        model = recorded_model(registry, job.judge_model, job.calling)
        judge: Judge = make_part(registry, "judge", job.judge, model=model)
        return judge


def answer_prompt(question: Question, answer: Answer) -> str | None:
    """The digest of the words the question was put in, without itself and its options; None when none was asked."""
    asked = next((message.content for message in answer.messages if message.role == "user"), None)
    if asked is None:
        return None
    for part in (question.text, render_options(question.options)):
        asked = asked.replace(part, "") if part else asked
    return sha256(asked.encode("utf-8", "replace")).hexdigest()[:PROMPT_DIGITS]


def _checked(scores: Mapping[str, Any]) -> Mapping[str, float]:
    for name, score in scores.items():
        if not isinstance(score, int | float) or not isfinite(score):
            raise UserError(f"gives {name} the score {score!r}, which is no number; its plugin must be mended")
    return scores


def _evidence(question: Question, answer: Answer, memory: Memory | None) -> dict[str, float]:
    """How what was served and cited bears on the gold evidence; scores that do not apply are absent."""
    if not question.answerable:  # what marks the premise of such a question is no evidence for an answer
        question = evolve(question, evidence=())
    found = {
        "evidence_recall": recall(answer.effort.served, question.evidence),
        "evidence_all": all_found(answer.effort.served, question.evidence),
    }
    scores = {name: score for name, score in found.items() if score is not None}
    return {**scores, **(citation_scores(answer, question, memory.store) if memory else {})}


def _details_shown(question: Question, answer: Answer) -> Record:
    """The share of the gold's details in what the model was shown, and the gold that it is about.

    It is worked out when the question is answered: what was shown is not kept.
    """
    text = "\n".join(message.content for message in answer.messages if message.role in ("user", "tool"))
    return {"gold": question.gold, "share": details_found(question.gold or "", question.text, text)}


def _data(answer: Answer) -> Record:
    data: Record = _converter.unstructure(evolve(answer, messages=()))
    # The exchange is large and can be had again by asking again; the answer and its effort are the result.
    del data["messages"]
    return data


def _rows(booking: Booking) -> list[Record]:
    rows: list[Record] = _converter.unstructure(booking.rows())
    return rows


_converter = make_converter()


@lru_cache(maxsize=64)
def _open_memory(path: Path) -> Memory:
    return Memory.open(path).frozen()


@lru_cache(maxsize=64)
def _open_searcher(calling: Calling, build_key: str, arm: Arm, attempt: int) -> Any:
    """The searcher of an arm; one for each memory, since its tools may keep what they know of it."""
    del build_key
    registry, factors = parts_of(calling), arm.factors
    return make_part(
        registry,
        "searcher",
        factors["searcher"],
        model=recorded_model(registry, factors["search_model"], calling, attempt=attempt),
        harness=make_part(registry, "harness", factors["harness"]),
    )
