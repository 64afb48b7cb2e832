from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memkit.report.document import make_report
from memkit.report.markdown import code, render_markdown
from memkit.runs.open import Run

PARSER = MarkdownIt("commonmark", {"html": True, "linkify": False}).enable("table")
STRUCTURE = {
    "heading", "paragraph", "bullet_list", "list_item", "table", "thead", "tbody", "tr", "th", "td", "inline",
    "text", "code_inline", "code_block", "softbreak",
}  # fmt: skip


def kinds(markdown: str) -> set[str]:
    """What the text is made of."""
    tokens = [one for token in PARSER.parse(markdown) for one in (token, *(token.children or ()))]
    return {token.type.removesuffix("_open").removesuffix("_close") for token in tokens}


def test_hostile_texts(hostile_run: Run) -> None:
    """No HTML, link, image or emphasis comes of the texts of a run, and every table keeps its columns."""
    markdown = render_markdown(make_report(hostile_run, each_way=0))

    assert set() == kinds(markdown) - STRUCTURE
    rows = [token.children or [] for token in PARSER.parse(markdown) if token.type == "inline"]
    outside = "".join(one.content for row in rows for one in row if one.type == "text")
    assert "evil" not in outside
    assert "@" not in outside
    html = PARSER.render(markdown)
    assert html.count("<tr>") * 7 == html.count("<td") + html.count("<th ") + html.count("<th>") + 1 * 2


def test_demo(demo_run: Run) -> None:
    """A summary leads with the findings and ends with the command that makes the run again."""
    lines = render_markdown(make_report(demo_run, each_way=0)).splitlines()

    assert f"### memkit: `{demo_run.name}`" == lines[0]
    assert "12 questions of 1 stream, 6 arms; primary metric `evidence_recall`." == lines[2]
    assert lines[4].startswith("- ○ No winner on evidence recall: ")
    directory = demo_run.directory
    assert f"    memkit compare {directory}/spec.yaml --runs {directory.parent}" == lines[-1]


@given(st.text())
def test_code(words: str) -> None:
    """A code span is one whatever is in it, alone in a paragraph and in a table."""
    (paragraph,) = (token for token in PARSER.parse(f"a {code(words)} b") if token.type == "inline")
    assert ["text", "code_inline", "text"] == [one.type for one in paragraph.children or ()]
    cells = [token for token in PARSER.parse(f"| a | b |\n|---|---|\n| {code(words)} | c |") if token.type == "inline"]
    assert 4 == len(cells)
    assert ["code_inline"] == [one.type for one in cells[2].children or ()]
    assert "c" == cells[3].content
