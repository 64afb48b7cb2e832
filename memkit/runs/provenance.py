"""What a run was made with: versions, code, prompts, prices, and the state of the user's repository."""

from __future__ import annotations

import platform
import subprocess
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from memkit.accounting.prices import PriceTable
from memkit.compare.arms import Arm
from memkit.compare.keys import core_digest, part_identity, prompts_dir
from memkit.compare.plan import Plan
from memkit.compare.spec import Use, digest_of
from memkit.errors import PluginError
from memkit.plugins import build_registry
from memkit.registry import Kind, Registry

SCHEMA = 1
"""Of `lock.json`."""
SHOWN_DIGITS = 12
"""Of a digest: enough to tell code apart, short enough to read."""
GIT_SECONDS = 5.0
_KINDS: dict[str, Kind] = {
    "builder": "builder",
    "harness": "harness",
    "searcher": "searcher",
    "search_model": "model",
    "manage_model": "model",
}


def provenance(plan: Plan, prices: PriceTable) -> dict[str, Any]:
    """What `lock.json` says. Versions and digests are those of this process, which did or read the work."""
    registry = build_registry()
    questions = sorted({(c.case.stream.id, i.question.id, i.question.text) for c in plan.cells for i in c.items})
    return {
        "schema": SCHEMA,
        "memkit": version("agent-memkit"),
        "code": _core(),
        "prompts": _prompts(),
        "parts": dict(sorted(_parts(plan, registry).items())),
        "prices": prices.version,
        "seed": plan.spec.seed,
        "questions": digest_of(questions)[:SHOWN_DIGITS],
        "python": platform.python_version(),
        "platform": platform.platform(),
        "git": _git(),
    }


@cache
def _core() -> str:
    return core_digest()[:SHOWN_DIGITS]


@cache
def _prompts() -> dict[str, str]:
    """The digest of each prompt file by name."""
    root = prompts_dir()
    files = sorted(root.rglob("*.md"))
    return {
        file.relative_to(root).with_suffix("").as_posix(): sha256(file.read_bytes()).hexdigest()[:SHOWN_DIGITS]
        for file in files
    }


def _parts(plan: Plan, registry: Registry) -> dict[str, str]:
    """Each part that an arm has, or that judges, with its version and the digest of its code."""
    uses = [("judge", plan.spec.judge), *((_KINDS[name], use) for arm in plan.arms for name, use in _factors(arm))]
    found: dict[str, str] = {}
    for kind, use in uses:
        name = f"{kind} {use.use}"
        if name not in found:
            found[name] = _identity(registry, kind, use)
    return found


def _factors(arm: Arm) -> list[tuple[str, Use]]:
    return [(name, use) for name, use in arm.factors.items() if name in _KINDS]


def _identity(registry: Registry, kind: Kind, use: Use) -> str:
    try:
        identity = part_identity(registry, kind, use)
    except PluginError:  # a provider's model, which no plugin registers by name
        return "of its provider"
    return f"{identity['version']} {identity['code'][:SHOWN_DIGITS]}".strip()


def _git() -> dict[str, Any] | None:
    """The commit of the working directory's repository and whether files differ from it; None without one."""
    commit = _ask_git("rev-parse", "HEAD")
    if not commit:
        return None
    return {"commit": commit, "changed": bool(_ask_git("status", "--porcelain", "--untracked-files=no"))}


def _ask_git(*arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=Path.cwd(), capture_output=True, text=True, check=False, timeout=GIT_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
