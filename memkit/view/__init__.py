"""The source-preserving reading view of a stream (TM of the ledger paper, section 3)."""
