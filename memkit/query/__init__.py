"""The query language over the event ledger: plans, their text and JSON forms, exact execution, rendering."""
