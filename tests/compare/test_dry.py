"""What a dry run says, and what it leaves undone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memkit.compare.comparison import compare
from memkit.compare.dry import dry_run
from memkit.compare.forecast import SAMPLE, Forecast, Work
from memkit.compare.pricing import Range
from memkit.compare.spec import Spec, Use
from memkit.metrics.inference import detectable
from memkit.testing.server import LoopbackServer, Says

MakeSpec = Callable[..., Spec]
HERE = Use("local", {"workers": 0})
PRICES = 'as_of = "2026-11-30"\n[usd_per_million."openai/any"]\ninput = 1000\ncache_read = 100\noutput = 2000\n'


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackServer]:
    """A provider that answers everything at once."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    with LoopbackServer(lambda _: Says("In spring.")) as started:
        yield started


@pytest.fixture
def prices(tmp_path: Path) -> Path:
    """A file with the price of its model."""
    path = tmp_path / "prices.toml"
    path.write_text(PRICES)
    return path


def paid_spec(make_spec: MakeSpec, server: LoopbackServer, **changes: Any) -> Spec:
    """Two arms, one of which asks the provider, on five questions."""
    models = {
        "search": ["memkit/extractive", {"use": "openai/any", "with": {"api_base": server.openai}, "label": "paid"}]
    }
    factors = {"builder": ["verbatim"], "harness": ["center"], "models": models}
    return make_spec(factors=factors, select={"limit": 5}, nulls={"rows": []}, **changes)


def bases(found: Forecast) -> list[str]:
    """Of the estimates."""
    return [one.basis for one in found.estimates]


def test_without_paid_models_nothing_is_asked_or_written(make_spec: MakeSpec, tmp_path: Path) -> None:
    """All is counted from the plan; one stream detects nothing."""
    found = dry_run(make_spec(), runs=tmp_path / "runs", runner=HERE)

    assert (Work("builds", 1, 0), Work("answers", 12, 0), Work("judgements", 12, 0)) == found.work
    assert (["costs nothing"] * 4, Range(), None) == (bases(found), found.total, found.detectable)
    assert [] == list(tmp_path.iterdir())


def test_what_is_on_record_is_not_to_do(make_spec: MakeSpec, tmp_path: Path) -> None:
    """Here, and in another run beside this one."""
    compare(make_spec(), runs=tmp_path, runner=HERE)
    again = dry_run(make_spec(), runs=tmp_path, runner=HERE)
    more = dry_run(make_spec(factors={"builder": ["verbatim"], "harness": ["center", "center+bm25"]}), runs=tmp_path)

    assert (Work("builds", 0, 1), Work("answers", 0, 12), Work("judgements", 0, 12)) == again.work
    assert (Work("builds", 0, 1), Work("answers", 3, 12), Work("judgements", 3, 12)) == more.work


def test_detectable(make_spec: MakeSpec, tmp_path: Path) -> None:
    """With several streams the smallest difference is that of the statistics, for so many streams and questions."""
    lines = [
        line
        for stream in "abc"
        for line in (
            f'{{"type": "stream", "id": "{stream}"}}',
            '{"type": "turn", "speaker": "Ana", "text": "The kite is red."}',
            f'{{"type": "question", "id": "q{stream}", "question": "Which colour is the kite?", "answer": "red"}}',
        )
    ]
    (tmp_path / "mine.jsonl").write_text("\n".join(lines))
    spec = make_spec(data=[{"use": "jsonl", "path": str(tmp_path / "mine.jsonl")}])
    found = dry_run(spec, runs=tmp_path / "runs", runner=HERE)

    assert (3, 3, detectable(3, 3)) == (found.streams, found.questions, found.detectable)


def test_a_pilot_is_part_of_the_run(make_spec: MakeSpec, server: LoopbackServer, prices: Path, tmp_path: Path) -> None:
    """Where a model is priced, two questions are asked of it; they are recorded, and the run asks the others."""
    spec, runs = paid_spec(make_spec, server), tmp_path / "runs"
    found = dry_run(spec, runs=runs, runner=HERE, prices=prices)
    piloted = len(server.asked)

    assert (SAMPLE, ["costs nothing", "answers on record"]) == (piloted, bases(found))
    assert found.pilot.startswith("a pilot asked 2 questions of the stream demo under 1 arms: 1 builds and 2 answers")
    # Three answers are left, each a call of 20 tokens in and 7 out.
    a_call = 20 * 0.001 + 7 * 0.002
    assert (3 * 27, 3 * 27) == (found.total.floor_tokens, found.total.ceiling_tokens)
    assert [pytest.approx(3 * a_call)] * 2 == [found.total.usd_floor, found.total.usd_ceiling]
    again = dry_run(spec, runs=runs, runner=HERE, prices=prices)
    assert ("", piloted, found.total) == (again.pilot, len(server.asked), again.total)

    done = compare(spec, runs=runs, runner=HERE, prices=prices)
    assert ((), True, 5, 0) == (done.outcome.errors, done.complete, len(server.asked), done.outcome.built)


@pytest.mark.parametrize("option", [{"pilot": False}, {"offline": True}], ids=["no pilot", "offline"])
def test_a_rehearsal_asks_nobody(
    option: dict[str, bool], make_spec: MakeSpec, server: LoopbackServer, prices: Path, tmp_path: Path
) -> None:
    """Without a pilot the embedded model stands in, at the other's price; nothing is written."""
    found = dry_run(paid_spec(make_spec, server), runs=tmp_path / "runs", runner=HERE, prices=prices, **option)

    assert (0, ["costs nothing", "rehearsal"]) == (len(server.asked), bases(found))
    total = found.total
    assert None not in (total.floor_tokens, total.ceiling_tokens, total.usd_floor, total.usd_ceiling)
    assert 0 < (total.floor_tokens or 0) < (total.ceiling_tokens or 0)
    assert 0 < (total.usd_floor or 0) < (total.usd_ceiling or 0)
    assert not (tmp_path / "runs").exists()


def test_an_unpriced_model_is_rehearsed(make_spec: MakeSpec, server: LoopbackServer, tmp_path: Path) -> None:
    """Its tokens are told, its price is not known, and it is not asked."""
    found = dry_run(paid_spec(make_spec, server), runs=tmp_path / "runs", runner=HERE)

    assert (0, ["costs nothing", "rehearsal"]) == (len(server.asked), bases(found))
    assert (None, None) == (found.total.usd_floor, found.total.usd_ceiling)
    assert (found.total.ceiling_tokens or 0) > 0
