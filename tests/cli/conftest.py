"""Running the console script as a user does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

Done = subprocess.CompletedProcess[str]
Memkit = Callable[..., Done]
SCRIPT = Path(sys.executable).with_name("memkit")


@pytest.fixture(scope="session")
def memkit() -> Memkit:
    """Runs `memkit` with arguments in a folder, without a terminal; what it printed and its exit code."""

    def run(*arguments: object, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> Done:
        unset = {"COLUMNS", "MEMKIT_DEBUG", "MEMKIT_PLUGINS"}
        inherited = {name: value for name, value in os.environ.items() if name not in unset}
        return subprocess.run(
            [SCRIPT, *map(str, arguments)],
            cwd=cwd,
            env={**inherited, **(env or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )

    return run


@pytest.fixture(scope="session")
def demo_memory(memkit: Memkit, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo as `verbatim` builds it; not to be changed."""
    memory = tmp_path_factory.mktemp("demo") / "memory"
    assert 0 == memkit("build", "demo", "-o", memory).returncode
    return memory


GUARD = """
name: guard
data: [{use: jsonl, path: data.jsonl}]
factors: {builder: [verbatim], harness: [center, center+bm25]}
metrics: {primary: answer_f1, also: [evidence_recall]}
nulls: {rows: [closed-book]}
hold_equal: [judge]
gate:
  - {metric: answer_f1, noninferior: 0.02}
  - {metric: usd_logical, noninferior: 0.01}
"""


@pytest.fixture(scope="session")
def guarded(memkit: Memkit, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of a finished run of three streams under gates, with hostile text in it; not to be changed."""
    folder = tmp_path_factory.mktemp("guarded")
    lines: list[dict[str, object]] = []
    for number, colour in enumerate(("red", "blue", "green")):
        lines.append({"type": "stream", "id": f"stream-{number}"})
        lines += [{"type": "turn", "speaker": "Ana", "text": f"The kite is {colour}."}]
        for nth, asked in enumerate(("Which colour is the kite?", "What is the kite like?", "Is it \x1b[2J a kite?")):
            question = {"id": f"q{number}-{nth}", "question": asked, "answer": colour, "evidence": ["S1T1"]}
            lines.append({"type": "question", "category": "colour", **question})
    (folder / "data.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "guard.yaml").write_text(GUARD)
    done = memkit("compare", "guard.yaml", "--workers", "0", cwd=folder)
    assert (0, "") == (done.returncode, done.stderr)
    (run,) = (folder / "runs").iterdir()
    return run


FAULTY = '''
"""Parts that fail on purpose, until the file MENDED names exists."""
import os
from memkit import PermanentModelError, hookimpl
from memkit_plugins.verbatim.builder import Verbatim
from memkit_plugins.extractive.model import Extractive

def mended():
    return os.path.exists(os.environ["MENDED"])

class Raises(Verbatim):
    """Raises what is no error of memkit."""
    async def ingest(self, memory, unit):
        if not mended():
            raise RuntimeError("no idea \\x1b[2Jwhy")
        return await super().ingest(memory, unit)

class Dies(Verbatim):
    """Ends its process."""
    async def ingest(self, memory, unit):
        if not mended():
            os._exit(9)
        return await super().ingest(memory, unit)

class Moody(Extractive):
    """Refuses questions with an odd number of characters."""
    name = "faulty/moody"
    async def complete(self, request):
        asked = next(m.content for m in request.messages if m.role == "user")
        if len(asked) % 2 and not mended():
            raise PermanentModelError("the provider is out")
        return await super().complete(request)

@hookimpl
def memkit_register(registry):
    registry.builder("raises", Raises)
    registry.builder("dies", Dies)
    registry.model("faulty/moody", Moody)
'''


@pytest.fixture
def faulty(tmp_path: Path) -> dict[str, str]:
    """The environment in which the distribution `memkit-faulty` is installed; `MENDED` names the file that mends it."""
    site = tmp_path / "site"
    (site / "memkit_faulty-1.0.dist-info").mkdir(parents=True)
    (site / "memkit_faulty.py").write_text(FAULTY)
    (site / "memkit_faulty-1.0.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: memkit-faulty\nVersion: 1.0\n"
    )
    (site / "memkit_faulty-1.0.dist-info" / "entry_points.txt").write_text("[memkit]\nfaulty = memkit_faulty\n")
    path = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH")]))
    return {"PYTHONPATH": path, "MENDED": str(tmp_path / "mended")}
