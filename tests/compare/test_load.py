from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.compare.load import load_spec, parse_yaml
from memkit.compare.spec import EXTRACTIVE, Budget, Spec, Use
from memkit.errors import ConfigError, UserError

GOOD = """\
data: [demo]
factors:
  builder: [verbatim]
  harness: [center]
"""


def read(text: str, folder: Path, **overrides: str) -> Spec:
    """The spec in a file of that text."""
    path = folder / "spec.yaml"
    path.write_text(text, encoding="utf-8")
    return load_spec(path, overrides)


def test_good_spec(tmp_path: Path) -> None:
    """A spec as short as can be, a byte-order mark before it."""
    spec = read("\ufeff" + GOOD, tmp_path)

    assert (["demo"], ["verbatim"]) == ([one.use for one in spec.data], [one.use for one in spec.factors.builder])


def test_dates_are_text(tmp_path: Path) -> None:
    """What looks like a date is the text that was written."""
    assert "2024-01-31" == read(GOOD + "name: 2024-01-31\n", tmp_path).name


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "there is no spec S; give a path to a YAML file, or use flags"),
        (b"name: \xff\n", "S: is not UTF-8 text (byte 6); save it as UTF-8"),
        ("folder", "the spec S cannot be read: Is a directory; give a path to a YAML file"),
    ],
    ids=["absent", "latin-1", "folder"],
)
def test_unreadable(content: bytes | str | None, message: str, tmp_path: Path) -> None:
    """A file that is not there, no text, or a folder is told from a wrong spec."""
    path = tmp_path / "spec.yaml"
    if content == "folder":
        path.mkdir()
    elif isinstance(content, bytes):
        path.write_bytes(content)

    with pytest.raises(UserError) as caught:
        load_spec(path)

    assert message == str(caught.value).replace(str(path), "S")


def test_overrides(tmp_path: Path) -> None:
    """A dotted path reaches into maps and lists; what is not there yet is made."""
    spec = read(GOOD, tmp_path, **{"attempts": "2", "data.0": "{use: demo}", "nulls.rows": "[oracle]"})

    assert (2, "demo", ["oracle"]) == (spec.attempts, spec.data[0].use, spec.nulls.rows)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("data.3.use", "demo", "--set data.3.use: '3' cannot be set within a list of 1, counted from 0"),
        ("data.x", "demo", "--set data.x: 'x' cannot be set within a list of 1, counted from 0"),
        ("data.0.use", "demo", "--set data.0.use: 'use' cannot be set within 'demo', which is no map"),
        (
            "attempts",
            "[",
            "--set attempts:1: cannot be read as YAML: expected the node content, but found '<stream end>'",
        ),
        ("atempts", "2", "S: unknown key 'atempts'; did you mean 'attempts'?"),
    ],
)
def test_wrong_overrides(key: str, value: str, message: str, tmp_path: Path) -> None:
    """A path that leads nowhere and a value that is no YAML say so."""
    with pytest.raises(ConfigError) as caught:
        read(GOOD, tmp_path, **{key: value})

    assert message == str(caught.value).replace(str(tmp_path / "spec.yaml"), "S")


@given(st.text(alphabet="ab:-[]{}&*!?|>'\"#%@`,\n\t 01.~<=\ufeff\x85\ud800", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Whatever a file holds, the answer is a value or a ConfigError."""
    try:
        outcome: Any = parse_yaml(text, where="spec.yaml")
    except ConfigError as error:
        outcome = error.where.partition(":")[0]
    assert isinstance(outcome, dict | list | str | int | float | None)


@given(st.sampled_from(["[" * 5000, "a: " * 3, "\x00", "- \ud800", "? [a]\n: b\n", "name: !!binary aGk=\n"]))
def test_text_that_is_no_spec(text: str) -> None:
    """Nesting, control characters, lists as keys and tags are refused in words."""
    with pytest.raises(ConfigError):
        parse_yaml(text, where="spec.yaml")


def test_extends(tmp_path: Path) -> None:
    """Maps are merged key by key; lists, and parts with their options, are replaced whole; files nest."""
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "first.yaml").write_text(GOOD + "seed: 3\nbudget: {usd: 5, wall: 2h}\n")
    (tmp_path / "second.yaml").write_text(
        "extends: shared/first.yaml\nfactors: {harness: [center, shell]}\n"
        "judge: {use: llm, with: {attribution: false}}\n"
    )
    spec = read("extends: second.yaml\nbudget: {usd: 9}\njudge: {use: exact}\n", tmp_path, seed="4")

    assert (["verbatim"], ["center", "shell"]) == (
        [one.use for one in spec.factors.builder],
        [one.use for one in spec.factors.harness],
    )
    assert (Budget(usd=9, wall=7200), Use("exact"), 4) == (spec.budget, spec.judge, spec.seed)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("extends: wrong.yaml\n", "wrong.yaml: factors: unknown key 'bilder'; did you mean 'builder'?"),
        ("extends: wrong.yaml\nfactors: {harness: 3}\n", "S: factors: unknown key 'bilder'; did you mean 'builder'?"),
        ("extends: half.yaml\n", "S: lacks 'factors', which has no default"),
        ("extends: half.yaml\nfactors: {builder: [verbatim]}\n", "S: factors: lacks 'harness', which has no default"),
    ],
    ids=["in the other", "first in this one", "in neither", "in neither, deeper"],
)
def test_whose_fault_it_is(text: str, message: str, tmp_path: Path) -> None:
    """A fault is told of the file it stands in; what is lacking, of the one that was to be whole."""
    (tmp_path / "wrong.yaml").write_text(GOOD.replace("builder", "bilder"))
    (tmp_path / "half.yaml").write_text("data: [demo]\n")
    with pytest.raises(ConfigError) as caught:
        read(text, tmp_path)

    found = str(caught.value).replace(str(tmp_path / "spec.yaml"), "S").replace(f"{tmp_path}/", "")
    assert message.replace("S: factors: unknown", "wrong.yaml: factors: unknown") == found


@pytest.mark.parametrize(
    ("written", "judge", "model"),
    [
        ("{correctness: token-f1}", Use("token-f1"), Use(EXTRACTIVE)),
        ("{correctness: llm, model: openai/any}", Use("llm"), Use("openai/any")),
        (
            "{correctness: llm, attribution: llm, model: {use: openai/any, with: {seed: 1}}}",
            Use("llm", {"attribution": True}),
            Use("openai/any", {"seed": 1}),
        ),
        ("{correctness: llm, attribution: false}", Use("llm", {"attribution": False}), Use(EXTRACTIVE)),
        ("{use: llm, label: mine}", Use("llm", {}, "mine"), Use(EXTRACTIVE)),
    ],
)
def test_judge_by_score(written: str, judge: Use, model: Use, tmp_path: Path) -> None:
    """A judge may be said by what it judges, with its model beside it."""
    spec = read(GOOD + f"judge: {written}\n", tmp_path)

    assert (judge, model) == (spec.judge, spec.judge_model)
