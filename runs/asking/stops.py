"""Why a run stops early, and the sentence for it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from scoring.judges.catalogue import JudgeEntry
from scoring.judges.judge_client import JudgeAnswer
from scoring.judges.statuses import FAILURES, OK, UNREADABLE
from words.plurals import join_words

# Statuses that may be the service's fault -> the outcome of the run if so, the reason, and the advice.
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
        "The recordings are for another study, prompt or instrument.",
    ),
}
STOPPING = {"refused_key", "gone", "not_sent_policy"}
MAX_UNREADABLE_IN_A_ROW = 20
MAX_CAUSES_LISTED = 3


@dataclass(frozen=True)
class EarlyStop:
    """Why a run ended early: `kind` is an outcome of a run, `said` a sentence for the study lead."""

    kind: str
    said: str
    served: str | None = None


def explain_stop(entry: JudgeEntry, answer: JudgeAnswer) -> str:
    """Return the sentence for a status in STOPPING.

    "refused_key": the service did not accept the key, and which variable to check ("its credentials"
    without one). "gone": it has no such model. Any other: the judge is not marked for this class of data in
    models.yaml.
    """
    if answer.status == "refused_key":
        where = f"the variable {entry.key}" if entry.key else "its credentials"
        return f"The service did not accept the key ({answer.detail}). Check {where}."
    if answer.status == "gone":
        return (
            f"The service has no model {entry.model} ({answer.detail}). Name another one in models.yaml; it "
            "will be another judge."
        )
    return f"This judge is not marked for {answer.detail} data in models.yaml, so nothing was sent."


class UnreadableReplies:
    """Counts unreadable replies since the last readable one; other failures don't count."""

    def __init__(self) -> None:
        self._causes: list[str] = []

    def add(self, answer: JudgeAnswer) -> EarlyStop | None:
        """Count an answer; return why the run has to stop, or None."""
        if answer.status == OK:
            self._causes = []
        if answer.status not in UNREADABLE:
            return None
        described = answer.detail if answer.status == "invalid" else ""
        self._causes.append(described or FAILURES[answer.status])
        number = len(self._causes)
        if number < MAX_UNREADABLE_IN_A_ROW:
            return None
        commonest = Counter(self._causes).most_common(MAX_CAUSES_LISTED)
        causes = join_words([f"{cause} ({times})" for cause, times in commonest])
        return EarlyStop(
            "unreadable",
            f"{number} replies in a row could not be read: {causes}. Look at some on the Calls page, then "
            "change the model, its prompt, its reader or max_output_tokens in models.yaml. Answers so "
            "far are kept; the rest is pending.",
        )
