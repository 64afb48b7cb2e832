"""What must hold of the figures whatever the rows are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import asdict, evolve
from hypothesis import given
from hypothesis import strategies as st

from memkit.runs.analysis import analyse_sheet
from memkit.runs.columns import SCORE
from memkit.runs.sheet import MEASURES, ArmRows, Design, GateRule, Sheet

PRIMARY, OTHER = "recall", "f1"
SCORES = st.sampled_from([0.0, 0.25, 0.5, 1 / 3, 1.0])


@st.composite
def arm_rows(draw: st.DrawFn, label: str, questions: Sequence[tuple[str, str, str]], attempts: int) -> ArmRows:
    """An arm on questions of (stream, name, category): some rows are missing, some scores do not apply."""
    rows: list[dict[str, Any]] = []
    for stream, name, category in questions:
        for _ in range(attempts):
            status = draw(st.sampled_from(["ok", "ok", "ok", "limit", "missing", "infra_error"]))
            there = status in ("ok", "limit")
            row = {"item": (stream, name), "category": category, "status": status}
            row[SCORE + PRIMARY] = draw(SCORES) if there else None
            row[SCORE + OTHER] = draw(SCORES) if there and category == "a" else None
            for measure in MEASURES:
                row[measure] = draw(st.integers(0, 9)) / 2 if there else None
            rows.append(row)
    return rows_of(label, rows)


def rows_of(label: str, rows: Sequence[dict[str, Any]]) -> ArmRows:
    """An arm of these rows."""
    names = [SCORE + PRIMARY, SCORE + OTHER, *MEASURES]
    return ArmRows(
        label=label,
        factors={"builder": f"builder of {label}", "harness": "center"},
        null=False,
        items=[row["item"] for row in rows],
        categories=[row["category"] for row in rows],
        statuses=[row["status"] for row in rows],
        values={name: [row[name] for row in rows] for name in names},
    )


def rows_in(arm: ArmRows) -> list[dict[str, Any]]:
    """The rows of an arm."""
    return [
        {
            "item": arm.items[place],
            "category": arm.categories[place],
            "status": arm.statuses[place],
            **{name: values[place] for name, values in arm.values.items()},
        }
        for place in range(len(arm.items))
    ]


def sheet_of(arms: Sequence[ArmRows]) -> Sheet:
    """A sheet in which every arm is compared with the first, and gated."""
    first, *others = [arm.label for arm in arms]
    gates = (GateRule(PRIMARY, first, 0.1), GateRule("rounds", first, 1.0))
    design = Design(PRIMARY, (PRIMARY, OTHER, "rounds"), first, tuple((one, first) for one in others), gates)
    return Sheet(design, {arm.label: arm for arm in arms})


@st.composite
def sheets(draw: st.DrawFn, low: int = 2) -> Sheet:
    """Two to four arms on up to four streams."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    questions = [(f"s{s}", f"q{q}", draw(st.sampled_from("ab"))) for s, size in enumerate(sizes) for q in range(size)]
    attempts = draw(st.integers(1, 2))
    number = draw(st.integers(low, 4))
    return sheet_of([draw(arm_rows(f"arm {place}", questions, attempts)) for place in range(number)])


