"""How a call to a judge can end. Only `ok` carries labels; everything else is a failure, and a failure is no
label.
"""

from __future__ import annotations

OK = "ok"
BLOCKED = ("blocked_prompt", "blocked_output")
UNREADABLE = ("truncated", "invalid")  # a reply came, and no label can be read of it
FAILURES = {
    "blocked_prompt": "the service refused the conversation",
    "blocked_output": "the service withheld the reply",
    "truncated": "the reply was cut off",
    "invalid": "the reply could not be read",
    "quota": "the service's quota was used up",
    "transport": "the service could not be reached",
    "rejected": "the service did not accept the request",
    "refused_key": "the service did not accept the key",
    "gone": "the model is no longer served",
    "drift": "another model answered than the one asked",
    "not_sent_policy": "not sent: the study's data class forbids it",
    "not_recorded": "no recorded judgement",
    "failed": "the call failed",
    "missing": "the judge gave no label for this criterion",
}
