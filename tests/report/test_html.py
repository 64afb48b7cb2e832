from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest

from memkit.report.document import make_report
from memkit.report.html import heat, render_html
from memkit.report.text import UNSAFE
from memkit.runs.open import Run

ReadPage = Callable[[str], Any]
MEGABYTES = 1_000_000
RUNS = ("demo_run", "hostile_run")


@pytest.fixture(params=RUNS)
def html(request: pytest.FixtureRequest) -> str:
    """The page of each run."""
    run: Run = request.getfixturevalue(request.param)
    return render_html(make_report(run))


def test_nothing_is_loaded_or_run(html: str, read_page: ReadPage) -> None:
    """No element loads, runs, frames, embeds, refreshes or sends anything, and no attribute is a script or a style."""
    elements = read_page(html).elements
    tags = {tag for tag, _ in elements}
    attributes = {name for _, attrs in elements for name in attrs}

    assert set() == tags & {
        "script",
        "img",
        "iframe",
        "link",
        "object",
        "embed",
        "form",
        "input",
        "base",
        "image",
        "use",
    }
    assert set() == {name for name in attributes if name.startswith("on")} | attributes & {"style", "src", "srcset"}
    assert {"a"} == {tag for tag, attrs in elements if "href" in attrs}
    assert all((attrs.get("href") or "#").startswith("#") for _, attrs in elements)
    assert [tag for tag, _ in elements].count("title") == 1 + html.count("<title>", html.index("<body>"))


def test_no_text_drives_a_page(html: str) -> None:
    """No control, bidirectional or invisible character is left."""
    assert None is UNSAFE.search(html)


def test_texts_are_shown_as_they_are(hostile_run: Run, read_page: ReadPage) -> None:
    """A text that would be markup, a script or a template is read as it was written."""
    html = render_html(make_report(hostile_run))
    shown = " ".join(
        cell for tables in read_page(html).tables.values() for table in tables for row in table for cell in row
    )

    assert "<script>document.title='owned'</script>" in shown
    assert "{{ 7 * 7 }}{% for x in y %}{# z #}" in html


def test_policy(html: str, read_page: ReadPage) -> None:
    """The policy forbids everything but the one style sheet, whose digest it names."""
    policy = next(attrs["content"] for tag, attrs in read_page(html).elements if "http-equiv" in attrs)
    (style,) = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    digest = b64encode(sha256(style.encode()).digest()).decode()

    assert f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'" == policy


def test_links_and_labels(html: str, read_page: ReadPage) -> None:
    """Every link goes to an element of the page, ids are unique, and whatever scrolls can be reached by keyboard."""
    elements = read_page(html).elements
    ids = [attrs["id"] for _, attrs in elements if "id" in attrs]
    links = {(attrs["href"] or "")[1:] for _, attrs in elements if "href" in attrs}
    named = {attrs["aria-labelledby"] for _, attrs in elements if "aria-labelledby" in attrs}
    scrolls = [attrs for _, attrs in elements if attrs.get("class") in ("scroll", "answer")]

    assert sorted(set(ids)) == sorted(ids)
    assert set() == (links | named) - set(ids)
    assert {"0"} == {attrs.get("tabindex") for attrs in scrolls}


def test_size(html: str) -> None:
    """A page stays under 5 MB."""
    assert 5 * MEGABYTES > len(html.encode())


def test_same_bytes(hostile_run: Run) -> None:
    """The same run gives the same page."""
    assert render_html(make_report(hostile_run)) == render_html(make_report(hostile_run))


def test_other_results(demo_run: Run) -> None:
    """A summary that knows nothing of what later versions added is reported too."""
    kept = {"name", "primary", "baseline", "pairs", "streams", "arms"}
    before = {name: value for name, value in demo_run.summary.items() if name in kept}
    run = Run(demo_run.directory, demo_run.results, demo_run.spec, before, {})

    assert '<h2 id="provenance-title">' in render_html(make_report(run, each_way=0))


@pytest.mark.parametrize(("value", "shade"), [(0.0, 0), (0.04, 0), (0.05, 1), (0.5, 5), (0.99, 10), (1.0, 10)])
def test_heat(value: float, shade: int) -> None:
    """Scores are shaded in tenths, to the nearest."""
    assert shade == heat(value)
