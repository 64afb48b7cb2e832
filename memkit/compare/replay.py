"""Asking a recorded question again, offline, for the exchange with its tools: a run keeps the answer alone.

The embedded model replies as it did, and a provider's calls are on record. What is missing (the data, the memory, the
record of calls) is a UserError that names it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from attrs import field, frozen

from memkit.compare.arms import Arm, make_arms, make_part
from memkit.compare.cases import load_cases
from memkit.compare.jobs import fault
from memkit.compare.load import load_spec
from memkit.compare.models import Calling, is_ours, recorded_model
from memkit.compare.nulls import NullSearcher
from memkit.compare.run import SPEC_FILE
from memkit.compare.spec import Spec, Use
from memkit.compare.units import memory_dir
from memkit.errors import UserError
from memkit.memory import MANIFEST_NAME, Memory
from memkit.plugins import build_registry
from memkit.records import Answer, Case, Question
from memkit.registry import Registry

CALLS_FILE = "calls.db"


@frozen
class Replay:
    """A run whose questions can be asked again; opened once for any number of them."""

    directory: Path
    spec: Spec = field(repr=False)
    registry: Registry = field(repr=False)
    arms: Mapping[str, Arm] = field(repr=False)
    cases: Mapping[str, Case] = field(repr=False)

    def ask(self, arm: str, stream: str, question: str, attempt: int = 0, *, build_key: str = "") -> Answer:
        """The answer with its messages. `build_key` names the memory it was answered from; a null row has none.

        Whether it is the answer on record is for the caller to see: code may have changed since. UserError when it
        cannot be asked.
        """
        found, case = self.arms.get(arm), self.cases.get(stream)
        if found is None:
            raise UserError(f"no arm of {self.directory} is labelled {arm!r} any more; run the comparison again")
        asked = next((one for one in case.questions if one.id == question), None) if case else None
        if case is None or asked is None:
            raise UserError(f"the data of {self.directory} hold no question {question!r} of {stream!r} any more")
        try:
            return asyncio.run(self._ask(found, case, asked, attempt, build_key))
        except Exception as error:  # noqa: BLE001 - a plugin may raise anything
            raise UserError(f"{arm}, {question}: {fault(error)}") from None

    async def _ask(self, arm: Arm, case: Case, question: Question, attempt: int, build_key: str) -> Answer:
        model = self._model(arm.factors.get("search_model") or self.spec.factors.models.search[0], attempt)
        if arm.null:
            tokens = self.spec.nulls.long_context_tokens
            return await NullSearcher(arm.null, model, case.stream, tokens).answer(question)
        memory = _open_memory(memory_dir(self.directory, build_key))
        harness = make_part(self.registry, "harness", arm.factors["harness"])
        searcher = make_part(self.registry, "searcher", arm.factors["searcher"], model=model, harness=harness)
        answer: Answer = await searcher.answer(memory, question)
        return answer

    def _model(self, use: Use, attempt: int) -> Any:
        if not is_ours(use) and not (self.directory / CALLS_FILE).is_file():
            raise UserError(f"the record of calls, {self.directory / CALLS_FILE}, is gone")
        return recorded_model(self.registry, use, Calling(self.directory, offline=True), attempt=attempt)


def open_replay(directory: Path) -> Replay:
    """The run in `directory` with the data its spec names, whose paths are relative to the working directory.

    Raises UserError when they are gone, or name what is not installed.
    """
    spec, registry = load_spec(directory / SPEC_FILE), build_registry()
    arms, _ = make_arms(spec, registry)
    cases = load_cases(spec, registry)
    return Replay(directory, spec, registry, {arm.label: arm for arm in arms}, {case.stream.id: case for case in cases})


@cache
def _open_memory(path: Path) -> Memory:
    if not (path / MANIFEST_NAME).is_file():
        raise UserError(f"the memory {path} is gone; run the comparison again, which builds it")
    return Memory.open(path).frozen()
