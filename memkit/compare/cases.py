"""The streams and questions of a comparison: what the data hold, less what `select` leaves out."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path

from attrs import evolve

from memkit.compare.spec import Data, Select, Spec
from memkit.errors import ConfigError, DataError, PluginError, UserError
from memkit.records import Case, Question
from memkit.registry import Registry


def load_cases(spec: Spec, registry: Registry, *, where: str = "") -> list[Case]:
    """Every selected stream with its selected questions; `where` names the spec.

    Raises ConfigError for data that cannot be read, for a selection of what is not there, for two streams of one name
    and when no question remains; DataError for data with two questions of one name.
    """
    cases: list[Case] = []
    for number, data in enumerate(spec.data):
        place = below(where, f"data[{number}]")
        cases += _selected(data, _load(data, registry, place), place)
    where = below(where, "data")
    if not any(case.questions for case in cases):
        raise ConfigError("the selected data hold no questions; widen select, or check the path", where=where)
    streams = [case.stream.id for case in cases]
    if name := _twice(streams):
        raise ConfigError(f"two streams are called {name!r}; select one of the data sets that hold it", where=where)
    for case in cases:
        if name := _twice([question.id for question in case.questions]):
            raise DataError(f"two questions are called {name!r}; rename one", where=f"stream {case.stream.id!r}")
    return cases


def below(where: str, path: str) -> str:
    """The place `path` in the spec that `where` names."""
    return f"{where}: {path}" if where else path


def hint(wrong: str, known: Collection[str]) -> str:
    """What may have been meant, among what there is."""
    near = get_close_matches(wrong, known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(sorted(known)) or 'none'}"


def _load(data: Data, registry: Registry, where: str) -> list[Case]:
    try:
        registry.part("dataset", data.use)
    except PluginError as error:
        raise ConfigError(str(error), where=where) from None
    dataset = registry.make("dataset", data.use, data.options, where=f"{where}.with")
    try:
        return list(dataset.load(Path(data.path) if data.path else None))
    except UserError as error:
        raise ConfigError(str(error), where=where) from None


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
