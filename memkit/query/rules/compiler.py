"""From the clauses of a question to the sub-queries of a plan."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from attrs import evolve, frozen

from memkit.ledger.catalogue import Catalogue
from memkit.query.plan import MAX_QUERIES, Bound, Clause, Operation, Plan, Query, Term
from memkit.query.rules.acts import Acts, read_acts
from memkit.query.rules.commits import read_commits
from memkit.query.rules.known import asks_of_everything, unread
from memkit.query.rules.log import Log
from memkit.query.rules.measures import Measure, read_measures, unmeasured
from memkit.query.rules.operations import Asking, read_operations
from memkit.query.rules.refusals import is_counterfactual, refusal
from memkit.query.rules.scopes import is_bounded, is_half, scope_of
from memkit.query.rules.states import CHANGED, properties_of
from memkit.query.rules.talk import asks_who, counts_turns, read_talk
from memkit.query.rules.targets import Named, exclusive
from memkit.query.rules.times import has_open_date, read_time
from memkit.query.rules.wording import QUESTION_CHARACTERS, Asked, read_question

_PRONOUN = re.compile(r"\b(?:this|that|these|those|it|they|them|its|their)\b")
_OF_KIND = re.compile(
    r"\b(?:which|what|how\s+many|many|every|all|list(?:\s+the)?)\s+(?:different\s+|distinct\s+|unique\s+|other\s+)?([a-z]{3,24})\b"
)


NO_ACTS = Acts()


@frozen
class Filters:
    """What selects the rows of a clause, and the things it names."""

    where: tuple[Clause, ...] = ()
    bounds: tuple[Bound, ...] = ()
    targets: tuple[str, ...] = ()
    acts: Acts = NO_ACTS


def compile_by_rules(question: str, catalogue: Catalogue) -> Plan:
    """The plan of a question, from its wording and the catalogue's words alone: no model, the same plan each time.

    Not applicable for explanations, causes, advice, what would have been and the content of one observation, and for
    wording that the rules do not know; the reason says which.
    """
    whole = question[:QUESTION_CHARACTERS].lower()
    if is_counterfactual(whole):
        return Plan(reason="it asks what would have been")
    log = Log.of(catalogue)
    queries: dict[Query, None] = {}
    reasons: list[str] = []
    named = Named()
    for asked in read_question(question):
        if reason := refusal(asked.plain):
            reasons.append(f"it asks for {reason}")
            continue
        own = log.things.read(asked, log.lexicon)
        if not own.targets and _PRONOUN.search(asked.plain):
            own = evolve(own, targets=named.targets)
        named = own if own.targets else named
        queries.update(dict.fromkeys(_queries(asked, own, question, log)))
    if queries:
        return Plan(tuple(queries)[:MAX_QUERIES])
    return Plan(reason=reasons[0] if reasons else "it asks for nothing that the rules know how to compute")


def _queries(asked: Asked, named: Named, question: str, log: Log) -> Iterator[Query]:
    if has_open_date(asked.plain) or is_half(asked.text) or unmeasured(asked, log.numbers):
        return
    measures = read_measures(asked, log.numbers)
    summed = [measure for measure in measures if measure.operation]
    askings = tuple(Asking(measure.operation) for measure in summed if measure.operation) or _of_kinds(asked, log)
    for number, asking in enumerate(askings):
        filters = _filters(asked, named, question, log, asking, measures)
        if filters is None:
            continue
        scope = scope_of(asked.text, question, log.steps, asking.operation)
        bounded = is_bounded(asked.text) or is_bounded(question)
        query = Query(asking.operation, filters.where, filters.bounds, scope, asking.by)
        if summed:
            yield evolve(query, of=summed[number].name)
        elif asking.operation == "state":
            yield from _states(query, asked, filters, log)
        elif _is_specific(filters, asked, log, asking, bounded=bounded):
            yield from _apart(query, filters, asking, log)


def _filters(
    asked: Asked, named: Named, question: str, log: Log, asking: Asking, measures: Sequence[Measure]
) -> Filters | None:
    """The filters of a clause; None where it asks of something that is no event of the log."""
    time, _ = read_time(asked.plain)
    when = (time,) if time and log.speakers + (("commit",) if log.commits else ()) else ()
    if log.speakers:
        said = read_talk(asked, log.speakers)
        return None if said is None else Filters((*said, *when))
    if log.commits:
        done = read_commits(asked, named.targets)
        bounds = tuple(bound for measure in measures for bound in measure.bounds)
        return Filters((*(done or ()), *when), bounds) if done is not None or measures else None
    if named.left_out:
        return None
    acts = read_acts(asked, log.lexicon, question)
    targets = exclusive(named.targets) or _kind(asked, asking, log)
    left_out = (*acts.left_out, *(log.moves if asking.changes else ()))
    # What changes is asked in many words: `placed in or removed from` names no act of its own.
    names = acts.written if asking.changes else acts.names
    names = tuple(name for name in names if name not in left_out)
    if left_out and not names:
        names = log.all_but(left_out)
    where = [Clause("tool", tuple(map(Term, names)))] if names else []
    if targets and asking.operation != "state":
        where.append(Clause("target", tuple(map(Term, targets))))
    where += [Clause("action", (Term(text),)) for text in named.texts]
    if acts.outcome and asking.by != "outcome":
        where.append(Clause("outcome", (Term(acts.outcome),)))
    if asking.changes:
        where.append(CHANGED)
    kind = () if named.targets else tuple(_kind_places(asked, targets))
    if unread(asked, (*named.places, *acts.places, *kind), changes=asking.changes):
        return None
    bounds = tuple(bound for measure in measures for bound in measure.bounds)
    return Filters(tuple(where), bounds, targets, evolve(acts, names=names))


def _of_kinds(asked: Asked, log: Log) -> tuple[Asking, ...]:
    """What a clause asks for; a kind of the log's things is a subject as `objects` are: `which drawers were opened`."""
    askings = read_operations(asked.plain)
    if log.speakers:
        return tuple(
            _of_talk(asked, asking) for asking in askings if asks_who(asked.plain) or counts_turns(asked.plain)
        )
    kind = log.things.numbered and any(log.things.of_kind(match[1]) for match in _OF_KIND.finditer(asked.plain))
    if kind and all(asking.operation in {"count", "list"} and asking.subject == "event" for asking in askings):
        return () if "times" in asked.plain and not askings else (Asking("group", "target", "thing"),)
    return askings


