"""What the files of a run and the columns of its tables are called, and what the columns hold."""

from __future__ import annotations

from memkit.compare.spec import FACTORS
from memkit.runs.parquet import Schema

SPEC_FILE, LOCK_FILE, PLAN_FILE, EVENTS_FILE = "spec.yaml", "lock.json", "plan.json", "events.jsonl"
RESULTS, SUMMARY_FILE, STATS_FILE = "results", "summary.json", "stats.json"
ITEMS_FILE, MEMORIES_FILE, CALLS_FILE = "items.parquet", "memories.parquet", "calls.parquet"
SCORE = "score_"
"""Begins the name of a column of scores."""
STATUS = {
    "answered": "ok",
    "empty": "wrong_format",
    "refused": "refused",
    "rounds": "limit",
    "calls": "limit",
    "tokens": "limit",
    "missing": "missing",
}
"""How an answer ended, in the words of the tables; any other word of the log is kept."""
CLASSES = ("uncached", "cache_read", "cache_write", "output", "reasoning")
"""Tokens by class; `reasoning` is a part of `output`."""
SPENT: Schema = {
    **dict.fromkeys(CLASSES, "whole"),
    "usd_logical": "number",
    "usd_billed": "number",
    "retries": "whole",
}
"""Columns of what a unit took. Null is unknown, never zero."""
ARM: Schema = {"run": "text", "arm": "text", **dict.fromkeys((*FACTORS, "sandbox"), "text"), "null": "yes"}
ASKED: Schema = {
    "stream": "text",
    "question": "text",
    "question_text": "text",
    "gold": "text",
    "category": "text",
    "answerable": "yes",
    "evidence": "texts",
    "attempt": "whole",
    "status": "text",
}
EFFORT: Schema = {
    "rounds": "whole",
    "tool_calls": "whole",
    "tool_errors": "whole",
    "served_tokens": "whole",
    "tool_tokens": "whole",
    "seconds": "number",
}
ANSWERED: Schema = {
    "served": "texts",
    "cited": "texts",
    **EFFORT,
    **SPENT,
    "answer": "text",
    "prompt": "text",
    "load": "whole",
    "computed_load": "whole",
    "lost_at": "text",
    "computation": "text",
    "defect": "text",
    "build_key": "text",
    "answer_key": "text",
}
MADE: Schema = {**ARM, "stream": "text", "build_key": "text", "seconds": "number", "refused": "whole", **SPENT}
CALL: Schema = {
    "run": "text",
    "stage": "text",
    "unit": "text",
    "stream": "text",
    "question": "text",
    "attempt": "whole",
    "key": "text",
    "role": "text",
    "model": "text",
    "conversation": "text",
    "place": "whole",
    **dict.fromkeys(CLASSES, "whole"),
    "usd": "number",
    "billed": "yes",
    "seconds": "number",
    "retries": "whole",
}
