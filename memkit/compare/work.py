"""The jobs of a comparison: picklable, so that a runner can do them in any process.

What a job opens (plugins, memories, tools) is kept for the next job of the same process. Whatever a part raises is
an error text of that unit alone; the job goes on with the next.
"""

from __future__ import annotations

import asyncio
import shutil
import traceback
from collections.abc import Awaitable, Callable, Mapping
from functools import cache, lru_cache
from math import isfinite
from pathlib import Path
from time import perf_counter
from typing import Any, TypeAlias
from uuid import uuid4

from attrs import evolve, field, frozen

from memkit.build import build
from memkit.calls.booking import Booking, book_calls
from memkit.compare.arms import Arm, make_part
from memkit.compare.builds import build_columns
from memkit.compare.effort import effort_columns
from memkit.compare.models import Calling, recorded_model
from memkit.compare.nulls import NullSearcher
from memkit.compare.plan import Item
from memkit.compare.recorded import answer_of
from memkit.compare.spec import Use
from memkit.compare.units import Record, UnitLog, memory_dir
from memkit.contracts import Judge
from memkit.converter import make_converter
from memkit.errors import MemkitError, UserError
from memkit.memory import Memory
from memkit.metrics.details import details_found
from memkit.metrics.evidence import all_found, citation_scores, recall
from memkit.plugins import build_registry
from memkit.records import Answer, Question, Receipt, Stream, Unit
from memkit.registry import Registry

Errors: TypeAlias = list[str]
"""What a job returns: a sentence for each unit that failed."""


@frozen
class BuildJob:
    """Build the memory `key` from a stream."""

    id: str
    calling: Calling
    key: str
    arm: Arm = field(repr=False)
    stream: Stream = field(repr=False)

    def run(self) -> Errors:
        """Build in a staging folder and move it into place whole."""
        target = memory_dir(self.calling.run_dir, self.key)
        staging = target.with_name(f".{target.name}-{uuid4().hex}")
        try:
            self._build(staging, target)
        except Exception as error:  # noqa: BLE001 - a plugin may raise anything
            return [f"{self.id}: {fault(error)}"]
        finally:
            shutil.rmtree(staging, ignore_errors=True)
        return []

    def _build(self, staging: Path, target: Path) -> None:
        started = perf_counter()
        receipts: list[Receipt] = []

        def keep(_: Unit, receipt: Receipt) -> None:
            receipts.append(receipt)

        memory, builder = self._start(staging)
        with book_calls() as booking:
            asyncio.run(build(memory, builder, self.stream.units, on_receipt=keep))
        seconds = perf_counter() - started
        # The record comes first: a memory without one would be a memory without a size in the table.
        with UnitLog(self.calling.run_dir / "units").writer("build") as log:
            log.write(
                self.key,
                stream=self.stream.id,
                seconds=seconds,
                **build_columns(memory),
                refused=[receipt.reason for receipt in receipts if receipt.status != "stored"],
                calls=_rows(booking),
            )
        staging.rename(target)

    def _start(self, staging: Path) -> tuple[Memory, Any]:
        registry, use = _parts(self.calling), self.arm.factors["builder"]
        manager = recorded_model(registry, self.arm.factors["manage_model"], self.calling)
        harness = make_part(registry, "harness", self.arm.factors["harness"])
        builder = make_part(registry, "builder", use, model=manager, harness=harness)
        source = registry.part("builder", use.use).source
        memory = Memory.create(
            staging,
            builder=use.use,
            plugin=f"{source.distribution} {source.version}",
            layout=builder.layout,
            options=use.options,
            stream=self.stream.id,
            task=self.stream.task,
        )
        return memory, builder


@frozen
class AnswerJob:
    """Answer and judge some questions of one cell.

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

    def run(self) -> Errors:
        """Record each answer and each judgement as it is done."""
        try:
            return asyncio.run(self._run())
        except Exception as error:  # noqa: BLE001 - a plugin may raise anything
            return [f"{self.id}: {fault(error)}"]

    async def _run(self) -> Errors:
        log, errors = UnitLog(self.calling.run_dir / "units"), []
        memory = _open_memory(memory_dir(self.calling.run_dir, self.build_key)) if self.stream is None else None
        judge_model = recorded_model(_parts(self.calling), self.judge_model, self.calling)
        judge: Judge = make_part(_parts(self.calling), "judge", self.judge, model=judge_model)
        ask = self._asker(memory)
        with log.writer("answer") as answers, log.writer("judge") as judgements:
            for item in self.items:
                record = self.known.get(item.answer_key)
                try:
                    with book_calls() as asked:
                        given = answer_of(record) if record else await ask(item)
                except Exception as error:  # noqa: BLE001 - a plugin may raise anything
                    errors.append(f"{self.id}, {item.question.id}: {fault(error)}")
                    continue
                if record is None:
                    effort, shown = effort_columns(given.effort), _details_shown(item.question, given)
                    answers.write(
                        item.answer_key,
                        question=item.question.id,
                        memory=self.build_key,
                        effort=effort,
                        answer=_data(given),
                        shown=shown,
                        calls=_rows(asked),
                    )
                else:
                    shown = record["shown"]
                try:
                    with book_calls() as judged:
                        verdict = await judge.judge(item.question, given, memory)
                    given_scores = _checked(verdict.scores)
                    scores = {**given_scores, **_evidence(item.question, given, memory)}
                    if shown["gold"] == item.question.gold and shown["share"] is not None:
                        scores["details_shown"] = shown["share"]
                except Exception as error:  # noqa: BLE001 - a plugin may raise anything
                    errors.append(f"{self.id}, {item.question.id}: judge {self.judge.shown}: {fault(error)}")
                    continue
                judgements.write(
                    item.judge_key,
                    scores=scores,
                    judged=list(given_scores),
                    note=verdict.note,
                    calls=_rows(judged),
                )
        return errors

    def _asker(self, memory: Memory | None) -> Callable[[Item], Awaitable[Answer]]:
        """What answers an item, from the memory or, in a null row, from the stream."""
        stream = self.stream
        if stream is None:
            return lambda item: _open_searcher(self.calling, self.build_key, self.arm, item.attempt).answer(
                memory, item.question
            )

        @cache  # one for each attempt of the job: it keeps the text that all questions are asked with
        def null(attempt: int) -> NullSearcher:
            model = recorded_model(_parts(self.calling), self.search_model, self.calling, attempt=attempt)
            return NullSearcher(self.arm.null, model, stream, self.null_tokens)

        return lambda item: null(item.attempt).answer(item.question)


def fault(error: Exception) -> str:
    """What went wrong, in one sentence, with the place when it is a bug."""
    if isinstance(error, MemkitError):
        return str(error)
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({place.filename}:{place.lineno}; a bug of that part)"


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


@cache
def _registry(*, accept_unsandboxed: bool) -> Registry:
    return build_registry(accept_unsandboxed=accept_unsandboxed)


def _parts(calling: Calling) -> Registry:
    return _registry(accept_unsandboxed=calling.accept_unsandboxed)


@lru_cache(maxsize=64)
def _open_memory(path: Path) -> Memory:
    return Memory.open(path).frozen()


@lru_cache(maxsize=64)
def _open_searcher(calling: Calling, build_key: str, arm: Arm, attempt: int) -> Any:
    """The searcher of an arm; one for each memory, since its tools may keep what they know of it."""
    del build_key
    registry, factors = _parts(calling), arm.factors
    return make_part(
        registry,
        "searcher",
        factors["searcher"],
        model=recorded_model(registry, factors["search_model"], calling, attempt=attempt),
        harness=make_part(registry, "harness", factors["harness"]),
    )
