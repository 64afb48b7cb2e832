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
from memkit.compare.arms import Arm, make_model, make_part
from memkit.compare.effort import effort_columns
from memkit.compare.nulls import NullSearcher
from memkit.compare.plan import Item
from memkit.compare.spec import Use
from memkit.compare.units import Record, UnitLog, memory_dir
from memkit.contracts import Judge
from memkit.converter import make_converter
from memkit.errors import MemkitError, UserError
from memkit.memory import Memory
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
    run_dir: Path
    key: str
    arm: Arm = field(repr=False)
    stream: Stream = field(repr=False)

    def run(self) -> Errors:
        """Build in a staging folder and move it into place whole."""
        target = memory_dir(self.run_dir, self.key)
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
        asyncio.run(build(memory, builder, self.stream.units, on_receipt=keep))
        sizes = [entry.size for entry in memory.store.entries() if not entry.is_dir]
        # The record comes first: a memory without one would be a memory without a size in the table.
        with UnitLog(self.run_dir / "units").writer("build") as log:
            log.write(
                self.key,
                stream=self.stream.id,
                seconds=perf_counter() - started,
                files=len(sizes),
                bytes=sum(sizes),
                refused=[receipt.reason for receipt in receipts if receipt.status != "stored"],
            )
        staging.rename(target)

    def _start(self, staging: Path) -> tuple[Memory, Any]:
        registry, use = _registry(), self.arm.factors["builder"]
        manager = make_model(registry, self.arm.factors["manage_model"])
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
        )
        return memory, builder


@frozen
class AnswerJob:
    """Answer and judge some questions of one cell.

    `known` holds recorded answers that were not judged yet, by key; `stream` is there for null rows only.
    """

    id: str
    run_dir: Path
    arm: Arm = field(repr=False)
    build_key: str
    items: tuple[Item, ...] = field(repr=False)
    known: Mapping[str, Record] = field(repr=False)
    judge: Use
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
        log, errors = UnitLog(self.run_dir / "units"), []
        memory, ask = self._open()
        judge: Judge = make_part(_registry(), "judge", self.judge)
        with log.writer("answer") as answers, log.writer("judge") as judgements:
            for item in self.items:
                record = self.known.get(item.answer_key)
                try:
                    given = _answer(record) if record else await ask(item.question)
                except Exception as error:  # noqa: BLE001 - a plugin may raise anything
                    errors.append(f"{self.id}, {item.question.id}: {fault(error)}")
                    continue
                if record is None:
                    answers.write(item.answer_key, effort=effort_columns(given.effort), answer=_data(given))
                try:
                    verdict = await judge.judge(item.question, given, memory)
                    scores = {**_checked(verdict.scores), **_evidence(item.question, given, memory)}
                except Exception as error:  # noqa: BLE001 - a plugin may raise anything
                    errors.append(f"{self.id}, {item.question.id}: judge {self.judge.shown}: {fault(error)}")
                    continue
                judgements.write(item.judge_key, scores=scores, note=verdict.note)
        return errors

    def _open(self) -> tuple[Memory | None, Callable[[Question], Awaitable[Answer]]]:
        """The memory, where there is one, and what answers a question."""
        if self.stream is not None:
            model = make_model(_registry(), self.search_model)
            return None, NullSearcher(self.arm.null, model, self.stream, self.null_tokens).answer
        path = memory_dir(self.run_dir, self.build_key)
        memory, searcher = _open_memory(path), _open_searcher(path, self.arm)

        async def ask(question: Question) -> Answer:
            answer: Answer = await searcher.answer(memory, question)
            return answer

        return memory, ask


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


def _data(answer: Answer) -> Record:
    data: Record = _converter.unstructure(evolve(answer, messages=()))
    # The exchange is large and can be had again by asking again; the answer and its effort are the result.
    del data["messages"]
    return data


def _answer(record: Record) -> Answer:
    return _converter.structure(record["answer"], Answer)


_converter = make_converter()


@cache
def _registry() -> Registry:
    return build_registry()


@lru_cache(maxsize=64)
def _open_memory(path: Path) -> Memory:
    return Memory.open(path).frozen()


@lru_cache(maxsize=64)
def _open_searcher(path: Path, arm: Arm) -> Any:
    """The searcher of an arm; one for each memory, since its tools may keep what they know of it."""
    del path
    registry, factors = _registry(), arm.factors
    return make_part(
        registry,
        "searcher",
        factors["searcher"],
        model=make_model(registry, factors["search_model"]),
        harness=make_part(registry, "harness", factors["harness"]),
    )
