from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memkit.compare.units import read_segment

Memkit = Callable[..., Any]
SMALL = ("compare", "--data", "demo", "--limit", "3", "--workers", "0")
FULL = (*SMALL, "--builder", "verbatim,chunk-bm25", "--harness", "center,center+bm25,chunks")
SPEC = "data: [{use: demo, select: {limit: 3}}]\nfactors: {builder: [verbatim], harness: [center]}\n"


@pytest.fixture(scope="module")
def ran(memkit: Memkit, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder in which `FULL` was run, and what that printed."""
    folder = tmp_path_factory.mktemp("ran")
    done = memkit(*FULL, cwd=folder)
    assert (0, "") == (done.returncode, done.stderr)
    return folder, done.stdout


def test_a_table_for_people(ran: tuple[Path, str]) -> None:
    """Scores, effort, build, cost and contrasts of each arm, what was left out and why, and where the results are."""
    folder, printed = ran
    lines = printed.splitlines()

    assert "compare: 1 stream, 3 answers an arm; mean scores" == lines[0]
    tables = {"verbatim / center": 7, "chunk-bm25 / chunks": 7, "closed-book (null row)": 4}
    for arm, shown in tables.items():
        assert shown == sum(line.startswith(f" {arm}  ") for line in lines)
    assert " chunk-bm25 / chunks against verbatim / center" in lines
    assert "left out: verbatim / chunks: needs a chunk store" in lines
    (run,) = (folder / "runs").iterdir()
    assert f"built 2 memories, answered 18 questions; results in runs/{run.name}" == lines[-1]
    assert lines == [line.rstrip() for line in lines]


def test_again(ran: tuple[Path, str], memkit: Memkit) -> None:
    """The same command executes nothing and prints the same table; every unit stays on record once."""
    folder, printed = ran
    again = memkit(*FULL, cwd=folder).stdout.splitlines()

    assert printed.splitlines()[:-1] == again[:-1]
    assert again[-1].startswith("built 0 memories, answered 0 questions; ")
    segments = folder.glob("runs/*/units/*/*.jsonl")
    keys = [(segment.parent.name, record["key"]) for segment in segments for record in read_segment(segment)]
    assert 2 + 18 + 18 == len(keys) == len(set(keys))


@pytest.mark.parametrize("columns", [80, 100])
def test_width(columns: int, ran: tuple[Path, str], memkit: Memkit) -> None:
    """Tables fit the width there is, and no number is cut."""
    tables, _, _ = memkit(*FULL, cwd=ran[0], env={"COLUMNS": str(columns)}).stdout.partition("\n  one stream")

    assert columns >= max(map(len, tables.splitlines()))
    assert "…" not in tables


def test_json(memkit: Memkit, tmp_path: Path) -> None:
    """Standard output is JSON in ASCII and nothing else; it is `summary.json` and what the run did."""
    done = memkit(*SMALL, "--json", cwd=tmp_path)
    data = json.loads(done.stdout)

    assert (0, "", True) == (done.returncode, done.stderr, done.stdout.isascii())
    run = data.pop("run")
    audit = run.pop("audit")
    assert {"equal"} == {fact["verdict"] for fact in audit}
    assert {
        "built": 1,
        "answered": 12,
        "reused": [],
        "errors": [],
        "complete": True,
        "interrupted": False,
        "stopped": "",
        "comparable": True,
    } == {key: value for key, value in run.items() if key != "directory"}
    assert data == json.loads((tmp_path / run["directory"] / "results" / "summary.json").read_text())


def test_spec_file(memkit: Memkit, tmp_path: Path) -> None:
    """A spec file is run, with values overridden; the flags it replaces are refused beside it."""
    (tmp_path / "spec.yaml").write_text(SPEC)
    done = memkit(
        "compare", "spec.yaml", "--set", "nulls.rows=[]", "--set", "name=mine", "--workers", "0", "--json", cwd=tmp_path
    )

    data = json.loads(done.stdout)
    assert ("mine", ["verbatim / center"]) == (data["name"], [arm["label"] for arm in data["arms"]])
    refused = memkit("compare", "spec.yaml", "--no-nulls", cwd=tmp_path)
    assert (2, "memkit: --no-nulls and a spec file exclude each other; with the file use --set PATH=VALUE\n") == (
        refused.returncode,
        refused.stderr,
    )


def test_without_defective(memkit: Memkit, tmp_path: Path) -> None:
    """The table says how many golds do not stand; with the switch it says which were left out, and why."""
    lines = [
        {"type": "turn", "speaker": "Ana", "text": "The kite is red."},
        {"type": "question", "id": "q1", "question": "Which colour is the kite?", "answer": "red"},
        {"type": "question", "id": "q2", "question": "Is it blue?", "answer": "yes", "defect": "it is red [S1T1]"},
    ]
    (tmp_path / "mine.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    command = ("compare", "--data", "jsonl:mine.jsonl", "--workers", "0")
    whole = memkit(*command, cwd=tmp_path).stdout.splitlines()
    restated = memkit(*command, "--without-defective", cwd=tmp_path).stdout.splitlines()

    assert "compare: 1 stream, 2 answers an arm; mean scores" == whole[0]
    said = "note: 1 question with a gold that the stream contradicts; --without-defective restates this without"
    assert said in whole
    assert "compare: 1 stream, 1 answer an arm; mean scores" == restated[0]
    at = restated.index("left out: 1 question with a gold that the stream contradicts")
    assert "  mine, q2: it is red [S1T1]" == restated[at + 1]
    assert restated[-1].startswith("built 0 memories, answered 0 questions; ")


def test_flags_and_spec_are_one(memkit: Memkit, tmp_path: Path) -> None:
    """Said with flags or in a file, it is the same comparison: the second executes nothing."""
    (tmp_path / "spec.yaml").write_text(SPEC)
    memkit(*SMALL, cwd=tmp_path)

    assert 0 == json.loads(memkit("compare", "spec.yaml", "--json", cwd=tmp_path).stdout)["run"]["answered"]


WRONG = {
    (): "say what to compare on: --data demo, --data jsonl:my.jsonl, or a spec file",
    ("--data", "dmo"): "the flags: data[0]: no dataset is called 'dmo'; did you mean 'demo'?",
    ("--data", "jsonl"): None,
    ("--data", "jsonl:absent.jsonl"): None,
    ("--data", "locomo:absent"): None,
    ("--data", "demo", "--data", "demo"): (
        "the flags: data: two streams are called 'demo'; select one of the data sets that hold it"
    ),
    ("--data", "demo", "--builder", "verbatm"): (
        "the flags: factors.builder[0]: no builder is called 'verbatm'; did you mean 'verbatim'?"
    ),
    ("--data", "demo", "--builder", ","): "the flags: factors: builder is empty; name at least one",
    ("--data", "demo", "--builder", "verbatim,verbatim"): (
        "the flags: factors.builder[1]: two values are called 'verbatim'; give one a label"
    ),
    ("--data", "demo", "--harness", "chunks"): (
        "the flags: factors: no combination of these parts fits together (verbatim / chunks: needs a chunk store);"
        " choose others"
    ),
    ("--data", "demo", "--model", "gpt"): (
        "the flags: factors.models.search[0]: no model is called 'gpt'; there are: memkit/extractive, memkit/local, and"
        " any provider/model"
    ),
    ("--data", "demo", "--name", "a/b"): (
        "the flags: name 'a/b' cannot name a run; use letters, digits and . _ - (at most 64, no sign first)"
    ),
    ("--data", "demo", "--stream", "dem"): (
        "the flags: data[0].select.streams: no stream is called 'dem'; did you mean 'demo'?"
    ),
    ("--data", "demo", "--set", "atempts=2"): "the flags: unknown key 'atempts'; did you mean 'attempts'?",
    ("--data", "demo", "--runner", "ray"): "no runner is called 'ray'; there are: local",
    ("absent.yaml",): "there is no spec absent.yaml; give a path to a YAML file, or use flags",
    ("absent.yaml", "--set", "attempts"): (
        "--set attempts: write PATH=VALUE, such as attempts=3 or data.0.select.limit=50"
    ),
}


@pytest.mark.parametrize(("arguments", "message"), WRONG.items(), ids=map(" ".join, WRONG))
def test_wrong_usage(arguments: tuple[str, ...], message: str | None, memkit: Memkit, tmp_path: Path) -> None:
    """Bad input is exit code 2 and one line on standard error; nothing is written."""
    done = memkit("compare", *arguments, cwd=tmp_path)

    assert (2, "") == (done.returncode, done.stdout)
    assert done.stderr.startswith("memkit: ")
    assert 1 == done.stderr.count("\n")
    assert message is None or f"memkit: {message}\n" == done.stderr
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "arguments",
    [("--limit", "0"), ("--attempts", "x"), ("--workers", "-1"), ("--nosuch",), ("a.yaml", "b.yaml"), ("--data",)],
    ids=" ".join,
)
def test_wrong_flags(arguments: tuple[str, ...], memkit: Memkit, tmp_path: Path) -> None:
    """A flag that does not fit is exit code 2 and named; nothing is written."""
    done = memkit("compare", "--data", "demo", *arguments, cwd=tmp_path)

    assert (2, "") == (done.returncode, done.stdout)
    assert done.stderr.splitlines()[-1].startswith("Error: ")
    assert [] == list(tmp_path.iterdir())


def counts(done: Any) -> dict[str, list[int]]:
    """Arm -> answered and asked."""
    return {arm["label"]: [arm["answered"], arm["items"]] for arm in json.loads(done.stdout)["arms"]}


@pytest.mark.parametrize(
    ("builder", "said"),
    [
        ("raises", "RuntimeError: no idea \x1b[2Jwhy (FILE; a bug of that part)"),
        ("dies", "the worker process died; what it had finished is kept"),
    ],
)
def test_a_builder_that_fails(builder: str, said: str, memkit: Memkit, faulty: dict[str, str], tmp_path: Path) -> None:
    """Its rows are missing and its error is shown; other arms finish; mended, only its rows are done."""
    command = (*SMALL[:-2], "--builder", f"{builder},verbatim", "--no-nulls")
    first = memkit(*command, "--json", cwd=tmp_path, env=faulty)

    assert (3, "") == (first.returncode, first.stderr)
    assert {f"{builder} / center": [0, 3], "verbatim / center": [3, 3]} == counts(first)
    (error,) = json.loads(first.stdout)["run"]["errors"]
    shown = error.partition(": ")[2].replace(f"{tmp_path}/site/memkit_faulty.py:15", "FILE")
    assert (True, said) == (error.startswith(f"{builder}, demo ("), shown)
    table = memkit(*command, cwd=tmp_path, env=faulty).stdout
    assert "\x1b" not in table
    assert "\nfailed: " in table
    assert table.endswith("incomplete: run the same command again to go on\n")

    Path(faulty["MENDED"]).touch()
    again = memkit(*command, "--json", cwd=tmp_path, env=faulty)
    assert (0, 3) == (again.returncode, json.loads(again.stdout)["run"]["answered"])
    assert {f"{builder} / center": [3, 3], "verbatim / center": [3, 3]} == counts(again)


def test_a_model_that_fails(memkit: Memkit, faulty: dict[str, str], tmp_path: Path) -> None:
    """Questions the model refuses are missing, the others are answered; mended, only those are asked."""
    command = ("compare", "--data", "demo", "--model", "faulty/moody", "--no-nulls", "--workers", "0", "--json")
    first = memkit(*command, cwd=tmp_path, env=faulty)

    answered, asked = counts(first)["verbatim / center"]
    errors = json.loads(first.stdout)["run"]["errors"]
    assert 3 == first.returncode
    assert 0 < answered < asked
    assert asked - answered == len(errors)
    assert all(error.endswith(": the provider is out") for error in errors)
    rows = (
        (tmp_path / json.loads(first.stdout)["run"]["directory"] / "results" / "items.jsonl").read_text().splitlines()
    )
    assert asked - answered == [json.loads(row)["status"] for row in rows].count("infra_error")

    Path(faulty["MENDED"]).touch()
    again = memkit(*command, cwd=tmp_path, env=faulty)
    assert (0, asked - answered) == (again.returncode, json.loads(again.stdout)["run"]["answered"])


def test_text_from_data_drives_no_terminal(memkit: Memkit, tmp_path: Path) -> None:
    """Escape codes in the names of streams and questions reach neither terminal nor JSON."""
    turn = {"type": "turn", "speaker": "\x1b[31mAna\x1b[0m", "text": "I moved to \x1b]0;Porto\x07."}
    question = {
        "type": "question",
        "id": "q\x1b[2J",
        "question": "Where does Ana live?",
        "answer": "Porto",
        "category": "\x9b",
    }
    lines = [{"type": "stream", "id": "s\x1b[2J\u202e"}, turn, question]
    (tmp_path / "data.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    for arguments in (
        ("compare", "--workers", "0", "--data"),
        ("data", "ls"),
        ("data", "check"),
        ("compare", "--stream", "x", "--data"),
    ):
        done = memkit(*arguments, "jsonl:data.jsonl", cwd=tmp_path)
        assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(done.stdout + done.stderr)

    assert memkit("compare", "--workers", "0", "--data", "jsonl:data.jsonl", "--json", cwd=tmp_path).stdout.isascii()