def renamed(data: Any, name: Callable[[str], str]) -> Any:
    """`data` with every text put through `name`, keys included."""
    if isinstance(data, dict):
        return {renamed(key, name): renamed(value, name) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [renamed(value, name) for value in data]
    return name(data) if isinstance(data, str) else data


@given(sheets())
def test_renaming_labels(sheet: Sheet) -> None:
    """Other labels change the labels in the figures and nothing else."""

    def name(text: str) -> str:
        return text.replace("arm 0", "zebra").replace("arm 1", "ant")

    arms = [evolve(arm, label=name(arm.label), factors=renamed(arm.factors, name)) for arm in sheet.arms.values()]
    assert renamed(asdict(analyse_sheet(sheet)), name) == renamed(asdict(analyse_sheet(sheet_of(arms))), str)


@given(sheets(), st.randoms(use_true_random=False))
def test_row_order(sheet: Sheet, random: Any) -> None:
    """The order of the rows is in no figure."""
    arms = []
    for arm in sheet.arms.values():
        rows = rows_in(arm)
        random.shuffle(rows)
        arms.append(evolve(rows_of(arm.label, rows), factors=arm.factors))
    assert analyse_sheet(sheet) == analyse_sheet(sheet_of(arms))


@given(sheets(low=3))
def test_adding_an_arm(sheet: Sheet) -> None:
    """One arm more changes no figure of another arm, and no difference; only what is adjusted for being many."""
    *fewer, _ = sheet.arms.values()
    without, more = analyse_sheet(sheet_of(fewer)), analyse_sheet(sheet)

    assert without.arms == more.arms[:-1]
    for before, after in ((without.contrasts, more.contrasts), (without.slices, more.slices)):
        kept = [evolve(one, p_adjusted=None) for one in after if one.arm in {arm.label for arm in fewer}]
        assert [evolve(one, p_adjusted=None) for one in before] == kept
    gates = [gate for gate in more.gates if gate.arm in {arm.label for arm in fewer}]
    assert list(without.gates) == gates


@given(sheets())
def test_missing_is_never_wrong(sheet: Sheet) -> None:
    """A missing row changes no mean, interval, difference or cost: without it they are the same."""
    arms = [
        evolve(
            rows_of(arm.label, [row for row in rows_in(arm) if row["status"] in ("ok", "limit")]), factors=arm.factors
        )
        for arm in sheet.arms.values()
    ]
    whole, kept = analyse_sheet(sheet), analyse_sheet(sheet_of(arms))

    for one, other in zip(whole.arms, kept.arms, strict=True):
        assert one.scores.keys() == other.scores.keys()
        for metric, score in one.scores.items():
            same = other.scores[metric]
            assert (score.mean, score.low, score.high) == (same.mean, same.low, same.high)
            assert (1.0, same.mean, same.mean) == (same.coverage, same.worst, same.best)
        assert (one.means, one.usd_per_right) == (other.means, other.usd_per_right)
    assert [one.difference for one in whole.contrasts] == [one.difference for one in kept.contrasts]
    assert whole.leaders == kept.leaders


@given(sheets(), st.data())
def test_bounds_hold(sheet: Sheet, data: st.DataObject) -> None:
    """Whatever the missing scores turn out to be, the mean lies within the bounds."""
    before = analyse_sheet(sheet)
    arms = []
    for arm in sheet.arms.values():
        rows = rows_in(arm)
        for row in rows:
            if row[SCORE + PRIMARY] is None:
                row |= {SCORE + PRIMARY: data.draw(SCORES), "status": "ok"}
        arms.append(evolve(rows_of(arm.label, rows), factors=arm.factors))
    after = {arm.label: arm.scores[PRIMARY].mean for arm in analyse_sheet(sheet_of(arms)).arms}

    for arm in before.arms:
        if score := arm.scores.get(PRIMARY):
            assert score.worst - 1e-9 <= after[arm.label] <= score.best + 1e-9


def one_stream(scores: Sequence[float]) -> list[dict[str, Any]]:
    """Rows of one stream with these scores."""
    measures = dict.fromkeys(MEASURES, 1.0)
    return [
        {"item": ("s", f"q{n}"), "category": "a", "status": "ok", SCORE + PRIMARY: s, SCORE + OTHER: None, **measures}
        for n, s in enumerate(scores)
    ]


def test_one_stream_is_descriptive() -> None:
    """Of one stream there is a difference and a sign test over its items; no interval, no p, no gate, no winner."""
    found = analyse_sheet(sheet_of([rows_of("a", one_stream([0.0] * 6)), rows_of("b", one_stream([1.0] * 6))]))
    (contrast,) = [one for one in found.contrasts if not one.exploratory]

    assert (1.0, None, None, None) == (
        contrast.difference.mean,
        contrast.difference.low,
        contrast.p_adjusted,
        contrast.detectable,
    )
    assert 2 / 2**6 == contrast.difference.sign_p
    assert ("a", "b") == found.leaders
    assert {"inconclusive"} == {gate.verdict for gate in found.gates}
    assert None is found.assumed_detectable
    ratios = [arm.tokens_per_right for arm in found.arms]
    assert ratios[0] is None
    assert (4.0, None, None) == (ratios[1].value, ratios[1].low, ratios[1].high) if ratios[1] else False


def test_nothing_answered() -> None:
    """A run of which nothing is on record has no figures and no error."""
    unknown = dict.fromkeys((SCORE + PRIMARY, *MEASURES))
    rows = [{**row, **unknown, "status": "missing"} for row in one_stream([0.0, 1.0])]
    found = analyse_sheet(sheet_of([rows_of("a", rows), rows_of("b", rows)]))

    assert (0, (), ()) == (found.answered, found.leaders, found.contrasts)
    assert [{}, {}] == [arm.scores for arm in found.arms]
    assert found.incomplete
