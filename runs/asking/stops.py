"""Why a run stops early, and what is said then."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.judges.catalogue import JudgeEntry
from scoring.judges.judge_client import JudgeAnswer

# what may be the fault of the call or of the service: the outcome of a run where it is the service, and what
# is said then
UNANSWERED = {
    "transport": ("unreachable", "The service could not be reached", "Start again when it is back."),
    "rejected": (
        "rejected",
        "The service did not accept the requests",
        "Check the model and its parameters in models.yaml.",
    ),
    "not_recorded": (
        "not_recorded",
        "Nothing is recorded for these requests",
        "They are of another study, prompt or instrument than the recorded ones.",
    ),
}
STOPPING = {"refused_key", "gone", "not_sent_policy"}


@dataclass(frozen=True)
class EarlyStop:
    """Why a run ended early. `kind` is an outcome of a run, `said` a sentence for the lead."""

    kind: str
    said: str
    served: str | None = None


def explain_stop(entry: JudgeEntry, answer: JudgeAnswer) -> str:
    """The sentence for a status of STOPPING."""
    if answer.status == "refused_key":
        where = f"the variable {entry.key}" if entry.key else "its credentials"
        return f"The service did not accept the key ({answer.detail}). Check {where}."
    if answer.status == "gone":
        return (
            f"The service has no model {entry.model} ({answer.detail}). Name another one in "
            "models.yaml: it is another judge then."
        )
    return f"This judge is not marked for {answer.detail} data in models.yaml, so nothing was sent."
