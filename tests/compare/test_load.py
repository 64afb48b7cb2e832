from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.compare.load import load_spec, parse_yaml
from memkit.compare.plan import make_plan
from memkit.compare.spec import Spec
from memkit.errors import ConfigError, UserError
from memkit.registry import Registry

GOOD = """\
data: [demo]
factors:
  builder: [verbatim]
  harness: [center]
"""
WRONG = {
    "": "S: must be a map with the keys data and factors",
    "# nothing but a remark\n": "S: must be a map with the keys data and factors",
    "just a text": "S: must be a map with the keys data and factors",
    "[demo]": "S: must be a map with the keys data and factors",
    "data: [demo\n": "S:2: cannot be read as YAML: expected ',' or ']', but got '<stream end>'",
    "data:\n\t- demo\n": "S:2: cannot be read as YAML: found character '\\t' that cannot start any token",
    "a: 1\n---\nb: 2\n": "S:2: cannot be read as YAML: but found another document",
    "data: [demo]\ndata: [demo]\n": "S:2: cannot be read as YAML: the key 'data' is given twice; leave one out",
    "a: &a [1]\nb: *a\n": "S:2: cannot be read as YAML: aliases are not allowed; write the value out",
    "1: demo\n": "S:1: cannot be read as YAML: the key 1 is not text; put it in quotes",
    "? [a]\n: b\n": "S:1: cannot be read as YAML: the key ['a'] is not text; put it in quotes",
    "name: !!binary aGk=\n": (
        "S:1: cannot be read as YAML: values tagged 'binary' are not allowed; write a plain value"
    ),
    "name: !!python/object:os.system x\n": (
        "S:1: cannot be read as YAML: values tagged 'python/object:os.system' are not allowed; write a plain value"
    ),
    "name: \x00\n": "S: cannot be read as YAML: special characters are not allowed",
    "[" * 5000: "S: is nested too deeply for a spec",
    "data: [demo]\n": "S: lacks 'factors', which has no default",
    "factors: {builder: [verbatim], harness: [center]}\n": "S: lacks 'data', which has no default",
    GOOD + "dat: [demo]\n": "S: unknown key 'dat'; did you mean 'data'?",
    GOOD + "xyzzy: 1\n": (
        "S: unknown key 'xyzzy'; valid keys: attempts, baseline, contrasts, data, factors, judge, judge_model, matrix,"
        " metrics, name, nulls, schema, seed"
    ),
    GOOD.replace("builder", "bilder"): "S: factors: unknown key 'bilder'; did you mean 'builder'?",
    GOOD.replace("[verbatim]", "verbatim"): "S: factors.builder: expected a list, got 'verbatim'",
    GOOD.replace("[verbatim]", "[]"): "S: factors: builder is empty; name at least one",
    GOOD.replace("[verbatim]", "[7]"): "S: factors.builder[0]: expected a map, got 7",
    GOOD.replace("[verbatim]", "[{usе: x}]"): "S: factors.builder[0]: unknown key 'usе'; did you mean 'use'?",
    GOOD.replace("[verbatim]", "[verbatm]"): "no builder is called 'verbatm'; did you mean 'verbatim'?",
    GOOD.replace("[verbatim]", "[{use: verbatim, with: {colour: red}}]"): (
        "builder verbatim[colour=red]: unknown key 'colour'; valid keys: none"
    ),
    GOOD.replace("[verbatim]", "[verbatim, verbatim]"): (
        "factors: builder: two values are called 'verbatim'; give one a label"
    ),
    GOOD.replace("[verbatim]", '[{use: verbatim, label: "a\\nb"}]'): (
        "S: factors.builder[0]: 'a\\nb' is no label; use up to 80 printable characters"
    ),
    GOOD.replace("[center]", "[centre]"): "no harness is called 'centre'; did you mean 'center'?",
    GOOD.replace("[center]", "[chunks]"): (
        "no combination of these parts fits together (verbatim / chunks: needs a chunk store); choose others"
    ),
    GOOD.replace("[demo]", "[]"): "S: data is empty; name at least one",
    GOOD.replace("[demo]", "[dem]"): "no dataset is called 'dem'; did you mean 'demo'?",
    GOOD.replace("[demo]", "[demo, demo]"): (
        "data: two streams are called 'demo'; select one of the data sets that hold it"
    ),
    GOOD.replace("[demo]", "[{use: demo, select: {limit: 0}}]"): "S: data[0].select: 'limit' must be >= 1: 0",
    GOOD.replace("[demo]", "[{use: demo, select: {limit: many}}]"): (
        "S: data[0].select.limit: expected a whole number, got 'many'"
    ),
    GOOD.replace("[demo]", "[{use: demo, select: {streams: [dem]}}]"): (
        "data[0].select.streams: no stream is called 'dem'; did you mean 'demo'?"
    ),
    GOOD.replace("[demo]", "[{use: demo, select: {streams: []}}]"): (
        "the selected data hold no questions; widen select, or check the path"
    ),
    GOOD + "schema: 2\n": "S: schema: must be one of 1",
    GOOD + "name: ../up\n": ("S: '../up' cannot name a run; use letters, digits and . _ - (at most 64, no sign first)"),
    GOOD + "name: 2024-01-31\nattempts: 0\n": "S: 'attempts' must be >= 1: 0",
    GOOD + "seed: 1.5\n": "S: seed: expected a whole number, got 1.5",
    GOOD + "judge: token-f2\n": "no judge is called 'token-f2'; did you mean 'token-f1'?",
    GOOD + "judge: {use: token-f1, with: {scorer: bleu}}\n": (
        "judge token-f1[scorer=bleu]: scorer: must be one of 'f1', 'locomo'"
    ),
    GOOD + "contrasts: [{vary: colour}]\n": (
        "S: contrasts[0].vary: must be one of 'builder', 'harness', 'searcher', 'search_model', 'manage_model'"
    ),
    GOOD + "baseline: {bilder: verbatim}\n": "baseline: no factor is called 'bilder'; did you mean 'builder'?",
    GOOD + "baseline: {builder: verbatm}\n": "baseline: no builder is labelled 'verbatm'; did you mean 'verbatim'?",
    GOOD + "matrix: {exclude: [{harness: centre}]}\n": (
        "matrix.exclude[0]: no harness is labelled 'centre'; did you mean 'center'?"
    ),
    GOOD + "matrix: {exclude: [{harnes: center}]}\n": (
        "matrix.exclude[0]: no factor is called 'harnes'; did you mean 'harness'?"
    ),
    GOOD + "matrix: {exclude: [{}]}\n": ("matrix.exclude[0]: names no factor; write a map such as {builder: verbatim}"),
    GOOD + "nulls: {rows: [oracel]}\n": ("S: nulls.rows[0]: must be one of 'closed-book', 'long-context', 'oracle'"),
    GOOD + "nulls: {rows: [oracle, oracle]}\n": "S: nulls: rows names 'oracle' twice; leave one out",
    GOOD + "nulls: {long_context_tokens: 0}\n": ("S: nulls: 'long_context_tokens' must be >= 1: 0"),
}


def read(text: str, folder: Path, **overrides: str) -> Spec:
    """The spec in a file of that text."""
    path = folder / "spec.yaml"
    path.write_text(text, encoding="utf-8")
    return load_spec(path, overrides)


@pytest.mark.parametrize(("text", "message"), WRONG.items(), ids=range(len(WRONG)))
def test_wrong_specs(text: str, message: str, tmp_path: Path, registry: Registry) -> None:
    """Every fault is one sentence: what, where, and how to mend it."""
    with pytest.raises(UserError) as caught:
        make_plan(read(text, tmp_path), registry)

    assert message == str(caught.value).replace(str(tmp_path / "spec.yaml"), "S")


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
