"""The ledger paper's searchers: the reading view (TM), and what is computed over the event ledger beside it (TallyMem).

`tm` and `long-context` read the archive of any memory; so do `tally-lite` and `fixed-counter`, whose rows the program
makes. The others want a memory that a ledger builder made.
"""

from __future__ import annotations

from memkit import Layout, Registry, hookimpl

LEDGER: tuple[Layout, ...] = ("ledger",)


@hookimpl
def memkit_register(registry: Registry) -> None:
    from memkit_plugins.tally import arms

    registry.searcher("tm", arms.view_searcher)
    registry.searcher("long-context", arms.long_context_searcher)
    registry.searcher("tally", arms.tally_searcher, layouts=LEDGER)
    registry.searcher("tally-lite", arms.lite_searcher)
    registry.searcher("fixed-counter", arms.counter_searcher)
    registry.searcher("voting", arms.voting_searcher, layouts=LEDGER)
    registry.searcher("plan", arms.plan_searcher, layouts=LEDGER)
