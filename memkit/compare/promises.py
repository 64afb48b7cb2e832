"""What a spec declares about its arms must fit them; that is known before anything is run, or paid for."""

from __future__ import annotations

from collections.abc import Sequence

from memkit.compare.arms import Arm
from memkit.compare.cases import below, hint
from memkit.compare.spec import FACTORS, Spec
from memkit.errors import ConfigError


def check_gates(spec: Spec, arms: Sequence[Arm], *, where: str = "") -> None:
    """ConfigError for a gate against an arm that there is not."""
    labels = {arm.label for arm in arms}
    for number, gate in enumerate(spec.gate):
        if gate.vs != "baseline" and gate.vs not in labels:
            message = f"no arm is labelled {gate.vs!r}; {hint(gate.vs, {'baseline', *labels})}"
            raise ConfigError(message, where=below(where, f"gate[{number}].vs"))


def check_held(spec: Spec, arms: Sequence[Arm], *, where: str = "") -> None:
    """ConfigError for a factor that is held equal and varied."""
    for number, name in enumerate(spec.hold_equal):
        if name not in (*FACTORS, "sandbox"):
            continue
        values = dict.fromkeys(arm.shown.get(name, "none") for arm in arms if not arm.null)
        if len(values) > 1:
            raise ConfigError(
                f"the arms differ in {name} ({', '.join(values)}); hold something else equal, or leave all but one out",
                where=below(where, f"hold_equal[{number}]"),
            )
