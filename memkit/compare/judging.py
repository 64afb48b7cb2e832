"""The judge of a spec said by what it judges: `{correctness: llm, attribution: llm, model: provider/model}`."""

from __future__ import annotations

from typing import Any

from memkit.errors import ConfigError

BY_SCORE = frozenset({"correctness", "attribution", "model"})
OPTION = "attribution"
"""Of a judge that grades what is cited too: its option of that name says whether it does."""


def plain_judge(data: dict[str, Any], *, where: str) -> dict[str, Any]:
    """`data` with its judge, where it is said by score, as a part and its model. ConfigError when that does not fit."""
    judge = data.get("judge")
    if not isinstance(judge, dict) or "use" in judge or not judge.keys() & BY_SCORE:
        return data
    where = f"{where}: judge"
    if extra := judge.keys() - BY_SCORE:
        valid = ", ".join(sorted(BY_SCORE))
        raise ConfigError(f"unknown key {min(extra)!r}; valid keys: {valid} (or use, with, label)", where=where)
    if "correctness" not in judge:
        raise ConfigError("lacks 'correctness', the judge of answers, such as token-f1 or llm", where=where)
    part = _part(judge["correctness"])
    if OPTION in judge:
        if judge[OPTION] not in (judge["correctness"], False):
            said = f"{judge[OPTION]!r} cannot judge attribution beside {judge['correctness']!r}"
            raise ConfigError(f"{said}; name the same judge, or false", where=where)
        part["with"] = {**part.get("with", {}), OPTION: judge[OPTION] is not False}
    plain = {**data, "judge": part}
    if "model" in judge:
        if "judge_model" in data:
            raise ConfigError("names a model, and judge_model does too; leave one out", where=where)
        plain["judge_model"] = judge["model"]
    return plain


def _part(judge: Any) -> Any:
    return dict(judge) if isinstance(judge, dict) else {"use": judge}
