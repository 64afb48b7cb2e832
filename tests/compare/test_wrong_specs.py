"""The corpus of wrong specs: for each file, the sentence beside it, from the command a person types."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import jsonschema
import pytest

from memkit.cli.main import run
from memkit.compare.load import load_spec, parse_yaml
from memkit.compare.schema import spec_schema
from memkit.errors import MemkitError

CORPUS = Path(__file__).with_name("wrong_specs")
NAMES = sorted(path.stem for path in CORPUS.glob("*.yaml"))
BEYOND_A_SCHEMA = {"extends-absent", "extends-itself", "extends-wrong", "judge-attribution", "judge-two-models"}
"""What only another file tells, or two values together."""


def is_yaml(name: str) -> bool:
    """Whether the fault is beyond that of the language."""
    try:
        parse_yaml((CORPUS / f"{name}.yaml").read_text(), where=name)
    except MemkitError:
        return False
    return True


def test_there_are_enough() -> None:
    """At least forty, each with a sentence of its own file."""
    assert len(NAMES) >= 40
    assert set(NAMES) == {path.stem for path in CORPUS.glob("*.txt")}


@pytest.mark.parametrize("name", NAMES)
def test_one_sentence(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """File, path in it and mend, on standard error; exit code 2; nothing is written."""
    shutil.copytree(CORPUS, tmp_path, dirs_exist_ok=True)
    before = sorted(tmp_path.rglob("*"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["memkit", "compare", f"{name}.yaml", "--workers", "0"])
    with pytest.raises(SystemExit) as ended:
        run()

    said = capsys.readouterr()
    sentence = (CORPUS / f"{name}.txt").read_text()
    assert (2, "", f"memkit: {sentence}") == (ended.value.code, said.out, said.err)
    assert 1 == said.err.count("\n")
    assert sentence.startswith((f"{name}.yaml:", "bases/wrong.yaml:"))
    assert before == sorted(tmp_path.rglob("*"))


@pytest.mark.parametrize("name", [name for name in NAMES if is_yaml(name)])
def test_the_schema_refuses_what_is_wrong_in_shape(name: str) -> None:
    """An editor marks what the reader refuses, whatever parts are installed; and nothing else."""
    data = parse_yaml((CORPUS / f"{name}.yaml").read_text(), where=name)
    try:
        load_spec(CORPUS / f"{name}.yaml")
        reads = True
    except MemkitError:
        reads = name in BEYOND_A_SCHEMA

    assert reads == jsonschema.Draft202012Validator(spec_schema()).is_valid(data)
