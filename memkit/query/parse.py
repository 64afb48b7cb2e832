"""Reading the text form of a plan: one error at most, which says where and what was expected."""

from __future__ import annotations

import json
from typing import NoReturn, cast

from memkit.errors import QueryError
from memkit.query.lexer import Token, number, show, tokens, whole
from memkit.query.plan import (
    COMPARISONS,
    FIELDS,
    GROUPS,
    MAX_QUERIES,
    OPERATIONS,
    Bound,
    Clause,
    Field,
    Group,
    Operation,
    Plan,
    Query,
    Scope,
    Term,
)
from memkit.query.text import JOINING, NEEDS_OF


def parse_plan(text: str) -> Plan:
    """The plan that `text` is. QueryError with line, column and what was expected for anything else."""
    return _Parser(text).plan()


class _Parser:
    """Reads tokens from left to right and never goes back."""

    def __init__(self, text: str) -> None:
        self._source = text
        self._tokens = list(tokens(text))
        self._next = 0

    def plan(self) -> Plan:
        self._skip_ends()
        if self._keyword("not"):
            return self._not_applicable()
        reason = ""
        if self._peek().text.lower() == "reason" and self._peek(1).text == ":":
            self._next += 2
            reason = self._string("the reason in quotation marks")
            self._end()
        queries: list[Query] = []
        while self._peek().kind != "eof" or not queries:
            if len(queries) == MAX_QUERIES:
                self._expected(f"the end: a plan has at most {MAX_QUERIES} sub-queries")
            queries.append(self._query())
            self._end()
        return Plan(tuple(queries), reason)

    def _not_applicable(self) -> Plan:
        if not self._keyword("applicable"):
            self._expected("'applicable' after 'not'")
        reason = ""
        if self._mark(":"):
            reason = self._reason()
        self._end()
        if self._peek().kind != "eof":
            self._expected("the end, for a plan that is not applicable has no sub-queries")
        return Plan(reason=reason)

    def _reason(self) -> str:
        """A string, or what stands on the rest of the line as it is."""
        token = self._peek()
        if token.kind == "string" and self._peek(1).kind in ("end", "eof"):
            return self._string("")
        while (following := self._peek()).kind != "eof" and following.text != "\n":
            self._next += 1
        return self._source[token.at : following.at].strip()

    def _query(self) -> Query:
        operation = self._operation()
        by: Group | None = None
        of = ""
        if operation == "group":
            if not self._keyword("by"):
                self._expected("'by' after 'group'")
            by = cast(Group, self._one_of(GROUPS))
        elif operation in NEEDS_OF:
            if not self._keyword("of"):
                self._expected(f"'of' after '{operation}'")
            of = self._words('a name such as "drawer 1.state"' if operation == "state" else "the name of a number")
        clauses: list[Clause] = []
        bounds: list[Bound] = []
        if self._keyword("where"):
            self._condition(clauses, bounds)
            while self._keyword("and"):
                self._condition(clauses, bounds)
        scope = self._scope() if self._keyword("in") else None
        if self._peek().kind not in ("end", "eof"):
            before_scope = "'and', 'in' or " if clauses or bounds else "'where', 'in' or "
            self._expected(f"{before_scope if scope is None else ''}the end of the sub-query")
        return Query(operation, tuple(clauses), tuple(bounds), scope or Scope(), by, of)

    def _operation(self) -> Operation:
        operation = self._one_of(OPERATIONS)
        if operation == "last" and self._keyword("per"):
            if not self._keyword("target"):
                self._expected("'target' after 'last per'")
            operation = "last-per-target"
        return cast(Operation, operation)

    def _condition(self, clauses: list[Clause], bounds: list[Bound]) -> None:
        """`field: terms`, or `number < value`: the mark in the middle tells which."""
        token = self._peek()
        name = self._name("a field or the name of a number")
        mark = self._peek()
        if mark.text == ":" and mark.kind == "mark":
            if name.lower() not in FIELDS:
                self._expected(f"a field ({', '.join(FIELDS)})", token)
            self._next += 1
            clauses.append(Clause(cast(Field, name.lower()), self._terms()))
        elif mark.kind == "mark" and mark.text in COMPARISONS:
            self._next += 1
            bounds.append(Bound(name, mark.text, self._number()))
        else:
            self._expected(f"':' or a comparison ({' '.join(COMPARISONS)})")

    def _terms(self) -> tuple[Term, ...]:
        terms = [self._term()]
        while self._mark("|"):
            terms.append(self._term())
        return tuple(terms)

    def _term(self) -> Term:
        anywhere = self._mark("~")
        return Term(self._words("a term, in quotation marks unless it is plain words"), anywhere)

    def _words(self, what: str) -> str:
        """A string, or plain words up to the next word of the language."""
        if self._peek().kind == "string":
            return self._string("")
        words: list[str] = []
        while (token := self._peek()).kind == "word" and token.text.lower() not in JOINING:
            words.append(token.text)
            self._next += 1
        if not words:
            self._expected(what)
        return " ".join(words)

    def _scope(self) -> Scope:
        if not self._mark("["):
            self._expected("'[' before the first step, or quotation marks around a term with the word 'in'")
        low = self._step(",")
        if not self._mark(","):
            self._expected("',' between the first and the last step")
        high = self._step("]")
        if not self._mark("]"):
            self._expected("']' after the last step")
        return Scope(low, high)

    def _step(self, closing: str) -> int | None:
        token = self._peek()
        if token.text == closing:
            return None
        value = whole(token.text) if token.kind == "word" else None
        if value is None:
            self._expected(f"a step number, or nothing before '{closing}'")
        self._next += 1
        return value

    def _number(self) -> float:
        token = self._peek()
        value = number(token.text) if token.kind == "word" else None
        if value is None:
            self._expected("a number")
        self._next += 1
        return value

    def _name(self, what: str) -> str:
        token = self._peek()
        if token.kind == "string":
            return self._string("")
        if token.kind != "word":
            self._expected(what)
        self._next += 1
        return token.text

    def _string(self, what: str) -> str:
        token = self._peek()
        if token.kind != "string":
            self._expected(what)
        self._next += 1
        return cast(str, json.loads(token.text))

    def _one_of(self, words: tuple[str, ...]) -> str:
        token = self._peek()
        if token.kind != "word" or token.text.lower() not in words:
            self._expected(f"one of {', '.join(words).replace('-', ' ')}")
        self._next += 1
        return token.text.lower()

    def _keyword(self, word: str) -> bool:
        token = self._peek()
        found = token.kind == "word" and token.text.lower() == word
        self._next += found
        return found

    def _mark(self, mark: str) -> bool:
        token = self._peek()
        found = token.kind == "mark" and token.text == mark
        self._next += found
        return found

    def _end(self) -> None:
        if self._peek().kind not in ("end", "eof"):
            self._expected("the end of the line")
        self._skip_ends()

    def _skip_ends(self) -> None:
        while self._peek().kind == "end":
            self._next += 1

    def _peek(self, ahead: int = 0) -> Token:
        return self._tokens[min(self._next + ahead, len(self._tokens) - 1)]

    def _expected(self, what: str, token: Token | None = None) -> NoReturn:
        token = token or self._peek()
        line = self._source.count("\n", 0, token.at) + 1
        column = token.at - self._source.rfind("\n", 0, token.at)
        raise QueryError(f"expected {what}, found {show(token)}", line=line, column=column)
