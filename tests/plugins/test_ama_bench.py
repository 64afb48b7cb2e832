from __future__ import annotations

import io
import json
import lzma
import sys
import tarfile
import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.archive import Archive
from memkit.errors import ConfigError, DataError
from memkit.records import Case
from memkit.registry import Registry
from memkit_plugins.ama_bench import memkit_register
from memkit_plugins.ama_bench.ama_bench import AmaBench


def episode(**changes: Any) -> dict[str, Any]:
    """An episode of three steps with two questions, in the site's wrapping."""
    turns = [("look", "A room."), ("take mug 1", "You pick up the mug 1."), ("go to sink 1", "On it is a cup 1.\r\n")]
    pairs = [("What was taken?", "The mug 1, at step 1 (not step 9).", "A"), ("How often?", "2 times: steps 0-1.", "C")]
    return {
        "episode_id": "30",
        "task": "Clean the mug.",
        "domain": "Embodied AI",
        "num_turns": 3,
        "state": "success",
        "trajectory": [{"turn_idx": n, "action": a, "observation": o} for n, (a, o) in enumerate(turns)],
        "qa_pairs": [{"question": q, "answer": a, "type": t, "sub_type": ""} for q, a, t in pairs],
        **changes,
    }


def pack(path: Path, files: dict[str, Any]) -> Path:
    """A tar archive of JSON files."""
    with tarfile.open(path, f"w:{path.suffix[1:]}") as archive:
        for name, data in files.items():
            text = json.dumps(data).encode()
            member = tarfile.TarInfo(name)
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text))
    return path


def write(path: Path, *data: Any) -> Path:
    """A file of JSON texts, one a line."""
    path.write_text("\n".join(map(json.dumps, data)))
    return path


@pytest.fixture(scope="module")
def real(shared: Path) -> list[Case]:
    """Every episode beside the checkout."""
    return list(AmaBench().load(shared / "data" / "ama-bench" / "episodes.tar.xz"))


