"""What hypothesis draws from: rows of an event ledger, and plans over it.

Their words are few and alike (`drawer 1`, `drawer 10`), so that plans often match and often nearly do.
"""

from __future__ import annotations

from hypothesis import strategies as st

from memkit.ledger.row import OUTCOMES, Change, Row
from memkit.query.plan import (
    COMPARISONS,
    FIELDS,
    GROUPS,
    MAX_QUERIES,
    OPERATIONS,
    Bound,
    Clause,
    Plan,
    Query,
    Scope,
    Term,
)
from memkit.testing.strategies import texts

NUMBERED = ("sum", "min", "max", "mean")
"""Operations over a typed number."""
_TOOLS = ("go", "Go", "open", "str_replace_editor", "say", "STRASSE", "straße")
_ACTS = ("", "go to", "open", "create", "str_replace")
_THINGS = ("", "drawer 1", "drawer 10", "Drawer 1", "/a/b.py", "/a/b.pyc", "x", "a\0b", "\0", "Σίσυφος", "10")
_STATES = ("drawer 1.state", "Drawer 1.State", "agent.inventory", "x")
_NUMBERS = ("exit_code", "seconds", "in", "odd name")
_FLOATS = (0.0, 1.0, -1.0, 2.5, 1e300, 0.1)


def _words(*words: str) -> st.SearchStrategy[str]:
    return st.sampled_from([word for word in words if word]) | texts(max_size=6)


def rows(step: st.SearchStrategy[int]) -> st.SearchStrategy[Row]:
    """A row at such a step, with a locator that can be read."""
    things = st.sampled_from(_THINGS) | texts(max_size=6)
    changes = st.builds(Change, st.sampled_from(_STATES), st.sampled_from(("open", "closed", "")))
    return st.builds(
        lambda at, **given: Row(step=at, locator=f"[step {abs(at) % 10**9}]", **given),
        step,
        tool=st.sampled_from(_TOOLS),
        act=st.sampled_from(_ACTS),
        action=things,
        targets=st.lists(things, max_size=3).map(tuple),
        outcome=st.sampled_from(OUTCOMES),
        quote=st.sampled_from(("", "You open it.", "No such file")) | texts(max_size=6),
        changes=st.lists(changes, max_size=3).map(tuple),
        delta=st.lists(things, max_size=2).map(tuple),
        numbers=st.dictionaries(st.sampled_from(_NUMBERS), st.sampled_from(_FLOATS) | st.floats(), max_size=3),
        time=st.sampled_from(("", "2023-05-08", "2023-05-08T13:56")),
    )


def ledgers(*, max_size: int = 12) -> st.SearchStrategy[list[Row]]:
    """Rows in the order of their steps, or in any."""
    drawn = st.lists(rows(st.integers(-2, 20)), max_size=max_size)
    return drawn.map(lambda ledger: sorted(ledger, key=lambda row: row.step)) | drawn


def terms() -> st.SearchStrategy[Term]:
    """A term, often one that occurs."""
    words = _words(*_TOOLS, *_ACTS, *_THINGS, *OUTCOMES, "drawer", "state -> open", "2023-05", "no SUCH", "ss")
    return st.builds(Term, words, st.booleans())


def scopes() -> st.SearchStrategy[Scope]:
    """A scope, open or not, perhaps with its ends reversed."""
    ends = st.none() | st.integers(-3, 22) | st.integers()
    return st.builds(Scope, ends, ends)


def queries() -> st.SearchStrategy[Query]:
    """A sub-query of the language: with what its operation needs and no more."""
    clauses = st.builds(Clause, st.sampled_from(FIELDS), st.lists(terms(), min_size=1, max_size=3).map(tuple))
    names = st.sampled_from(_NUMBERS) | texts(max_size=6)
    bounds = st.builds(
        Bound, names, st.sampled_from(COMPARISONS), st.sampled_from(_FLOATS) | st.floats(allow_nan=False)
    )
    states = st.sampled_from(_STATES) | texts(max_size=6)

    def queries_of(operation: str) -> st.SearchStrategy[Query]:
        return st.builds(
            Query,
            st.just(operation),
            st.lists(clauses, max_size=3).map(tuple),
            st.lists(bounds, max_size=2).map(tuple),
            st.just(Scope()) | scopes(),
            by=st.sampled_from(GROUPS) if operation == "group" else st.none(),
            of=(names if operation in NUMBERED else states).filter(bool)
            if operation in (*NUMBERED, "state")
            else st.just(""),
        )

    return st.sampled_from(OPERATIONS).flatmap(queries_of)


def plans() -> st.SearchStrategy[Plan]:
    """A plan of the language."""
    return st.builds(Plan, st.lists(queries(), max_size=MAX_QUERIES).map(tuple), texts(max_size=20))


def wrong_plans() -> st.SearchStrategy[Plan]:
    """A plan that a program made and that no text says: without terms, with nothing to group by, of numbers amiss."""
    clauses = st.builds(Clause, st.sampled_from(FIELDS), st.lists(st.builds(Term, texts(max_size=3))).map(tuple))
    bounds = st.builds(Bound, texts(max_size=4), st.sampled_from(COMPARISONS), st.floats())
    wrong = st.builds(
        Query,
        st.sampled_from(OPERATIONS),
        st.lists(clauses, max_size=3).map(tuple),
        st.lists(bounds, max_size=2).map(tuple),
        scopes(),
        by=st.none() | st.sampled_from(GROUPS),
        of=texts(max_size=5),
    )
    return st.builds(Plan, st.lists(wrong, max_size=MAX_QUERIES + 2).map(tuple))
