"""The arms of a comparison: every combination of factors, less those left out or whose parts do not fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from attrs import evolve, field, frozen

from memkit.compare.cases import below, hint
from memkit.compare.spec import FACTORS, PLACES, Factor, Factors, Spec, Use
from memkit.contracts import Builder, Model
from memkit.errors import ConfigError
from memkit.models import open_model
from memkit.records import STORELESS, Layout
from memkit.registry import Kind, Registry

NO_STORE = Use("none")
"""The harness of a memory without a store, whatever harnesses are compared: none of them could reach it."""


@frozen
class Arm:
    """One combination of factors; or, when `null` is set, one of the rows that use no memory."""

    factors: Mapping[str, Use] = field(eq=False, hash=False)
    label: str
    null: str = ""
    sandbox: str = ""
    """The level at which its harness runs a model's commands; empty where it runs none."""
    memoryless: bool = False
    """Whether its builder makes nothing to answer from."""

    @property
    def shown(self) -> dict[str, str]:
        """Factor -> label, as results and exclusions name it; and the level of the sandbox where there is one."""
        labels = {name: use.shown for name, use in self.factors.items()}
        return {**labels, "sandbox": self.sandbox} if self.sandbox else labels


@frozen
class Excluded:
    """A combination left out, and why."""

    label: str
    reason: str


def make_arms(spec: Spec, registry: Registry, *, where: str = "") -> tuple[tuple[Arm, ...], tuple[Excluded, ...]]:
    """The arms, null rows last, and what is left out; `where` names the spec.

    Where nothing takes tools, or there is no store to reach with them, there is one arm, under the harness `NO_STORE`,
    and not one for each harness. Raises ConfigError when labels clash, when nothing fits together, and when a
    combination that `include` names does not.
    """
    labels = _labels(spec.factors, where)
    for name in ("include", "exclude"):
        for number, rule in enumerate(getattr(spec.matrix, name)):
            _check(rule, labels, below(where, f"matrix.{name}[{number}]"))
    arms: list[Arm] = []
    left_out: list[tuple[Arm, str]] = []
    for arm in _product(spec.factors, registry):
        if spec.matrix.include and not _matches(arm, spec.matrix.include):
            continue
        if reason := "excluded by the spec" if _matches(arm, spec.matrix.exclude) else _misfit(arm, registry):
            left_out.append((arm, reason))
        else:
            memoryless = _builder(arm.factors, registry).layout == "none"
            arms.append(evolve(arm, sandbox=_sandbox(arm, registry), memoryless=memoryless))
    for number, rule in enumerate(spec.matrix.include):
        if not any(_matches(arm, [rule]) for arm in arms):
            raise ConfigError(_nothing_fits(rule, left_out), where=below(where, f"matrix.include[{number}]"))
    if not arms:
        raise ConfigError(_nothing_fits({}, left_out), where=below(where, "factors"))
    nulls = (Arm({}, row, row) for row in spec.nulls.rows)
    return (*arms, *nulls), tuple(Excluded(arm.label, reason) for arm, reason in left_out)


def _nothing_fits(rule: Mapping[str, str], left_out: Sequence[tuple[Arm, str]]) -> str:
    reasons = "; ".join(f"{arm.label}: {reason}" for arm, reason in left_out if _matches(arm, [rule]))
    return f"no combination of these parts fits together ({reasons or 'there is none'}); choose others"


def baseline(spec: Spec, arms: Sequence[Arm], *, where: str = "") -> Arm:
    """The first arm with the labels the spec's baseline names; ConfigError when there is none."""
    where = below(where, "baseline")
    if spec.baseline:
        _check(spec.baseline, _labels(spec.factors, where), where)
    for arm in arms:
        if not arm.null and spec.baseline.items() <= arm.shown.items():
            return arm
    raise ConfigError("no arm has these labels; name one that is not left out", where=where)


def make_part(registry: Registry, kind: Kind, use: Use, **chosen: Any) -> Any:
    """The part a `Use` names, with its options."""
    return registry.make(kind, use.use, use.options, where=f"{kind} {use.shown}", **chosen)


def make_model(registry: Registry, use: Use) -> Model:
    """The model a `Use` names; its calls are not recorded."""
    return open_model(registry, use.use, use.options, where=f"model {use.shown}")


