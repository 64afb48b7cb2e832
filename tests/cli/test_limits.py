"""`memkit compare` within its limits: budgets, failures, held factors; dry runs; a provider's questions together."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memkit.testing.server import Asked, Fails, LoopbackServer, Reply, Says

Memkit = Callable[..., Any]
KEY = {"OPENAI_API_KEY": "sk-test-0123456789abcdef0123456789abcdef"}
SPEC = """
data: [{use: demo, select: {limit: 12}}]
factors:
  builder: [verbatim]
  harness: [center]
  models: {search: [{use: openai/any, with: {api_base: URL, retries: 0}}]}
nulls: {rows: []}
"""
PRICES = 'as_of = "2026-11-30"\n[usd_per_million."openai/any"]\ninput = 1000\ncache_read = 100\noutput = 2000\n'


def folder(place: Path, server: LoopbackServer, more: str = "") -> Path:
    """A folder with a spec that asks a server, and with prices."""
    (place / "spec.yaml").write_text(SPEC.replace("URL", server.openai) + more)
    (place / "prices.toml").write_text(PRICES)
    return place


def run_of(done: Any) -> dict[str, Any]:
    """What a command did."""
    data: dict[str, Any] = json.loads(done.stdout)["run"]
    return data


def statuses(place: Path) -> list[str]:
    """Of the rows that were written."""
    (items,) = place.glob("runs/*/results/items.jsonl")
    return [json.loads(line)["status"] for line in items.read_text().splitlines()]


def test_budget(memkit: Memkit, tmp_path: Path) -> None:
    """It is never passed, over two processes; a hit ends with 6 and usable results; a larger one goes on from there."""
    with LoopbackServer(lambda _: Says("In spring.", delay=0.02)) as server:
        place = folder(tmp_path, server)
        command = ("compare", "spec.yaml", "--prices", "prices.toml", "--workers", 2, "--json")
        # A call takes 20 * 0.001 + 7 * 0.002 dollars, and may take 8192 tokens of output.
        hit = memkit(*command, "--set", "budget.usd=17.5", cwd=place, env=KEY)
        asked, rows = len(server.asked), statuses(place)
        done = memkit(*command, "--set", "budget.usd=40", cwd=place, env=KEY)

    run = run_of(hit)
    assert (6, "budget", False) == (hit.returncode, run["stopped"], run["complete"])
    assert asked * 0.034 <= 17.5
    assert (run["answered"], 12 - run["answered"]) == (rows.count("answered"), rows.count("missing"))
    assert (0, 12 - run["answered"], True) == (
        done.returncode,
        run_of(done)["answered"],
        run_of(done)["directory"] == run["directory"],
    )
    assert 12 == len(server.asked)


def test_budget_of_tokens(memkit: Memkit, tmp_path: Path) -> None:
    """The embedded model's tokens count too; the table says what to do."""
    command = ("compare", "--data", "demo", "--limit", "4", "--no-nulls", "--workers", "0")
    hit = memkit(*command, "--set", "budget.tokens=30k", cwd=tmp_path)
    done = memkit(*command, "--set", "budget={tokens: 10M, wall: 1h}", cwd=tmp_path)

    assert (6, 0) == (hit.returncode, done.returncode)
    assert hit.stdout.endswith("the budget is used up: run the same command with a larger one to go on\n")


def test_time_is_up(memkit: Memkit, tmp_path: Path) -> None:
    """What is started is finished; the same command goes on."""
    with LoopbackServer(lambda _: Says("In spring.", delay=0.6)) as server:
        place = folder(tmp_path, server, "attempts: 8\n")
        command = ("compare", "spec.yaml", "--workers", 1, "--json")
        first = memkit(*command, "--set", "budget.wall=4", cwd=place, env=KEY)
        asked = len(server.asked)

    run = run_of(first)
    assert (6, "wall", asked, []) == (first.returncode, run["stopped"], run["answered"], run["errors"])
    assert asked < 96


def test_too_many_failures(memkit: Memkit, tmp_path: Path) -> None:
    """Past the rate a run stops with 7; what failed is missing data, told apart from what was not tried."""
    with LoopbackServer(lambda _: Fails(400, "No such model.", "model_not_found")) as server:
        place = folder(tmp_path, server, "attempts: 8\nerrors: {max_rate: 0.1}\n")
        first = memkit("compare", "spec.yaml", "--workers", 0, "--json", cwd=place, env=KEY)
        lost = statuses(place)

    assert (7, "errors") == (first.returncode, run_of(first)["stopped"])
    assert {"infra_error", "missing"} == set(lost)
    assert 0.1 * 96 < lost.count("infra_error") < 96