@pytest.fixture(scope="module")
def unpacked(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same episodes as files."""
    folder = tmp_path_factory.mktemp("ama")
    with tarfile.open(shared / "data" / "ama-bench" / "episodes.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return folder / "ama-bench"


def test_real_counts(real: list[Case]) -> None:
    """Episodes, steps, questions, types and verdicts are those of the files."""
    assert (108, 7295, 1296) == (
        len(real),
        sum(len(case.stream.units) for case in real),
        sum(len(case.questions) for case in real),
    )
    assert Counter(question.category for case in real for question in case.questions) == {
        "A recall": 437,
        "B causal inference": 314,
        "C state updating": 331,
        "D state abstraction": 214,
    }
    assert () == sum((case.notes for case in real), ())


def test_real_families(real: list[Case], unpacked: Path) -> None:
    """Each family can be taken alone, and together they are all."""
    counts = {
        family: len(list(AmaBench(family=family).load(unpacked)))
        for family in ("alfworld", "games", "spider2", "webarena", "swebench", "gaia")
    }
    assert {"alfworld": 15, "games": 13, "spider2": 28, "webarena": 21, "swebench": 17, "gaia": 14} == counts
    assert len(real) == sum(counts.values())


def test_real_archive_is_as_the_folder(real: list[Case], unpacked: Path) -> None:
    """Packed or not, the cases are equal and in one order."""
    assert real == list(AmaBench().load(unpacked))


def test_real_steps_are_verbatim(real: list[Case], unpacked: Path, tmp_path: Path) -> None:
    """What comes back from an archive is, character by character, what the file says."""
    for case in real:
        source = json.loads((unpacked / f"{case.stream.id}.json").read_bytes())["trajectory"]
        archive = Archive(tmp_path / case.stream.id / "stream.jsonl")
        archive.extend(case.stream.units)
        said = [(step["turn_idx"], step["action"], step["observation"]) for step in source]
        assert said == [(step.index, step.action, step.observation) for step in archive.units()]


def test_real_evidence(real: list[Case]) -> None:
    """Golds cite steps where the published count says so, and only steps that are there."""
    assert 801 == sum(bool(question.evidence) for case in real for question in case.questions)


@pytest.mark.parametrize("name", ["gaia_level3-89", "gaia_level1-61", "swebench-168"])
def test_real_memory(name: str, unpacked: Path) -> None:
    """Reading an episode takes little more than its texts, of which the longest is held twice for a moment."""
    list(AmaBench().load(unpacked / "2048-20.json"))
    tracemalloc.start()
    (case,) = AmaBench().load(unpacked / f"{name}.json")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    texts = [sys.getsizeof(text) for step in case.stream.units for text in (step.action, step.observation)]
    assert peak < 1.2 * sum(texts) + 2 * max(texts)


def test_episode(tmp_path: Path) -> None:
    """Steps keep their numbers and texts, questions their type, and evidence is what the gold cites and has."""
    (case,) = AmaBench().load(write(tmp_path / "alfworld-30.json", episode()))
    first, second = case.questions
    assert ("alfworld-30", "Clean the mug.", True) == (case.stream.id, case.stream.task, case.stream.success)
    assert [0, 1, 2] == [step.index for step in case.stream.units]
    assert ("go to sink 1", "On it is a cup 1.\r\n") == (case.stream.units[2].action, case.stream.units[2].observation)
    assert ("alfworld-30-q1", "What was taken?", "A recall") == (first.id, first.text, first.category)
    assert (["[step 1]"], ["[step 0]", "[step 1]"]) == (
        [str(locator) for locator in first.evidence],
        [str(locator) for locator in second.evidence],
    )


def test_empty_steps_are_left_out(tmp_path: Path) -> None:
    """A step with neither side is no step, and is noted; one side suffices."""
    sides = [(None, None), ("look", None), (None, "A room."), ("", "")]
    turns = [{"turn_idx": n, "action": a, "observation": o} for n, (a, o) in enumerate(sides)]
    path = write(tmp_path / "x-1.json", episode(trajectory=turns, state="fail"))

    (case,) = AmaBench().load(path)

    assert [(1, "look", ""), (2, "", "A room.")] == [(s.index, s.action, s.observation) for s in case.stream.units]
    assert case.stream.success is False
    assert ["x-1: steps with neither action nor observation were left out: 0, 3"] == list(AmaBench().check(path))


@pytest.mark.parametrize("kind", ["tar", "xz", "gz"])
def test_packed(tmp_path: Path, kind: str) -> None:
    """An archive is read in its own order; what is no task in it is passed over."""
    name = tmp_path / ("a.tar" if kind == "tar" else f"a.tar.{kind}")
    files = {"t/b-2.json": episode(), "t/readme.txt": {}, "t/a-1.json": episode(), "t/.x.json": {}}
    path = pack(name, files) if kind != "tar" else _plain(name, files)
    assert ["b-2", "a-1"] == [case.stream.id for case in AmaBench().load(path)]


def _plain(path: Path, files: dict[str, Any]) -> Path:
    packed = pack(path.with_suffix(".xz"), files)
    path.write_bytes(lzma.decompress(packed.read_bytes()))
    return path


def test_lines(tmp_path: Path) -> None:
    """The released wrapping, a line an episode, names its streams by task type and number."""
    released = episode(episode_id=7, task_type="babaisai", success=False, domain="Game")
    del released["state"]
    path = write(tmp_path / "open_end_qa_set.jsonl", released, episode(episode_id=8, domain="Text 2 SQL"))
    assert [("babaisai-7", False), ("text_2_sql-8", True)] == [
        (case.stream.id, case.stream.success) for case in AmaBench().load(path)
    ]
    assert ["babaisai-7"] == [case.stream.id for case in AmaBench(family="games").load(path)]


@given(st.lists(st.tuples(st.text(), st.text()), min_size=1, max_size=4))
def test_any_text(tmp_path_factory: pytest.TempPathFactory, sides: list[tuple[str, str]]) -> None:
    """Whatever the steps say, they say it here too."""
    turns = [{"turn_idx": n, "action": a, "observation": o} for n, (a, o) in enumerate(sides)]
    (case,) = AmaBench().load(write(tmp_path_factory.mktemp("ama") / "x-1.json", episode(trajectory=turns)))
    assert [side for side in sides if any(side)] == [(step.action, step.observation) for step in case.stream.units]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"qa_pairs": [{"question": "?"}]}, ": qa_pairs[0]: object missing required field `answer`; repair"),
        ({"trajectory": [{"turn_idx": "0"}]}, ": trajectory[0].turn_idx: expected `int`, got `str`; repair"),
        ({"trajectory": [{"turn_idx": 1, "action": "a"}] * 2}, ": turn_idx 1 comes after 1; repair the file"),
    ],
)
def test_faults(tmp_path: Path, data: dict[str, Any], expected: str) -> None:
    """A file that does not fit is one sentence with file and key; within an archive it names the member, too."""
    path = write(tmp_path / "x-1.json", episode(**data))
    packed = pack(tmp_path / "all.tar.xz", {"t/x-1.json": episode(**data)})
    for wrong, where in ((path, str(path)), (packed, f"{packed}: t/x-1.json")):
        with pytest.raises(DataError) as caught:
            list(AmaBench().load(wrong))
        assert str(caught.value).startswith(f"{where}{expected}")


def test_faults_of_archives(tmp_path: Path) -> None:
    """A torn, wrong or empty archive is named, and so are two episodes of one name."""
    torn = pack(tmp_path / "torn.tar.xz", {"a-1.json": episode()})
    torn.write_bytes(torn.read_bytes()[:-60])
    wrong = tmp_path / "wrong.tar.xz"
    wrong.write_text("no archive")
    empty = pack(tmp_path / "empty.tar.xz", {"readme.txt": {}})
    twice = pack(tmp_path / "twice.tar.xz", {"a/x-1.json": episode(), "b/x-1.json": episode()})
    for path, expected in (
        (torn, ": the archive cannot be read ("),
        (wrong, ": the archive cannot be read ("),
        (empty, ": this archive holds no .json file; give the path to AMA-Bench's episodes"),
        (twice, ": b/x-1.json: two episodes are called 'x-1'; rename one"),
    ):
        with pytest.raises(DataError) as caught:
            list(AmaBench().load(path))
        assert str(caught.value).startswith(f"{path}{expected}")


def test_registration() -> None:
    """The dataset is registered, and an unknown family is refused by name."""
    registry = Registry()
    memkit_register(registry)
    assert AmaBench("gaia") == registry.make("dataset", "ama-bench", {"family": "gaia"})
    with pytest.raises(ConfigError, match="family"):
        registry.make("dataset", "ama-bench", {"family": "gaja"})
