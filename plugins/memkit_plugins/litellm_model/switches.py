"""Loading litellm, with everything off that nobody asked for. Nothing else imports it."""

from __future__ import annotations

import gc
import logging
import os
from functools import cache
from typing import Any

SWITCHES = {
    "LITELLM_MODE": "PRODUCTION",  # any other value reads a .env file of the folder or of one above it
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # else the price map is fetched at import
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",  # else a list of headers is fetched at the first call
    "LITELLM_OFFLINE_MODE": "true",  # and whatever else it fetches of its own accord
}
"""Read by litellm when it is imported and again at calls, so they stay in the environment of this process."""


@cache
def load() -> Any:
    """The litellm module. Takes seconds the first time; callbacks and retries are refused call by call."""
    os.environ.update(SWITCHES)
    import litellm

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.disable_token_counter = True  # it would estimate what a provider does not say
    # It warns of parameters it drops; this plugin does that itself, once and for all of them.
    logging.getLogger("LiteLLM").setLevel(logging.ERROR)
    # Its objects stay for good, and are so many that a full collection among the calls takes a fifth of a second.
    gc.collect()
    gc.freeze()
    return litellm
