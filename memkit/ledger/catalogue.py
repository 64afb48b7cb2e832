"""What a ledger holds, in its own words: what a plan's terms are chosen from (ledger paper, section 5)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping

from attrs import field, frozen

from memkit.converter import make_converter
from memkit.errors import DataError
from memkit.ledger.row import OUTCOMES, Outcome, Row

TARGETS = 40
CHANGE_PROPERTIES = 20
"""How many targets and change properties are listed, the most frequent first (ledger paper, appendix C)."""


@frozen
class Catalogue:
    """Tools, acts and targets with how many rows have them; the most frequent first, equals in order of appearance.

    `acts` are by tool. `properties` are the last parts of the changed `object.property` names. `numbers` gives the
    least and the greatest value of each. `steps` and `times` are the first and last, None and empty where there are
    none.
    """

    rows: int = 0
    tools: Mapping[str, int] = field(factory=dict)
    acts: Mapping[str, Mapping[str, int]] = field(factory=dict)
    targets: Mapping[str, int] = field(factory=dict)
    properties: Mapping[str, int] = field(factory=dict)
    outcomes: Mapping[Outcome, int] = field(factory=dict)
    numbers: Mapping[str, tuple[float, float]] = field(factory=dict)
    steps: tuple[int, int] | None = None
    times: tuple[str, str] | None = None

    @classmethod
    def of(cls, rows: Iterable[Row]) -> Catalogue:
        """The catalogue of a ledger, in one pass."""
        tools: Counter[str] = Counter()
        acts: dict[str, Counter[str]] = {}
        targets: Counter[str] = Counter()
        properties: Counter[str] = Counter()
        outcomes: Counter[Outcome] = Counter()
        numbers: dict[str, tuple[float, float]] = {}
        steps: list[int] = []
        times: list[str] = []
        for row in rows:
            outcomes[row.outcome] += 1
            if row.tool:
                tools[row.tool] += 1
            if row.act:
                acts.setdefault(row.tool, Counter())[row.act] += 1
            targets.update(row.targets)
            properties.update([change.name.rpartition(".")[2] for change in row.changes])
            for name, value in row.numbers.items():
                low, high = numbers.get(name, (value, value))
                numbers[name] = (min(low, value), max(high, value))
            _widen(steps, row.step)
            if row.time:
                _widen(times, row.time)
        return cls(
            rows=outcomes.total(),
            tools=dict(tools.most_common()),
            acts={tool: dict(acts[tool].most_common()) for tool in tools if tool in acts},
            targets=dict(targets.most_common(TARGETS)),
            properties=dict(properties.most_common(CHANGE_PROPERTIES)),
            outcomes={outcome: outcomes[outcome] for outcome in OUTCOMES if outcomes[outcome]},
            numbers=numbers,
            steps=(steps[0], steps[1]) if steps else None,
            times=(times[0], times[1]) if times else None,
        )

    def to_json(self) -> str:
        """One line of JSON, as a prompt gives it to a model."""
        return json.dumps(_converter.unstructure(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> Catalogue:
        """What `to_json` wrote; DataError for anything else."""
        try:
            return _converter.structure(json.loads(text), cls)
        except Exception as error:
            raise DataError(f"this is no catalogue ({type(error).__name__}); give what to_json wrote") from error


_converter = make_converter()


def _widen(ends: list, value: object) -> None:  # type: ignore[type-arg]
    if not ends:
        ends += [value, value]
    ends[0], ends[1] = min(ends[0], value), max(ends[1], value)
