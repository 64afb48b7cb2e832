"""The streams and questions of a comparison: what the data hold, less what `select` leaves out."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path

from attrs import evolve

from memkit.compare.spec import Data, Select, Spec
from memkit.errors import ConfigError, DataError, UserError
from memkit.records import Case, Question
from memkit.registry import Registry


def load_cases(spec: Spec, registry: Registry) -> list[Case]:
    """Every selected stream with its selected questions.

    Raises ConfigError for a selection of what is not there, DataError for data with two streams or questions of one
    name, UserError when no question remains.
    """
    cases: list[Case] = []
    for number, data in enumerate(spec.data):
        where = f"data[{number}]"
        dataset = registry.make("dataset", data.use, data.options, where=f"{where}.with")
        cases += _selected(data, list(dataset.load(Path(data.path) if data.path else None)), where)
    if not any(case.questions for case in cases):
        raise UserError("the selected data hold no questions; widen select, or check the path")
    streams = [case.stream.id for case in cases]
    if name := _twice(streams):
        raise DataError(f"two streams are called {name!r}; select one of the data sets that hold it", where="data")
    for case in cases:
        if name := _twice([question.id for question in case.questions]):
            raise DataError(f"two questions are called {name!r}; rename one", where=f"stream {case.stream.id!r}")
    return cases


def hint(wrong: str, known: Collection[str]) -> str:
    """What may have been meant, among what there is."""
    near = get_close_matches(wrong, known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(sorted(known)) or 'none'}"


def _selected(data: Data, cases: Sequence[Case], where: str) -> Iterator[Case]:
    select = data.select
    _check(select.streams, {case.stream.id for case in cases}, f"{where}.select.streams", "stream")
    chosen = [case for case in cases if select.streams is None or case.stream.id in select.streams]
    categories = {question.category for case in chosen for question in case.questions}
    _check(select.categories, categories, f"{where}.select.categories", "category")
    for case in chosen:
        yield evolve(case, questions=tuple(_questions(select, case)))


def _check(wanted: Sequence[str] | None, known: Collection[str], where: str, what: str) -> None:
    for name in wanted or ():
        if name not in known:
            raise ConfigError(f"no {what} is called {name!r}; {hint(name, known)}", where=where)


def _questions(select: Select, case: Case) -> list[Question]:
    fitting = [one for one in case.questions if select.categories is None or one.category in select.categories]
    if select.limit is None or len(fitting) <= select.limit:
        return fitting
    chosen = random.Random(f"{select.seed}:{case.stream.id}").sample(range(len(fitting)), select.limit)
    return [fitting[number] for number in sorted(chosen)]


def _twice(names: Sequence[str]) -> str | None:
    return next((name for number, name in enumerate(names) if name in set(names[:number])), None)