def test_failures_are_tried_again(memkit: Memkit, tmp_path: Path) -> None:
    """What fails for want of the provider is tried again in the same run, as often as the spec says."""
    times: dict[str, int] = {}

    def reply(asked: Asked) -> Reply:
        question = asked.body["messages"][-1]["content"]
        times[question] = times.get(question, 0) + 1
        return Fails(503) if times[question] <= 2 else Says("In spring.")

    with LoopbackServer(reply) as server:
        place = folder(tmp_path, server)
        done = memkit("compare", "spec.yaml", "--workers", 0, "--json", cwd=place, env=KEY)

    assert (0, 12, []) == (done.returncode, run_of(done)["answered"], run_of(done)["errors"])
    assert {3} == set(times.values())
    (events,) = place.glob("runs/*/events.jsonl")
    kinds = [json.loads(line)["event"] for line in events.read_text().splitlines()]
    assert (24, 0) == (kinds.count("retry"), kinds.count("error"))


def test_questions_of_a_provider_wait_together(memkit: Memkit, tmp_path: Path) -> None:
    """One process has many questions under way; the results are those of one after the other."""
    lock, now, most = threading.Lock(), 0, 0
    together = threading.Barrier(12)

    def reply(_: Asked) -> Reply:
        return Says("In spring.", delay=1.0)

    class Counting(LoopbackServer):
        def wait(self, seconds: float) -> bool:
            nonlocal now, most
            with lock:
                now += 1
                most = max(most, now)
            try:
                if seconds:
                    together.wait(60)  # all twelve are under way, or none is answered
                return True
            finally:
                with lock:
                    now -= 1

    with Counting(reply) as server:
        place = folder(tmp_path, server)
        done = memkit("compare", "spec.yaml", "--workers", 1, "--json", cwd=place, env=KEY)

    assert (0, 12, 12) == (done.returncode, run_of(done)["answered"], most)


def test_arms_that_are_not_comparable(memkit: Memkit, tmp_path: Path) -> None:
    """What the spec holds equal and is not is told of each arm, with exit code 8; what differs besides is noted."""
    command = ("compare", "--data", "demo", "--limit", "3", "--harness", "center,center+bm25", "--workers", "0")
    noted = memkit(*command, cwd=tmp_path)
    void = memkit(*command, "--set", "hold_equal=[judge, served_tokens]", cwd=tmp_path)

    assert (0, 8) == (noted.returncode, void.returncode)
    assert "note: not equal over the arms, so a difference may come of it: served_tokens" in noted.stdout
    (told,) = [line for line in void.stdout.splitlines() if line.startswith("not comparable: ")]
    assert "served_tokens (mean tokens of evidence served to a question) is unequal: " in told
    assert " in verbatim / center, " in told


def test_dry_run(memkit: Memkit, tmp_path: Path) -> None:
    """It tells arms, work and what can be detected, as a table or as JSON, and leaves nothing behind."""
    command = ("compare", "--data", "demo", "--builder", "verbatim", "--harness", "center,chunks", "--dry-run")
    table, data = memkit(*command, cwd=tmp_path), json.loads(memkit(*command, "--json", cwd=tmp_path).stdout)

    assert 0 == table.returncode
    assert "left out: verbatim / chunks: needs a chunk store" in table.stdout
    assert "one stream: nothing can be said beyond it, however many questions it has" in table.stdout
    assert ["verbatim / center", "closed-book", "long-context", "oracle"] == [arm["label"] for arm in data["arms"]]
    assert {"stage": "answers", "todo": 104, "reused": 0} in data["work"]
    assert {"floor_tokens": 0, "ceiling_tokens": 0, "usd_floor": 0.0, "usd_ceiling": 0.0} == data["total"]
    assert None is data["detectable"]["difference"]
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize("flag", ["--no-pilot", "--offline"])
def test_dry_run_without_calls(flag: str, memkit: Memkit, tmp_path: Path) -> None:
    """Asked not to, it calls no model, and tells the range of a rehearsal."""
    with LoopbackServer([]) as server:
        place = folder(tmp_path, server, "budget: {usd: 0.01}\n")
        done = memkit("compare", "spec.yaml", "--prices", "prices.toml", "--dry-run", flag, cwd=place, env=KEY)

    assert (0, 0) == (done.returncode, len(server.asked))
    assert "rehearsal: the embedded model stood in for the others on two questions, at no cost" in done.stdout
    assert "the budget of 0.01 USD may not do: at most " in done.stdout
