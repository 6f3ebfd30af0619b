"""The columns of the table of ratings, in their order: what each means and which values it has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from data.labels.settlements import CAUSES
from data.record.answers import CANNOT_RATE, CONFIDENCE
from scoring.judges.statuses import FAILURES, OK

LABEL = "a label of the criterion's scale; NA often means that it does not apply"
MOMENT = "date and time in UTC, ISO 8601; empty where an imported file does not say it"
YES_NO = "yes, no"


class ColumnMeaning(NamedTuple):
    meaning: str
    values: str


def _listed(codes: Mapping[str, str] | Mapping[int, str]) -> str:
    return "; ".join(f"{code} ({words})" for code, words in codes.items())


COLUMNS = {
    "conversation": ColumnMeaning("The conversation's own id, as it was imported.", "text"),
    "unit": ColumnMeaning("Position of the conversation or reply in the study.", "1, 2, ..."),
    "turn": ColumnMeaning(
        "Turn of the reply that was rated. Empty where whole conversations are rated, and where the "
        "conversation was erased.",
        "1, 2, ...",
    ),
    "criterion": ColumnMeaning("Id of the criterion in the rubric.", "text"),
    "giver": ColumnMeaning("Who gave the label.", "person, judge"),
    "rater": ColumnMeaning(
        "Code of the rater, the same in every report. An imported rater who was confirmed to be a rater of "
        "the study has that rater's code.",
        "such as Rater K7; empty for a judge",
    ),
    "judge": ColumnMeaning("Name of the judge.", "text; empty for a person"),
    "judge_key": ColumnMeaning(
        "Distinguishes judges: another model, prompt or setting has another key.",
        "first 12 digits of the hash of the judge's identity; empty for a person",
    ),
    "provider": ColumnMeaning(
        "Provider of the judge's model.", "text; unknown where the import did not state it"
    ),
    "model": ColumnMeaning("Model that was requested.", "text; unknown where the import did not state it"),
    "prompt": ColumnMeaning(
        "Version and hash of the judge's prompt.", "text; unknown where the import did not state it"
    ),
    "replicate": ColumnMeaning(
        "Which time the question was asked. Of a person: 1 where the conversation or reply was shown again.",
        "0, 1, ...",
    ),
    "anchor_round": ColumnMeaning(
        "Which round about the locked set the judge's answer belongs to.", "0: none; 1, 2, ..."
    ),
    "source": ColumnMeaning(
        "Where the answer comes from.",
        "of a person: given (rated here), imported, rule (filled in by the rubric); of a judge: run, ledger "
        "(an earlier answer to the same request), import",
    ),
    "status": ColumnMeaning(
        "How the call of the judge ended. A failed call has no label.",
        f"{OK}; {_listed(FAILURES)}; empty for a person",
    ),
    "first_label": ColumnMeaning(
        "First answer of the rater to this question. Of a judge: its label.", f"{LABEL}; empty without one"
    ),
    "final_label": ColumnMeaning(
        "Answer of the rater after all changes, also those after the judge was shown. Of a judge: its label.",
        f"{LABEL}; empty without one",
    ),
    "headline_label": ColumnMeaning(
        "Label that the headline compares: the rater's last blind one, or the judge's.",
        f"{LABEL}; empty where in_headline is no",
    ),
    "cannot_rate": ColumnMeaning(
        "Why the rater could not rate it, where that is the final answer.",
        f"{_listed(CANNOT_RATE)}; empty otherwise",
    ),
    "changes": ColumnMeaning("How many times the rater changed the answer.", "0, 1, ...; empty for a judge"),
    "exposure": ColumnMeaning(
        "What the rater had seen when giving the first answer.",
        "blind; judge_visible (the judge's label, or everybody's labels); unknown; empty for a judge",
    ),
    "final_exposure": ColumnMeaning("The same for the final answer.", "as exposure"),
    "time": ColumnMeaning("When the first answer was given.", MOMENT),
    "final_time": ColumnMeaning("When the final answer was given.", MOMENT),
    "seconds": ColumnMeaning(
        "Time the rater took for the whole conversation or reply, all criteria together.",
        "seconds; empty where unknown, after a break of more than an hour, and for a judge",
    ),
    "confidence": ColumnMeaning(
        "How sure the rater was of the final answer.",
        f"{_listed(CONFIDENCE)}; empty where not stated",
    ),
    "also_defensible": ColumnMeaning(
        "Other labels that the rater would defend too.", 'labels, separated by "; "'
    ),
    "evidence": ColumnMeaning(
        "Places that the rater marked for the final answer, with their words. Of a judge: the turns it "
        "named.",
        'such as turn 2: “words”, separated by " · "; without words if texts were left out',
    ),
    "note": ColumnMeaning("The rater's note on the final answer.", "text; empty if erased or left out"),
    "reasoning": ColumnMeaning(
        "The judge's reasoning, or what is known of a failed call.", "text; empty if erased or left out"
    ),
    "settled_label": ColumnMeaning(
        "Label that was settled for this conversation or reply and criterion.",
        f"{LABEL}; empty where nothing was settled or both readings stand",
    ),
    "settled_cause": ColumnMeaning(
        "Cause of the settlement.", f"{_listed(CAUSES)}; empty where nothing was settled"
    ),
    "in_headline": ColumnMeaning(
        "Whether the headline compares this answer: a blind label of a rater who counts, and a label of the "
        "judge in use on the same question.",
        YES_NO,
    ),
    "why_not": ColumnMeaning(
        "Why the headline does not compare it. Where several reasons apply, one is given.",
        "text; empty where in_headline is yes",
    ),
}
