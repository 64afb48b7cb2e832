from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from memkit.compare.comparison import Comparison
from memkit.errors import UserError
from memkit.runs.open import Run, list_runs, open_run
from memkit.store.lock import Lock


def test_open(whole: Run, done: Comparison) -> None:
    """A run is opened without its data: the spec, the summary, and a table of answers, memories and calls."""
    assert done.plan.spec.name == whole.spec["name"]
    assert "answer_f1" == whole.summary["primary"]
    arms, null_rows, questions, attempts = 3, 3, 24, 2
    assert (arms + null_rows) * questions * attempts == len(whole.items)
    assert arms * 6 == len(whole.memories)
    assert len(whole.calls) >= len(whole.items) / 2
    assert done.outcome.directory.name == whole.name


def test_a_folder_of_results(done: Comparison, tmp_path: Path) -> None:
    """Restated or rejudged results are opened by their folder, and named after it."""
    directory = tmp_path / "run-1"
    shutil.copytree(done.outcome.directory, directory)
    shutil.copytree(directory / "results", directory / "results" / "judge-exact")
    found = open_run(directory / "results" / "judge-exact")

    assert ("run-1/judge-exact", directory) == (found.name, found.directory)
    assert open_run(directory).results == open_run(directory / "results").results


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ("spec.yaml", "is no run: it has no spec.yaml"),
        ("results/summary.json", "has no results yet"),
        ("results/items.parquet", "there is no "),
    ],
)
def test_what_is_lacking(broken: str, said: str, done: Comparison, tmp_path: Path) -> None:
    """What is no run, has no results, or lacks a table is said so, with the mend."""
    directory = tmp_path / "run-1"
    shutil.copytree(done.outcome.directory, directory)
    (directory / broken).unlink()
    with pytest.raises(UserError, match=said):
        open_run(directory).items  # noqa: B018 - reads


@pytest.mark.parametrize("content", [b"", b"PAR1 nonsense PAR1", b"[1]"])
def test_damaged(content: bytes, done: Comparison, tmp_path: Path) -> None:
    """A table or a summary that is damaged is one sentence."""
    directory = tmp_path / "run-1"
    shutil.copytree(done.outcome.directory, directory)
    (directory / "results" / "items.parquet").write_bytes(content)
    with pytest.raises(UserError, match="cannot be read"):
        open_run(directory).items  # noqa: B018 - reads
    (directory / "results" / "summary.json").write_bytes(content)
    with pytest.raises(UserError, match="is damaged; run the comparison again"):
        open_run(directory)


def test_list(done: Comparison, tmp_path: Path) -> None:
    """Each run with its state; one that a process holds is running, one without results is incomplete."""
    for name in ("a-1", "b-2", "c-3"):
        shutil.copytree(done.outcome.directory, tmp_path / name)
    shutil.rmtree(tmp_path / "b-2" / "results")
    (tmp_path / "not-a-run").mkdir()
    with Lock(tmp_path / "c-3" / ".lock"):
        states = {head.name: (head.state, head.rows, head.answered) for head in list_runs(tmp_path)}

    rows = 6 * 24
    assert {"a-1": ("complete", 288, 288), "b-2": ("incomplete", rows, 0), "c-3": ("running", 288, 288)} == states
    with pytest.raises(UserError, match="there is no directory"):
        list_runs(tmp_path / "nowhere")
