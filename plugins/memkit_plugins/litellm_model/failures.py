"""From what litellm raises to memkit's errors: what a caller may do about it, in one line without secrets."""

from __future__ import annotations

import json
import re
from http import HTTPStatus
from typing import Any

from memkit import ContentRefused, ContextOverflow, ModelError, PermanentModelError, TransientModelError, redact
from memkit_plugins.litellm_model.backoff import read_retry_after

LONGEST_TEXT = 300
"""Characters of a provider's own words that an error repeats."""

_OVERFLOW = re.compile(
    r"(?i)maximum context length|context_length_exceeded|context (window|limit|size)|prompt is too long"
    r"|input (is )?too long|too many (input |prompt )?tokens|request_too_large|reduce the length of the"
    r"|maximum number of (input )?tokens|maximum input length"
)
_REFUSAL = re.compile(
    r"(?i)content_policy_violation|content_filter|responsible_?ai|rejected as a result of (our|the) safety system"
    r"|violat\w* (our|the) (usage|content) polic"
)
_SPENT = re.compile(r"insufficient_quota|billing_hard_limit")
"""A 429 that no waiting mends."""
_NO_KEY = re.compile(r"(?i)missing credentials|missing \w* ?api.?key|api_key client option must be set")
"""What a library says that has no key to send, some of them as if the server had failed."""
_PREFIX = re.compile(r"^(litellm\.)?\w*(Error|Exception|Timeout)( Error)?(:| -) ")
_SUFFIX = re.compile(r"\.? Handle with `litellm\.\w+`\.?$")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")
_KEYS = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}
_AGAIN = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS}


class Throttled(TransientModelError):
    """The provider says there are too many calls."""


def to_model_error(error: Exception, litellm: Any, who: str) -> ModelError:
    """What `error`, raised by a call of litellm for the model `who`, comes to."""
    status = int(getattr(error, "status_code", None) or 0)
    said = _said(error)
    all_said = f"{error} {getattr(error, 'code', '')} {getattr(error, 'body', '')}"
    if status in _KEYS or _NO_KEY.search(all_said):
        missing = ", ".join(litellm.validate_environment(who)["missing_keys"])
        reason = f"there is no key; set {missing}" if missing else f"the provider does not accept the key: {said}"
        return PermanentModelError(f"{who}: {reason}")
    if status == HTTPStatus.TOO_MANY_REQUESTS and _SPENT.search(all_said):
        return PermanentModelError(f"{who}: the account's quota is used up: {said}")
    if status in _AGAIN or status >= HTTPStatus.INTERNAL_SERVER_ERROR or isinstance(error, litellm.Timeout):
        kind = Throttled if status == HTTPStatus.TOO_MANY_REQUESTS else TransientModelError
        reason = "has too many requests" if kind is Throttled else "failed"
        return kind(f"{who}: the provider {reason}: {said}", retry_after=_retry_after(error))
    # Providers tell the reasons of a refused request by words more often than by a status or code.
    too_large = status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    if too_large or isinstance(error, litellm.ContextWindowExceededError) or _OVERFLOW.search(all_said):
        return ContextOverflow(f"{who}: the messages do not fit the model's window: {said}")
    if isinstance(error, litellm.ContentPolicyViolationError) or _REFUSAL.search(all_said):
        return ContentRefused(f"{who}: the provider refused: {said}")
    reason = "has no such model or address" if status == HTTPStatus.NOT_FOUND else "does not accept the request"
    return PermanentModelError(f"{who}: the provider {reason}: {said}")


def _said(error: Exception) -> str:
    """The provider's own words: the first line of them, short, with nothing that is secret or moves a cursor."""
    text = str(getattr(error, "message", "") or error).partition("\nTraceback")[0]
    while (shorter := _PREFIX.sub("", text.strip())) != text:
        text = shorter
    text = _SUFFIX.sub("", text)
    text = redact(_CONTROL.sub(" ", _inner(text))).strip() or type(error).__name__
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 3] + "..."


def _inner(text: str) -> str:
    """The message inside the JSON that some providers' errors are shown as."""
    begin, end = text.find("{"), text.rfind("}")
    try:
        found = json.loads(text[begin : end + 1])["error"]["message"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return text
    return found if isinstance(found, str) else text


def _retry_after(error: Exception) -> float | None:
    for headers in (
        getattr(error, "litellm_response_headers", None),
        getattr(getattr(error, "response", None), "headers", None),
    ):
        if headers and (seconds := read_retry_after(headers)) is not None:
            return seconds
    return None
