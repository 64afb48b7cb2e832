"""`report.html`: one file without script or remote asset, whose policy forbids both.

Every text is escaped by the template engine, and cleaned before that by `finalize`; figures alone come as markup, from
the serializer of `memkit.report.figures.svg`.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree.ElementTree import Element

from memkit.report import numbers, text
from memkit.report.document import Report, by_category
from memkit.report.figures.bar import bar
from memkit.report.figures.svg import markup
from memkit.report.money import CENTS
from memkit.runs.sheet import is_measure

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

TEMPLATES = Path(__file__).parent / "templates"
PAGE, STYLE = "report.html.j2", "report.css"
HEAT_LEVELS = 10
"""Shades of the heat map, beside none."""


def render_html(report: Report) -> str:
    """The whole page; the same report gives the same text."""
    style = (TEMPLATES / STYLE).read_text(encoding="utf-8")
    return _environment().get_template(PAGE).render(report=report, style=style, policy=policy(style))


def policy(style: str) -> str:
    """The Content-Security-Policy of the page: nothing is loaded, run, framed or sent; one style sheet is applied."""
    digest = b64encode(sha256(style.encode()).digest()).decode("ascii")
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def heat(value: float) -> int:
    """The shade of a score in [0, 1]."""
    return min(max(int(value * HEAT_LEVELS + 0.5), 0), HEAT_LEVELS)


def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    named = (numbers.number, numbers.interval, numbers.percent, numbers.probability, numbers.short, numbers.title_of)
    more = (numbers.count, numbers.listed, text.cut)
    environment.filters.update({one.__name__: one for one in (*named, *more, heat, by_category)})
    environment.filters["svg"] = _figure
    environment.filters["style"] = _style
    environment.globals.update(bar=bar, is_measure=is_measure, CENTS=CENTS, DASH=numbers.DASH)
    return environment


def _finalize(value: Any) -> Any:
    """Cleans what is printed; markup was cleaned when it was drawn."""
    return text.clean(value) if type(value) is str else value


def _figure(drawing: Element) -> Markup:
    from markupsafe import Markup

    return Markup(markup(drawing))  # noqa: S704 - escaped by the XML serializer


def _style(sheet: str) -> Markup:
    from markupsafe import Markup

    return Markup(sheet)  # noqa: S704 - our own file, not one character of a run