def uses_of(factors: Factors) -> dict[Factor, list[Use]]:
    """Factor -> its values."""
    models = factors.models
    uses = (factors.builder, factors.harness, factors.searcher, models.search, models.manage)
    return dict(zip(FACTORS, uses, strict=True))


def _matches(arm: Arm, rules: Sequence[Mapping[str, str]]) -> bool:
    return any(rule.items() <= arm.shown.items() for rule in rules)


def _labels(factors: Factors, where: str) -> dict[str, list[str]]:
    """Factor -> the labels of its values; ConfigError when two are the same, since tables would mix them up."""
    labels: dict[str, list[str]] = {}
    for name, uses in uses_of(factors).items():
        shown = labels[name] = [use.shown for use in uses]
        for number, label in enumerate(shown):
            if label in shown[:number]:
                place = below(where, PLACES[name])
                raise ConfigError(f"two values are called {label!r}; give one a label", where=f"{place}[{number}]")
    return labels


def _check(rule: Mapping[str, str], labels: Mapping[str, Sequence[str]], where: str) -> None:
    """ConfigError unless `rule` maps factors to labels they have."""
    if not rule:
        raise ConfigError("names no factor; write a map such as {builder: verbatim}", where=where)
    for factor, label in rule.items():
        if factor not in labels:
            raise ConfigError(f"no factor is called {factor!r}; {hint(factor, labels)}", where=where)
        if label not in labels[factor]:
            raise ConfigError(f"no {factor} is labelled {label!r}; {hint(label, labels[factor])}", where=where)


def _product(factors: Factors, registry: Registry) -> Iterator[Arm]:
    """Every combination, each once: those that need no harness do not differ in it."""
    uses = uses_of(factors)
    named = [name for name in FACTORS if len(uses[name]) > 1 or name in ("builder", "harness")]
    chosen: list[dict[str, Use]] = [{}]
    for name in FACTORS:
        chosen = [{**one, name: use} for one in chosen for use in uses[name]]
    formed = {}
    for one in chosen:
        use = {**one, "harness": NO_STORE} if _needs_no_harness(one, registry) else one
        formed[tuple(part.shown for part in use.values())] = use
    for use in formed.values():
        yield Arm(use, " / ".join(use[name].shown for name in named))


def _needs_no_harness(use: Mapping[str, Use], registry: Registry) -> bool:
    """Whether there is no store to reach, or neither builder nor searcher takes tools to reach it with."""
    if NO_STORE.use not in registry.names("harness"):  # the plugins were narrowed
        return False
    kinds: tuple[Kind, ...] = ("builder", "searcher")
    takes = any("harness" in registry.part(kind, use[kind].use).wants for kind in kinds)
    return not takes or _builder(use, registry).layout in STORELESS


def _builder(use: Mapping[str, Use], registry: Registry) -> Builder:
    manager = make_model(registry, use["manage_model"])
    harness = make_part(registry, "harness", use["harness"])
    builder: Builder = make_part(registry, "builder", use["builder"], model=manager, harness=harness)
    return builder


def _sandbox(arm: Arm, registry: Registry) -> str:
    """The level of its harness or searcher, whichever runs what a model writes."""
    harness = make_part(registry, "harness", arm.factors["harness"])
    model = make_model(registry, arm.factors["search_model"])
    searcher = make_part(registry, "searcher", arm.factors["searcher"], model=model, harness=harness)
    return str(getattr(harness, "level", "") or getattr(searcher, "level", ""))


def _misfit(arm: Arm, registry: Registry) -> str | None:
    """Why the arm's parts do not go together; errors in names and options are raised."""
    use = arm.factors
    model = make_model(registry, use["search_model"])
    harness = make_part(registry, "harness", use["harness"])
    make_part(registry, "searcher", use["searcher"], model=model, harness=harness)
    builder = _builder(use, registry)
    if builder.layout not in get_args(Layout):
        return f"the builder's layout {builder.layout!r} is none of {', '.join(get_args(Layout))}"
    reason = registry.search_misfit(use["searcher"].use, harness, builder.layout)
    if reason is None and "harness" in registry.part("builder", use["builder"].use).wants:
        reason = harness.misfit("manage", builder.layout)
    return reason
