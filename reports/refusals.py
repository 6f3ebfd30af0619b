"""The sentence for each reason for which the product refuses something. Pages and the command line word
errors here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping

from data.store.errors import Refused
from data.work.permissions import Decision, Reason

SENTENCES: Mapping[str, str] = {
    Reason.FOR_LEAD: "This is for the study lead.",
    Reason.NEEDS_RATER: "Choose your name first: only a person of this study can do this.",
    Reason.OTHER_STUDY: "This belongs to another study.",
    Reason.JUDGE_STAYS_HIDDEN: "This study doesn't show its raters what the judge or colleagues said. "
    "A study lead reads the agreement.",
    Reason.SETTLES_UNSEEN: "You settle in this study, so the judge stays hidden.",
    Reason.LEFT_TO_RATE: "You have {left:,} left to rate blind.",
    Reason.MORE_MAY_COME: "You may still be given more to rate blind.",
    Reason.NOT_SEEN_YET: "{name} is a rater in this study. Importing, checking a file, exporting and "
    "printing a report would show labels that a rater must not see while rating blind. Ask somebody who "
    "doesn't rate in this study to do it. To do it as {name}, first open the labels of the whole study on a "
    'page of the app, for example Agreement ("Show the whole study ..."). What {name} rates from then on no '
    "longer counts as blind.",
    Reason.COMES_AGAIN: "You can search for words once you have rated everything.",
    Reason.CONFLICT: "A conflict is noted for you and this conversation. Somebody else settles it.",
    Reason.ON_OWN_LIST: "This is on your own list to rate. Somebody else settles it.",
    Reason.RATED_IT: "You rated this yourself. Somebody else settles it.",
    Reason.NOT_DUE: "The judge's labels of this {noun.singular} can't be shown yet.",
}


def word_error(error: BaseException) -> str:
    """Return the sentence that tells a person what went wrong."""
    if isinstance(error, Refused) and error.reason in SENTENCES:
        return SENTENCES[error.reason].format_map(error.facts)
    return str(error)


def word_decision(decision: Decision) -> str:
    """Return why something is not permitted, for a decision of data/work/permissions.py that says no."""
    assert decision.reason is not None
    return SENTENCES[decision.reason].format(left=decision.left)
