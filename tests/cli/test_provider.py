"""`memkit compare` with a provider's model: the real litellm, and a server on this machine."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memkit.records import Usage
from memkit.testing.server import Asked, Fails, LoopbackServer, Reply, Says

Memkit = Callable[..., Any]
SPEC = """
data: [{use: demo, select: {limit: 4}}]
factors:
  builder: [verbatim]
  harness: [center]
  models: {search: [{use: openai/any, with: {api_base: URL, retries: 2}}]}
nulls: {rows: [closed-book]}
"""
KEY = {"OPENAI_API_KEY": "sk-test-0123456789abcdef0123456789abcdef"}


def searches(asked: Asked) -> Reply:
    """A survey and a probe in one turn; then an answer with a citation. Without tools, an answer at once."""
    messages = asked.body["messages"]
    if asked.body.get("tools") and messages[-1]["role"] == "user":
        return Says(calls=[("view", {"path": "/memories"}), ("grep", {"pattern": "(?i)kiln"})])
    return Says("In spring [/memories/session_01.md:L8].", delay=0.05)


@pytest.fixture
def folder(tmp_path: Path) -> Callable[[LoopbackServer], Path]:
    """A folder with the spec of a comparison that asks a server."""

    def make(server: LoopbackServer) -> Path:
        (tmp_path / "spec.yaml").write_text(SPEC.replace("URL", server.openai))
        return tmp_path

    return make


def told(server: LoopbackServer) -> Counter[str]:
    """How often each request came."""
    return Counter(json.dumps(asked.body, sort_keys=True) for asked in server.asked)


def rows(place: Path) -> list[dict[str, Any]]:
    """The rows of the arm that searches, as they were written."""
    (items,) = place.glob("runs/*/results/items.jsonl")
    written = [json.loads(line) for line in items.read_text().splitlines()]
    return [row for row in written if row["arm"] == "verbatim / center"]


def spent(row: dict[str, Any]) -> tuple[str, int | None, int | None, int | None]:
    """How a row ended, and what it took: rounds, tokens in and out."""
    effort = row["effort"]
    return row["status"], effort.get("rounds"), effort.get("input_tokens"), effort.get("output_tokens")


def recorded(place: Path) -> int:
    """The calls on record in a run that goes on."""
    (file,) = place.glob("runs/*/calls.db")
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        return int(connection.execute("SELECT count(*) FROM calls").fetchone()[0])


def test_once_and_never_again(folder: Callable[[LoopbackServer], Path], memkit: Memkit) -> None:
    """Every call is made once, booked by class, and replayed without a server; no key reaches the disk."""
    with LoopbackServer(searches) as server:
        place = folder(server)
        first = json.loads(memkit("compare", "spec.yaml", "--workers", 0, "--json", cwd=place, env=KEY).stdout)
        asked = told(server)

    assert first["run"]["complete"]
    assert 4 * 2 + 4 == len(asked) == sum(asked.values())
    arm, null = first["arms"]
    assert (40.0, 14.0) == (arm["query_cost"]["uncached"], arm["query_cost"]["output"])
    assert (20.0, 7.0) == (null["query_cost"]["uncached"], null["query_cost"]["output"])
    assert arm["query_cost"]["usd_logical"] is None
    assert any("no price is known for openai/any" in remark for remark in first["remarks"])
    for units in place.glob("runs/*/units"):  # the results go, the calls stay
        subprocess.run(["rm", "-r", units], check=True)
    again = json.loads(memkit("compare", "spec.yaml", "--workers", 0, "--json", "--offline", cwd=place, env=KEY).stdout)
    assert [one["scores"] for one in first["arms"]] == [one["scores"] for one in again["arms"]]
    held = b"".join(file.read_bytes() for file in place.rglob("*") if file.is_file())
    assert KEY["OPENAI_API_KEY"].encode() not in held


def test_offline_without_a_record(folder: Callable[[LoopbackServer], Path], memkit: Memkit) -> None:
    """A call that is not on record is named, and nothing is asked."""
    with LoopbackServer(searches) as server:
        done = memkit("compare", "spec.yaml", "--workers", 0, "--offline", cwd=folder(server), env=KEY)

    assert 3 == done.returncode
    assert "no reply is on record for the search call to openai/any" in done.stdout
    assert [] == server.asked


def test_prices_of_ones_own(folder: Callable[[LoopbackServer], Path], memkit: Memkit) -> None:
    """With a price file, a question costs what its tokens say."""
    with LoopbackServer(searches) as server:
        place = folder(server)
        prices = 'as_of = "2026-11-30"\n[usd_per_million."openai/any"]\ninput = 1000\ncache_read = 100\noutput = 2000\n'
        (place / "prices.toml").write_text(prices)
        done = json.loads(
            memkit(
                "compare", "spec.yaml", "--workers", 0, "--json", "--prices", "prices.toml", cwd=place, env=KEY
            ).stdout
        )

    assert pytest.approx(40 * 0.001 + 14 * 0.002) == done["arms"][0]["query_cost"]["usd_logical"]


def test_break_even(folder: Callable[[LoopbackServer], Path], memkit: Memkit) -> None:
    """With prices known, the table and the JSON say after how many questions a dearer build has paid, or why not.

    A question costs the manager's store as much as the transcripts, so its build never pays.
    """
    with LoopbackServer(searches) as server:
        place = folder(server)
        prices = 'as_of = "2026-11-30"\n[usd_per_million."openai/any"]\ninput = 1000\ncache_read = 100\noutput = 2000\n'
        (place / "prices.toml").write_text(prices)
        command: tuple[object, ...] = (
            "compare",
            "spec.yaml",
            "--workers",
            0,
            "--set",
            "factors.builder=[verbatim, rolling-summary]",
        )
        manage = "factors.models.manage=[{use: openai/any, with: {api_base: '" + server.openai + "'}}]"
        command = (*command, "--set", manage, "--prices", "prices.toml")
        data = json.loads(memkit(*command, "--json", cwd=place, env=KEY).stdout)
        table = memkit(*command, cwd=place, env=KEY).stdout

    never = "the dearer build saves nothing on a question"
    against, summary = "verbatim / center", "rolling-summary / center"
    assert [
        None,
        {"against": against, "dearer": summary, "questions": None, "reason": never},
        {"against": against, "dearer": "", "questions": None, "reason": "the builds cost the same"},
    ] == [arm["break_even"] for arm in data["arms"]]
    assert f"note: no break even of {summary}: {never}\n" in table
    assert "note: no break even of closed-book: the builds cost the same\n" in table


def test_busy_and_broken_servers(folder: Callable[[LoopbackServer], Path], memkit: Memkit) -> None:
    """A busy server is asked again; one that fails leaves rows missing, which a rerun fills."""
    broken = True

    def reply(asked: Asked) -> Reply:
        if broken:
            return Fails(500)
        count = told(server)[json.dumps(asked.body, sort_keys=True)]
        return Fails(429, retry_after=0.01) if count == 1 else searches(asked)

    with LoopbackServer(reply) as server:
        place = folder(server)
        failed = memkit("compare", "spec.yaml", "--set", "errors.retry=0", "--workers", 0, "--json", cwd=place, env=KEY)
        broken = False
        server.asked.clear()
        mended = json.loads(memkit("compare", "spec.yaml", "--workers", 0, "--json", cwd=place, env=KEY).stdout)

    assert 3 == failed.returncode
    assert {0} == {arm["answered"] for arm in json.loads(failed.stdout)["arms"]}
    assert mended["run"]["complete"]
    assert mended["arms"][0]["query_cost"]["retries"] > 0


def test_each_misbehaviour_has_its_status(folder: Callable[[LoopbackServer], Path], memkit: Memkit) -> None:
    """Whatever a provider does to a question, its row has the right status and bill; a rerun asks for the missing."""
    twice = json.dumps(json.dumps({"path": "/memories"}))
    lost = ("infra_error", None, None, None)
    cases: list[tuple[list[Reply], tuple[str, int | None, int | None, int | None]]] = [
        (
            [Says(calls=[("no_such_tool", {}), ("view", '{"path": '), ("view", twice)]), "In spring."],
            ("answered", 2, 40, 14),
        ),
        ([Says(""), Says("")], ("empty", 2, 40, 14)),
        ([Says("In spr", finish="length")], ("tokens", 1, 20, 7)),
        ([Fails(400, "Rejected as a result of our safety system.", "content_policy_violation")], ("refused", 0, 0, 0)),
        ([Fails(429, retry_after=0.01), Says("In spring.", usage=Usage(20, 900, 0, 7))], ("answered", 1, 920, 7)),
        ([Says("In spring.", usage=None)], ("answered", 1, None, None)),
        ([Fails(400, "prompt is too long: 210000 tokens > 200000 maximum", "invalid_request_error")], lost),
        ([Says("Late.", delay=60), Says("Late.", delay=60)], lost),
        ([Fails(500), Fails(500)], lost),
    ]
    scripts: dict[str, Any] = {}
    told_to = [iter(replies) for replies, _ in cases]

    def reply(asked: Asked) -> Reply:
        if not asked.body.get("tools"):
            return searches(asked)
        question = next(one["content"] for one in asked.body["messages"] if one["role"] == "user")
        if question not in scripts:
            scripts[question] = told_to[len(scripts)]
        return next(scripts[question], Fails(400, "asked too often"))

    with LoopbackServer(reply) as server:
        place = folder(server)
        spec = (place / "spec.yaml").read_text().replace("limit: 4", f"limit: {len(cases)}")
        (place / "spec.yaml").write_text(spec.replace("retries: 2", "retries: 1, first_wait: 0.001, timeout: 5"))
        first = memkit("compare", "spec.yaml", "--workers", 0, cwd=place, env=KEY)
        asked, unsaid = len(server.asked), [reply for replies in told_to for reply in replies]
        met = rows(place)
        told_to, scripts = [iter(["In spring."]) for _ in cases], {}
        second = memkit("compare", "spec.yaml", "--workers", 0, cwd=place, env=KEY)
        again = len(server.asked) - asked
        mended = rows(place)

    assert (3, 0) == (first.returncode, second.returncode)
    assert Counter(expected for _, expected in cases) == Counter(map(spent, met))
    assert [] == unsaid
    kept = [row for row in met if row["status"] != "infra_error"]
    made = [row for row in mended if row not in kept]
    assert (3, 9, ["answered"] * 3) == (again, len(mended), [row["status"] for row in made])


def test_killed_in_the_middle(folder: Callable[[LoopbackServer], Path], memkit: Memkit) -> None:
    """After a run was killed in its calls the rerun makes these and those that follow; no call that was answered."""
    killed = False

    def reply(asked: Asked) -> Reply:
        return searches(asked) if killed or len(server.asked) <= 5 else Says("Never.", delay=60)

    with LoopbackServer(reply) as server:
        place = folder(server)
        running = subprocess.Popen(
            [Path(sys.executable).with_name("memkit"), "compare", "spec.yaml", "--workers", "0"],
            cwd=place,
            env={**os.environ, **KEY},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while (len(server.asked) < 6 or recorded(place) < 5) and running.poll() is None:
            time.sleep(0.01)
        running.kill()
        running.wait()
        killed = True
        stalled = [json.dumps(asked.body, sort_keys=True) for asked in server.asked[5:]]
        done = json.loads(memkit("compare", "spec.yaml", "--workers", 0, "--json", cwd=place, env=KEY).stdout)
        twice = [body for body, times in told(server).items() if times > 1]

    assert done["run"]["complete"]
    assert sorted(stalled) == sorted(twice)
    assert 4 * 2 + 4 + len(stalled) == len(server.asked)
