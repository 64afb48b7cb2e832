"""A dry run: what a comparison would do and cost, found out with as few calls as that takes, or none."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import evolve

from memkit.accounting.prices import load_prices
from memkit.compare.arms import Arm, make_part
from memkit.compare.comparison import run_directory
from memkit.compare.forecast import SAMPLE, Forecast, Forecaster, Rehearsal, stream_sizes
from memkit.compare.models import Calling, check_priced, is_ours
from memkit.compare.plan import Cell, Plan, make_cells, make_plan
from memkit.compare.run import Run
from memkit.compare.spec import EXTRACTIVE, Budget, Errors, Models, Spec, Use
from memkit.compare.units import Records, UnitLog
from memkit.plugins import build_registry


def dry_run(
    spec: Spec,
    *,
    runs: Path = Path("runs"),
    runner: Use = Use("local"),
    offline: bool = False,
    pilot: bool = True,
    prices: Path | None = None,
    accept_unsandboxed: bool = False,
    where: str = "",
) -> Forecast:
    """What running `spec` would do, reuse and cost.

    Where models are asked that are not memkit's own, each arm is rehearsed on `SAMPLE` questions of the shortest
    stream with the embedded model in their place, at no cost and in a folder that is thrown away. Where their prices
    are known, a pilot asks the models themselves instead; that is recorded in the run directory, and the run does not
    do it again. No model is asked when all are ours, when `offline`, or without `pilot`. Raises UserError like a run.
    """
    registry = build_registry(accept_unsandboxed=accept_unsandboxed)
    table = load_prices(prices)
    plan = make_plan(spec, registry, where=where)
    check_priced(spec, registry, table, where=where)
    directory, sizes = run_directory(spec, runs), stream_sizes(plan.cells)
    caster = Forecaster(plan, registry, table, directory, sizes)
    said = ""
    lacking = caster.lacking()
    priced = [place for place in lacking if _is_priced(caster, place)]
    stream = _shortest(plan, sizes)
    if pilot and not offline and priced:
        calling = Calling(directory, offline, accept_unsandboxed, spec.budget, prices)
        part = evolve(plan, cells=_few(plan, priced, stream))
        done = Run(part, make_part(registry, "runner", runner), registry, calling).execute()
        said = _told(part, stream, done.built, done.answered, directory, done.errors)
        lacking = caster.lacking()
    return caster.forecast(_rehearse(caster, lacking, stream, accept_unsandboxed=accept_unsandboxed), said)


def _is_priced(caster: Forecaster, place: int) -> bool:
    models = caster.models(caster.plan.arms[place], asked=True).values()
    return all(is_ours(use) or caster.prices.price(use.use) is not None for use in models)


def _shortest(plan: Plan, sizes: dict[str, int]) -> str:
    asked = {cell.case.stream.id for cell in plan.cells if len(cell.items) >= SAMPLE}
    return min(asked or sizes, key=lambda stream: (sizes[stream], stream))


def _few(plan: Plan, places: Collection[int], stream: str) -> tuple[Cell, ...]:
    """The first questions on one stream of the arms at those places."""
    arms = [plan.arms[place] for place in places]
    return tuple(
        evolve(cell, items=cell.items[: SAMPLE * plan.spec.attempts : plan.spec.attempts])
        for cell in plan.cells
        if cell.case.stream.id == stream and any(cell.arm is arm for arm in arms)
    )


def _rehearse(caster: Forecaster, places: Sequence[int], stream: str, *, accept_unsandboxed: bool) -> Rehearsal | None:
    """The arms at those places with the embedded model in place of every other."""
    if not places:
        return None
    plan, registry = caster.plan, caster.registry
    spec, arms = _embedded(plan.spec), tuple(map(_embedded_arm, plan.arms))
    cases = {cell.case.stream.id: cell.case for cell in plan.cells}
    cells = make_cells(spec, registry, arms, [cases[stream]])
    played = evolve(plan, spec=spec, arms=arms, cells=cells, baseline=arms[0])
    played = evolve(played, cells=_few(played, places, stream))
    with TemporaryDirectory(prefix="memkit-rehearsal-") as folder:
        run_dir = Path(folder) / "run"
        calling = Calling(run_dir, accept_unsandboxed=accept_unsandboxed)
        Run(played, make_part(registry, "runner", Use("local", {"workers": 0})), registry, calling).execute()
        records: Records = UnitLog(run_dir / "units").load()
    return Rehearsal(played, records)


def _embedded(spec: Spec) -> Spec:
    """The spec with the embedded model for every other, and no bounds: it costs nothing."""
    model = Use(EXTRACTIVE)
    factors = evolve(spec.factors, models=Models([model], [model]))
    return evolve(spec, factors=factors, judge_model=model, budget=Budget(), errors=Errors())


def _embedded_arm(arm: Arm) -> Arm:
    models = dict.fromkeys(("search_model", "manage_model"), Use(EXTRACTIVE))
    return arm if arm.null else evolve(arm, factors={**arm.factors, **models})


def _told(part: Plan, stream: str, built: int, answered: int, directory: Path, errors: Sequence[str]) -> str:
    asked = len({item.question.id for cell in part.cells for item in cell.items})
    failed = f"; {len(errors)} failed: {errors[0]}" if errors else ""
    return (
        f"a pilot asked {asked} questions of the stream {stream} under {len(part.cells)} arms: {built} builds and"
        f" {answered} answers, recorded in {directory}, which the run will not do again{failed}"
    )
