"""The event ledger: one row for each step or turn of a stream (ledger paper, section 5)."""
