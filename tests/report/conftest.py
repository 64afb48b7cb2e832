"""Runs to report on, made once: the demo, and data and labels that would take a page over; and a reader of pages."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

from memkit.compare.comparison import compare
from memkit.compare.spec import Spec, Use
from memkit.converter import structure
from memkit.runs.open import Run, open_run
from memkit.runs.record import record_results

HOSTILE = (
    "<script>document.title='owned'</script>",
    "</style></title><script>document.title='owned'</script>",
    "<img src=https://evil.example/x.png onerror=\"document.title='owned'\">",
    "\"><svg onload=document.title='owned'><circle r=1></circle></svg>",
    "' onmouseover='document.title=1' style='position:fixed' x='",
    "</pre></details></p></main><iframe src=https://evil.example/></iframe>",
    "<link rel=stylesheet href=https://evil.example/x.css><style>body{display:none}</style>",
    "{{ 7 * 7 }}{% for x in y %}{# z #}",
    "\u202edetrevni\u2066 isolate \u200e \u2028",
    "bell\x07 escape\x1b[2J\x9b1m",
    "]]></text></svg><script>document.title='owned'</script>",
    "[click](javascript:alert(1)) ![x](https://evil.example/p.png) www.evil.example @everyone `tick` ``two`` | bar",
    "--><!-- <meta http-equiv=refresh content='0;url=https://evil.example'>",
)
LABELS = ("<script>document.title='owned'</script>", '"><img src=https://evil.example/x.png> | `[x](y)` @all')


@define
class Page(HTMLParser):
    """The elements of a page, and the cells of the tables below each element with an id."""

    elements: list[tuple[str, Mapping[str, str | None]]] = field(factory=list)
    tables: dict[str, list[list[list[str]]]] = field(factory=dict)
    _section: str = ""
    _cell: list[str] | None = None

    def __attrs_pre_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag == "section":
            self._section = str(dict(attrs)["id"])
        elif tag == "table":
            self.tables.setdefault(self._section, []).append([])
        elif tag == "tr":
            self.tables[self._section][-1].append([])
        elif tag in ("td", "th"):
            self._cell = []

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th") and self._cell is not None:
            self.tables[self._section][-1][-1].append(" ".join("".join(self._cell).split()))
            self._cell = None

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            self._cell.append(data)


ReadPage = Callable[[str], Page]


@pytest.fixture(scope="session")
def read_page() -> ReadPage:
    """Parses HTML."""

    def read(html: str) -> Page:
        page = Page()
        page.feed(html)
        page.close()
        return page

    return read


@pytest.fixture(scope="session")
def demo_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Twelve questions of the demo under three arms and the null rows."""
    return _run(
        tmp_path_factory.mktemp("demo"),
        data=[{"use": "demo", "select": {"limit": 12}}],
        factors={"builder": ["verbatim", "chunk-bm25", "foldered"], "harness": ["center", "chunks"]},
        metrics={"primary": "evidence_recall", "also": ["answer_f1", "served_tokens"]},
    )


@pytest.fixture(scope="session")
def hostile_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Three streams whose every text is hostile, under two arms with hostile labels."""
    folder = tmp_path_factory.mktemp("hostile")
    data = folder / "hostile.jsonl"
    data.write_text("".join(json.dumps(line) + "\n" for number in range(3) for line in _stream(number)))
    return _run(
        folder,
        data=[{"use": "jsonl", "path": str(data)}],
        factors={
            "builder": [{"use": "verbatim", "label": LABELS[0]}, {"use": "closed-book", "label": LABELS[1]}],
            "harness": ["center"],
        },
        nulls={"rows": ["oracle"]},
    )


def _run(folder: Path, **spec: Any) -> Run:
    wanted = structure(Spec, spec, where="spec")
    done = compare(wanted, runs=folder / "runs", runner=Use("local", {"workers": 0}), on_results=record_results)
    assert done.complete
    return open_run(done.outcome.directory)


def _stream(number: int) -> list[dict[str, Any]]:
    texts = list(enumerate(HOSTILE))[number::3]
    lines: list[dict[str, Any]] = [{"type": "stream", "id": f"{number} {HOSTILE[number]}"}]
    lines += [
        {"type": "turn", "session": 1, "speaker": f"Ana{text}", "text": f"Kite{place} is in the shed {text}"}
        for place, text in texts
    ]
    lines += [
        {
            "type": "question",
            "id": f"q{place} {text}",
            "question": f"Where is kite{place}? {text}",
            "answer": f"in the shed {text}",
            "evidence": [f"S1T{turn}"],
            "category": text,
            "load": 1 + 12 * place,
        }
        for turn, (place, text) in enumerate(texts, 1)
    ]
    return lines
