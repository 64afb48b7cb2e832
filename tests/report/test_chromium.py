"""The page in a real browser: nothing is complained of, nothing leaves the machine, hostile texts stay texts."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from attrs import frozen

from memkit.report.document import make_report
from memkit.report.html import render_html
from memkit.runs.open import Run

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
    "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", "--virtual-time-budget=2000",
)  # fmt: skip
SECONDS = 90
CONSOLE = re.compile(r"CONSOLE[:(].*")
WEB = re.compile(r'"url":"((?:https?|wss?|ftp)://[^"]*)"')


@frozen
class Visit:
    """What came of opening a page: its elements afterwards, what the console said, and the addresses asked for."""

    dom: str
    console: list[str]
    addresses: set[str]


Open = Callable[[str], Visit]


@pytest.fixture
def visit(tmp_path: Path) -> Open:
    """Opens HTML from disk in a fresh profile."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        pytest.skip("no Chromium is installed")

    def open_(html: str) -> Visit:
        page, log = tmp_path / "report.html", tmp_path / "net.json"
        page.write_text(html, encoding="utf-8")
        flags = (*FLAGS, f"--user-data-dir={tmp_path / 'profile'}", f"--log-net-log={log}")
        command = [browser, *flags, "--dump-dom", page.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)
        assert 0 == done.returncode, done.stderr
        return Visit(done.stdout, CONSOLE.findall(done.stderr), set(WEB.findall(log.read_text(errors="replace"))))

    return open_


def test_the_instrument(visit: Open) -> None:
    """A page that does what ours may not is seen doing it."""
    seen = visit("<title>x</title><script>document.title='owned'; oops()</script><img src=https://evil.example/x.png>")

    assert "<title>owned</title>" in seen.dom
    assert any("oops is not defined" in line for line in seen.console)
    assert {"https://evil.example/x.png"} == {url for url in seen.addresses if "evil" in url}


def test_the_policy(visit: Open, demo_run: Run) -> None:
    """Were markup to slip through, the policy would stop it."""
    page = render_html(make_report(demo_run, each_way=0))
    slipped = "<script>document.title='owned'</script><img src=https://evil.example/x.png></main>"
    seen = visit(page.replace("</main>", slipped))

    assert "<title>owned</title>" not in seen.dom
    assert 2 <= sum("Content Security Policy" in line for line in seen.console)
    assert set() == {url for url in seen.addresses if "evil" in url}


@pytest.mark.parametrize("name", ["demo_run", "hostile_run"])
def test_a_report(name: str, visit: Open, request: pytest.FixtureRequest) -> None:
    """Nothing on the console, no address asked for, no element more than was written, and the title is our own."""
    run: Run = request.getfixturevalue(name)
    page = render_html(make_report(run))
    seen = visit(page)

    assert [] == seen.console
    assert set() == {url for url in seen.addresses if "evil" in url}
    assert f"<title>{run.name} · memkit report</title>" in unescape(seen.dom)
    assert _elements(page) == _elements(seen.dom)


def _elements(html: str) -> dict[str, int]:
    """How many elements of each name there are; those that a parser adds to any table or document are not counted."""
    names = re.findall(r"<([a-z][a-z0-9]*)[\s>]", html)
    return {name: names.count(name) for name in sorted(set(names))}