def _of_talk(asked: Asked, asking: Asking) -> Asking:
    """Speakers are the tools of a conversation, and grouped by only where the clause asks who."""
    if asks_who(asked.plain) and asking.operation in {"count", "group"}:
        return Asking("group", "tool", "tool")
    return asking


def _kind(asked: Asked, asking: Asking, log: Log) -> tuple[str, ...]:
    """The kind of thing that is counted or listed, where the log's things are named after it: `which drawers`."""
    if not log.things.numbered or asking.operation == "state":
        return ()
    for match in _OF_KIND.finditer(asked.plain):
        if kind := log.things.of_kind(match[1]):
            return (kind,)
    return ()


def _kind_places(asked: Asked, targets: Sequence[str]) -> Iterator[tuple[int, int]]:
    return (match.span(1) for match in _OF_KIND.finditer(asked.plain) if targets)


def _states(query: Query, asked: Asked, filters: Filters, log: Log) -> Iterator[Query]:
    """A state query a property; where a file of commits is meant, its changes in order."""
    if log.commits:
        yield evolve(query, operation="timeline")
        return
    for name in properties_of(asked.plain, filters.targets, log.properties):
        yield Query("state", scope=query.scope, of=name)


def _is_specific(filters: Filters, asked: Asked, log: Log, asking: Asking, *, bounded: bool) -> bool:
    """Whether a clause selects events: by a filter, or all of them by its wording."""
    if filters.where or filters.bounds:
        return True
    if asking.operation in {"first", "last"}:
        return False
    if log.speakers or log.commits:
        return True
    return asks_of_everything(asked) and (bounded or asking.operation in {"count", "group"})


def _apart(query: Query, filters: Filters, asking: Asking, log: Log) -> Iterator[Query]:
    """One query, or one for each of the acts or things that are to be computed by themselves."""
    if query.operation == "group" and asking.subject == "action" and query.by == "action" and not log.things.numbered:
        # Actions of commands and calls are long and never the same twice.
        yield evolve(query, by="act")
    elif filters.acts.apart and query.operation == "count":
        for name in filters.acts.names:
            yield evolve(query, where=_with(query.where, "tool", name))
    elif query.operation in _ONE_EACH and len(filters.targets) > 1:
        for target in filters.targets:
            yield evolve(query, where=_with(query.where, "target", target))
    else:
        yield query


_ONE_EACH: frozenset[Operation] = frozenset(("first", "last"))


def _with(where: Sequence[Clause], field: str, text: str) -> tuple[Clause, ...]:
    """`where` with the one term `text` in the clause on `field`."""
    return tuple(evolve(clause, terms=(Term(text),)) if clause.field == field else clause for clause in where)
