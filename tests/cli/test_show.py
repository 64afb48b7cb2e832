from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memkit.runs.columns import STATS_FILE
from memkit.runs.open import open_run

Memkit = Callable[..., Any]
ARMS = ["verbatim / center", "verbatim / center+bm25", "closed-book"]


def test_figures(guarded: Path, memkit: Memkit) -> None:
    """Each arm with its interval and its coverage, the contrast with both p, and how they came about."""
    done = memkit("show", guarded)
    lines = done.stdout.splitlines()

    assert (0, "") == (done.returncode, done.stderr)
    assert f"{guarded.name}: 3 streams, 9 questions, 3 arms; answer f1" == lines[0]
    leading = {line.strip().split("  ")[0]: line.split()[-1] for line in lines if "100.0 %" in line and "9/9" in line}
    assert dict(zip(ARMS, ("yes", "yes", "row"), strict=True)) == leading
    assert " verbatim / center+bm25 against verbatim / center" in lines
    assert "  95% interval: cluster-robust t, 2 df; p: sign-flip over 3 clusters (exact)" in lines
    assert "  adjusted p: Holm, over this table" in lines
    assert f"not told apart from the best on answer f1: {', '.join(ARMS[:2])}" in lines
    assert lines == [line.rstrip() for line in lines]


def test_json(guarded: Path, memkit: Memkit) -> None:
    """JSON is `stats.json` and where it comes from, in ASCII."""
    done = memkit("show", guarded, "--json")
    data = json.loads(done.stdout)

    assert (True, str(guarded)) == (done.stdout.isascii(), data.pop("run"))
    assert json.loads((guarded / "results" / STATS_FILE).read_text()) == data


def test_arm(guarded: Path, memkit: Memkit) -> None:
    """One arm alone; a label there is not is an error with the nearest."""
    assert "closed-book" not in memkit("show", guarded, "--arm", ARMS[0]).stdout
    refused = memkit("show", guarded, "--arm", "verbatim / centre")

    said = f"memkit: no arm of {guarded.name} is labelled 'verbatim / centre'; did you mean 'verbatim / center'?\n"
    assert (2, said) == (refused.returncode, refused.stderr)


def test_items(guarded: Path, memkit: Memkit) -> None:
    """A row an answer, up to the limit; hostile text cannot drive the terminal; JSON has every column of the table."""
    table = memkit("show", guarded, "--items", "--limit", "4").stdout

    assert 4 == table.count(" ok ")
    assert "23 more; --limit 0 shows every one, --json prints them all" in table
    assert "\x1b" not in memkit("show", guarded, "--items", "--limit", "0").stdout
    items = json.loads(memkit("show", guarded, "--items", "--json").stdout)["items"]
    assert open_run(guarded).items.to_dicts() == items
    assert any("\x1b[2J" in item["question_text"] for item in items)


def test_failed(guarded: Path, memkit: Memkit) -> None:
    """A wrong answer has not failed."""
    assert "every answer ended in order\n" == memkit("show", guarded, "--failed").stdout
    assert [] == json.loads(memkit("show", guarded, "--failed", "--json").stdout)["items"]


def test_flips(guarded: Path, memkit: Memkit) -> None:
    """The questions that one arm has right and the other wrong: of the contrasts, or of the arm that is named."""
    flips = json.loads(memkit("show", guarded, "--flips", "--arm", "closed-book", "--json").stdout)["flips"]
    rows = open_run(guarded).items.select("arm", "question", "score_answer_f1").drop_nulls().to_dicts()
    scores = {(row["arm"], row["question"]): row["score_answer_f1"] for row in rows}
    expected = {
        (question, score, scores[ARMS[0], question])
        for (arm, question), score in scores.items()
        if arm == "closed-book" and (score >= 0.5) != (scores[ARMS[0], question] >= 0.5)
    }

    assert expected
    assert expected == {(flip["question"], flip["score"], flip["other"]) for flip in flips}
    table = memkit("show", guarded, "--flips", "--arm", "closed-book").stdout
    assert len(expected) == sum(question in table for question, *_ in expected)
    assert "no flips on answer f1\n" == memkit("show", guarded, "--flips").stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], "nowhere is no run: it has no spec.yaml; give a directory that memkit compare made"),
        (["RUN", "--items", "--flips"], "--items, --failed and --flips exclude each other; give one of them"),
    ],
)
def test_refused(arguments: list[str], said: str, guarded: Path, memkit: Memkit) -> None:
    """What cannot be shown is one sentence."""
    done = memkit("show", *(str(guarded) if one == "RUN" else one for one in arguments))

    assert (2, "", f"memkit: {said}\n") == (done.returncode, done.stdout, done.stderr)
