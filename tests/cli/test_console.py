from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memkit.cli.console import clean, count, say_json, say_table

HOSTILE = st.text(alphabet=st.one_of(st.characters(), st.sampled_from("\x1b[2J\x07\x9b\u202e\u2066\ud800\r\n\t")))


@given(HOSTILE)
def test_clean(text: str) -> None:
    """No control character but tab and line feed is left, and nothing else is lost."""
    cleaned = clean(text)

    assert len(text) == len(cleaned)
    left = {
        char
        for char in cleaned
        if unicodedata.category(char) in ("Cc", "Cs") or unicodedata.bidirectional(char) in _BIDI
    }
    assert left <= {"\t", "\n"}
    assert all(new in (old, "\ufffd") for old, new in zip(text, cleaned, strict=True))


_BIDI = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@given(HOSTILE)
def test_json_is_exact(text: str) -> None:
    """What is printed as JSON is ASCII and reads back as it was."""
    with pytest.MonkeyPatch.context() as patch:
        printed: list[str] = []
        patch.setattr("click.echo", printed.append)
        say_json({"text": text})

    assert printed[0].isascii()
    assert {"text": text} == json.loads(printed[0])


def test_a_row_is_a_row(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Markup and line breaks in a cell are text; trailing spaces are not printed."""
    monkeypatch.delenv("COLUMNS", raising=False)
    say_table("T [bold]", ["name", "two words"], [["[red]a\nb[/red]\x1b", "1"]])

    assert [
        "T [bold]",
        "",
        "                     two",
        " name              words",
        " ───────────────────────",
        " [red]a b[/red]\ufffd       1",
        "",
    ] == capsys.readouterr().out.splitlines()


def test_count() -> None:
    """One is one, anything else is many."""
    assert ["0 files", "1 file", "2 files", "2 memories"] == [
        count(0, "file"),
        count(1, "file"),
        count(2, "file"),
        count(2, "memory", "memories"),
    ]
