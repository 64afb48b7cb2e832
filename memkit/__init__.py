"""memkit: which memory should my agent use, and does it work on my data?

Everything a program or a plugin needs is importable from here; the modules below are private.
Names are loaded on first use, so importing memkit costs almost nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memkit.accounting.bills import Bill as Bill
    from memkit.accounting.bills import bill as bill
    from memkit.accounting.bills import bills as bills
    from memkit.accounting.bills import break_even as break_even
    from memkit.accounting.bounds import Bounds as Bounds
    from memkit.accounting.call import Call as Call
    from memkit.accounting.prices import PriceTable as PriceTable
    from memkit.accounting.prices import load_prices as load_prices
    from memkit.accounting.rows import CallRow as CallRow
    from memkit.archive import Archive as Archive
    from memkit.archive import append_durably as append_durably
    from memkit.build import build as _build_memory
    from memkit.build import ingest as ingest
    from memkit.calls.booking import Booking as Booking
    from memkit.calls.booking import book_calls as book_calls
    from memkit.calls.recorded import RecordedModel as RecordedModel
    from memkit.calls.store import CallStore as CallStore
    from memkit.citations import Passage as Passage
    from memkit.citations import find_citations as find_citations
    from memkit.citations import render_citation as render_citation
    from memkit.citations import resolve_citation as resolve_citation
    from memkit.contracts import Builder as Builder
    from memkit.contracts import Dataset as Dataset
    from memkit.contracts import Environment as Environment
    from memkit.contracts import Executor as Executor
    from memkit.contracts import Harness as Harness
    from memkit.contracts import Job as Job
    from memkit.contracts import JobResult as JobResult
    from memkit.contracts import Judge as Judge
    from memkit.contracts import Model as Model
    from memkit.contracts import Runner as Runner
    from memkit.contracts import Searcher as Searcher
    from memkit.contracts import Tool as Tool
    from memkit.datafiles import decode_json as decode_json
    from memkit.datafiles import find_data_files as find_data_files
    from memkit.datafiles import open_data as open_data
    from memkit.datafiles import read_json as read_json
    from memkit.datafiles import read_stream as read_stream
    from memkit.errors import AlreadyExists as AlreadyExists
    from memkit.errors import BadFrontmatter as BadFrontmatter
    from memkit.errors import BadLine as BadLine
    from memkit.errors import ConfigError as ConfigError
    from memkit.errors import ContentRefused as ContentRefused
    from memkit.errors import ContextOverflow as ContextOverflow
    from memkit.errors import DataError as DataError
    from memkit.errors import LockTimeout as LockTimeout
    from memkit.errors import ManyMatches as ManyMatches
    from memkit.errors import MemkitError as MemkitError
    from memkit.errors import ModelError as ModelError
    from memkit.errors import NoMatch as NoMatch
    from memkit.errors import NotFound as NotFound
    from memkit.errors import NotText as NotText
    from memkit.errors import PathRefused as PathRefused
    from memkit.errors import PermanentModelError as PermanentModelError
    from memkit.errors import PluginError as PluginError
    from memkit.errors import PromptError as PromptError
    from memkit.errors import QueryError as QueryError
    from memkit.errors import StoreError as StoreError
    from memkit.errors import TooLarge as TooLarge
    from memkit.errors import ToolError as ToolError
    from memkit.errors import TransientModelError as TransientModelError
    from memkit.errors import UserError as UserError
    from memkit.events.references import read_scope as read_scope
    from memkit.hookspecs import hookimpl as hookimpl
    from memkit.ledger.annotation import Annotation as Annotation
    from memkit.ledger.annotation import annotate as _annotate_rows
    from memkit.ledger.annotation import read_annotations as read_annotations
    from memkit.ledger.catalogue import Catalogue as Catalogue
    from memkit.ledger.extract import extract_rows as extract_rows
    from memkit.ledger.log import load_rows as load_rows
    from memkit.ledger.log import write_rows as write_rows
    from memkit.ledger.row import Row as Row
    from memkit.locators import Locator as Locator
    from memkit.locators import Span as Span
    from memkit.locators import find_locators as find_locators
    from memkit.management import CHUNK_TOKENS as CHUNK_TOKENS
    from memkit.management import ManagedStep as ManagedStep
    from memkit.management import ingest_chunks as ingest_chunks
    from memkit.management import managed_steps as managed_steps
    from memkit.management import record_step as record_step
    from memkit.management import snapshot as snapshot
    from memkit.management import source_guide as source_guide
    from memkit.management import split_unit as split_unit
    from memkit.management import step_ends as step_ends
    from memkit.management import store_transcript as store_transcript
    from memkit.memory import Manifest as Manifest
    from memkit.memory import Memory as Memory
    from memkit.metrics.adherence import Adherence as Adherence
    from memkit.metrics.adherence import measure_adherence as measure_adherence
    from memkit.metrics.kept import Kept as Kept
    from memkit.metrics.kept import Share as Share
    from memkit.metrics.kept import measure_kept as measure_kept
    from memkit.metrics.shape import Shape as Shape
    from memkit.metrics.shape import measure_shape as measure_shape
    from memkit.metrics.load import cited_steps as cited_steps
    from memkit.metrics.load import reference_load as reference_load
    from memkit.metrics.text import exact_option as exact_option
    from memkit.metrics.text import f1_score as f1_score
    from memkit.metrics.text import locomo_score as locomo_score
    from memkit.metrics.text import token_f1 as token_f1
    from memkit.models import open_model as open_model
    from memkit.plugins import build_registry as build_registry
    from memkit.prompts import Prompt as Prompt
    from memkit.prompts import compose as compose
    from memkit.query.engine import Engine as Engine
    from memkit.query.finding import finding as finding
    from memkit.query.parse import parse_plan as parse_plan
    from memkit.query.plan import MAX_QUERIES as MAX_QUERIES
    from memkit.query.plan import Plan as Plan
    from memkit.query.plan import Query as Query
    from memkit.query.plan import Scope as Scope
    from memkit.query.reading import plan_from_json as plan_from_json
    from memkit.query.render import RENDER_CHARACTERS as RENDER_CHARACTERS
    from memkit.query.render import render_results as render_results
    from memkit.query.result import Result as Result
    from memkit.query.result import compiled_load as compiled_load
    from memkit.query.router import Route as Route
    from memkit.query.router import attaches as attaches
    from memkit.query.rules.compiler import compile_by_rules as compile_by_rules
    from memkit.query.schema import PLAN_SCHEMA as PLAN_SCHEMA
    from memkit.query.schema import plan_to_json as plan_to_json
    from memkit.query.text import print_plan as print_plan
    from memkit.query.text import print_query as print_query
    from memkit.query.values import ReadValue as ReadValue
    from memkit.query.values import read_values as read_values
    from memkit.records import Answer as Answer
    from memkit.records import Case as Case
    from memkit.records import Check as Check
    from memkit.records import Citation as Citation
    from memkit.records import Completion as Completion
    from memkit.records import Conversation as Conversation
    from memkit.records import Effort as Effort
    from memkit.records import Episode as Episode
    from memkit.records import Finding as Finding
    from memkit.records import Layout as Layout
    from memkit.records import Message as Message
    from memkit.records import Observation as Observation
    from memkit.records import Question as Question
    from memkit.records import Receipt as Receipt
    from memkit.records import Request as Request
    from memkit.records import Role as Role
    from memkit.records import STORELESS as STORELESS
    from memkit.records import Session as Session
    from memkit.records import Step as Step
    from memkit.records import Stream as Stream
    from memkit.records import ToolCall as ToolCall
    from memkit.records import ToolSpec as ToolSpec
    from memkit.records import Trajectory as Trajectory
    from memkit.records import Turn as Turn
    from memkit.records import Unit as Unit
    from memkit.records import Usage as Usage
    from memkit.records import Verdict as Verdict
    from memkit.redaction import redact as redact
    from memkit.registry import Registry as Registry
    from memkit.runs.open import open_run as open_run
    from memkit.runtime.limits import Limits as Limits
    from memkit.runtime.limits import MANAGE as MANAGE
    from memkit.runtime.loop import Transcript as Transcript
    from memkit.runtime.loop import run_loop as run_loop
    from memkit.runtime.reader import read_answer as read_answer
    from memkit.store.files import ROOT as ROOT
    from memkit.store.files import Store as Store
    from memkit.store.frontmatter import Frontmatter as Frontmatter
    from memkit.store.frontmatter import describe as describe
    from memkit.store.frontmatter import end_line as _frontmatter_end
    from memkit.store.frontmatter import parse as _parse_frontmatter
    from memkit.store.frontmatter import render as _render_frontmatter
    from memkit.store.lines import split_lines as split_lines
    from memkit.terms import Analyzer as Analyzer
    from memkit.tokens import count_tokens as count_tokens
    from memkit.tokens import cut_tokens as cut_tokens
    from memkit.tools.define import define_tool as define_tool
    from memkit.tools.guide import tool_guide as tool_guide
    from memkit.tools.output import clip as clip
    from memkit.tools.read import read_tools as read_tools
    from memkit.tools.write import write_tools as write_tools
    from memkit.transcript import render_options as render_options
    from memkit.transcript import render_turn as render_turn
    from memkit.transcript import render_turns as render_turns
    from memkit.transcript import render_unit as render_unit
    from memkit.transcript import session_heading as session_heading
    from memkit.transcript import session_title as session_title
    from memkit.view.contexts import long_context as long_context
    from memkit.view.reading import BUDGET as _VIEW_TOKENS
    from memkit.view.reading import Reading as Reading
    from memkit.view.sheet import View as View

    # Called otherwise at home; an import under another name would not be an export.
    VIEW_TOKENS = _VIEW_TOKENS
    annotate_rows = _annotate_rows
    build_memory = _build_memory
    frontmatter_end = _frontmatter_end
    parse_frontmatter = _parse_frontmatter
    render_frontmatter = _render_frontmatter


_NAMES = {
    "accounting.bills": "Bill bill bills break_even",
    "accounting.bounds": "Bounds",
    "accounting.call": "Call",
    "accounting.prices": "PriceTable load_prices",
    "accounting.rows": "CallRow",
    "archive": "Archive append_durably",
    "build": "build_memory=build ingest",
    "calls.booking": "Booking book_calls",
    "calls.recorded": "RecordedModel",
    "calls.store": "CallStore",
    "citations": "Passage find_citations render_citation resolve_citation",
    "contracts": "Builder Dataset Environment Executor Harness Job JobResult Judge Model Runner Searcher Tool",
    "datafiles": "decode_json find_data_files open_data read_json read_stream",
    "errors": (
        "AlreadyExists BadFrontmatter BadLine ConfigError ContentRefused ContextOverflow DataError "
        "LockTimeout ManyMatches MemkitError ModelError NoMatch NotFound NotText PathRefused "
        "PermanentModelError PluginError PromptError QueryError StoreError TooLarge ToolError "
        "TransientModelError UserError"
    ),
    "events.references": "read_scope",
    "hookspecs": "hookimpl",
    "ledger.annotation": "Annotation annotate_rows=annotate read_annotations",
    "ledger.catalogue": "Catalogue",
    "ledger.extract": "extract_rows",
    "ledger.log": "load_rows write_rows",
    "ledger.row": "Row",
    "locators": "Locator Span find_locators",
    "management": (
        "CHUNK_TOKENS ManagedStep ingest_chunks managed_steps record_step snapshot source_guide "
        "split_unit step_ends store_transcript"
    ),
    "memory": "Manifest Memory",
    "metrics.adherence": "Adherence measure_adherence",
    "metrics.kept": "Kept Share measure_kept",
    "metrics.load": "cited_steps reference_load",
    "metrics.shape": "Shape measure_shape",
    "metrics.text": "exact_option f1_score locomo_score token_f1",
    "models": "open_model",
    "plugins": "build_registry",
    "prompts": "Prompt compose",
    "query.engine": "Engine",
    "query.finding": "finding",
    "query.parse": "parse_plan",
    "query.plan": "MAX_QUERIES Plan Query Scope",
    "query.reading": "plan_from_json",
    "query.render": "RENDER_CHARACTERS render_results",
    "query.result": "Result compiled_load",
    "query.router": "Route attaches",
    "query.rules.compiler": "compile_by_rules",
    "query.schema": "PLAN_SCHEMA plan_to_json",
    "query.text": "print_plan print_query",
    "query.values": "ReadValue read_values",
    "records": (
        "Answer Case Check Citation Completion Conversation Effort Episode Finding Layout Message "
        "Observation Question Receipt Request Role STORELESS Session Step Stream ToolCall ToolSpec "
        "Trajectory Turn Unit Usage Verdict"
    ),
    "redaction": "redact",
    "registry": "Registry",
    "runs.open": "open_run",
    "runtime.limits": "Limits MANAGE",
    "runtime.loop": "Transcript run_loop",
    "runtime.reader": "read_answer",
    "store.files": "ROOT Store",
    "store.frontmatter": (
        "Frontmatter describe frontmatter_end=end_line parse_frontmatter=parse render_frontmatter=render"
    ),
    "store.lines": "split_lines",
    "terms": "Analyzer",
    "tokens": "count_tokens cut_tokens",
    "tools.define": "define_tool",
    "tools.guide": "tool_guide",
    "tools.output": "clip",
    "tools.read": "read_tools",
    "tools.write": "write_tools",
    "transcript": "render_options render_turn render_turns render_unit session_heading session_title",
    "view.contexts": "long_context",
    "view.reading": "Reading VIEW_TOKENS=BUDGET",
    "view.sheet": "View",
}
"""The public names of each module below memkit; `name=inner` where a thing is called otherwise at home."""
_HOMES = {
    name.partition("=")[0]: (module, name.partition("=")[2] or name)
    for module, names in _NAMES.items()
    for name in names.split()
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'memkit' has no attribute {name!r}")
    module, inner = _HOMES[name]
    value = getattr(import_module(f"memkit.{module}"), inner)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return [*globals(), *_HOMES]
