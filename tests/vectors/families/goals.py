"""Session goal alignment: actions, the texts that are embedded, cosines and curves."""

from __future__ import annotations

from scoring.clinical_actions import extract_clinical_actions, lexicon
from scoring.goal_alignment import SessionTexts, align
from scoring.models.embedder import configured_embedder
from tests.vectors.tally import Tally
from tests.vectors.tracked import TrackedDict

LEXICONS = {"narrow": "reference-narrow", "wide": "reference-wide"}


def clinical_actions(case: TrackedDict, tally: Tally, _: TrackedDict) -> None:
    found = {name: extract_clinical_actions(case["text"], lexicon(key)) for name, key in LEXICONS.items()}
    for name, actions in found.items():
        tally.same(f"{case['id']} {name}", actions, case[f"expected_{name}"])
    tally.same(f"{case['id']} patterns agree", found["narrow"] == found["wide"], case["patterns_agree"])


def curve_texts(case: TrackedDict, tally: Tally, _: TrackedDict) -> None:
    for name, key in LEXICONS.items():
        session = SessionTexts([turn or "" for turn in case["turns"]], "a plan", lexicon(key))
        tally.same(
            f"{case['id']} {name}",
            [text or None for text in session.so_far],
            case[f"expected_cumulative_text_{name}"],
        )
        if name == "narrow":
            everything = session.so_far[-1] if session.so_far else ""
            tally.same(
                f"{case['id']} actions", everything, case["expected_full_conversation_action_text_narrow"]
            )
            tally.same(f"{case['id']} none", not everything, case["expected_score_is_none"])
        tally.same(f"{case['id']} full", session.full, case["full_mode_text"])


def sbert(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
    model = configured_embedder()
    tally.same(f"{case['id']} weights", model.sha256, document["weights_sha256"].split()[0])
    for name, key in LEXICONS.items():
        alignment = align(case["turns"], case["plan"], lexicon(key), model)
        expected = case["expected"]
        tally.number(
            f"{case['id']} score {name}", alignment.actions_truncated.value, expected[f"score_actions_{name}"]
        )
        tally.numbers(
            f"{case['id']} curve {name}",
            alignment.curve("truncated") if case["plan"] else [],
            expected[f"curve_actions_{name}"],
        )
        if name == "narrow":
            tally.number(f"{case['id']} full", alignment.full_truncated.value, expected["score_full"])
            actions = " ".join(
                part
                for part in (extract_clinical_actions(turn, lexicon(key)) for turn in case["turns"])
                if part
            )
            tally.same(
                f"{case['id']} tokens",
                len(model.pieces([actions])[0]) + model.markers,
                case["action_tokens_narrow"],
            )


COMPARERS = {
    "clinical_actions": clinical_actions,
    "alignment_curve_texts": curve_texts,
    "alignment_sbert": sbert,
}
