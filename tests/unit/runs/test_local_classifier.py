"""A cross-encoder as a judge: a real, tiny one, on labels that its own scores decide, and on labels that have
nothing to do with them.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sqlalchemy as sa
import yaml
from click.testing import CliRunner

from cli import main
from configs.settings import Settings
from data import schema
from data.importers import conversations as conversations_import
from data.importers.imported_ratings import RatingProvenance, add_ratings
from data.importers.report import ImportReport
from data.keeping.verify import verify
from data.labels.agreement_material import read_counted
from data.record import anchors, conversations, judge_runs, judgements, units
from data.record.judge_runs import JudgeRunOptions
from runs.classifier_fit import ANY_ENTRY, ClassifierFit, choose_half, fit_classifier, settled_levels
from runs.judging import RunOutcome, configure_run, judge_study
from runs.judging.calls import CallBuilder
from runs.judging.prompt_reconstruction import reconstruct_prompt
from scoring.agreement.labels.label_data import SettledLabel
from scoring.judges.catalogue import JudgeUnusable
from scoring.judges.judge_client import RequestMaterial
from scoring.judges.local_classifier import score_replies
from scoring.judges.prompts import load_prompt
from scoring.models import installed_models
from scoring.models.pair_scorer import open_pair_scorer
from tests.models.forward_passes import remember_pair_scores
from tests.models.tiny_cross_encoder import UNUSUAL
from tests.studies.anchored import freeze
from tests.studies.small_study import Small

pytestmark = pytest.mark.slow
COUNT = 60
Truth = Callable[[int, str, float, float], str]  # conversation, criterion, score, median score -> label


@pytest.fixture
def small(
    make_study: Callable[..., Small],
    weights: Path,
    tiny_entailer: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Small:
    remember_pair_scores(monkeypatch)
    installed_models.install(weights, "tiny", tiny_entailer, "a test")
    small = make_study(conversation_count=COUNT, with_judges=False, data_class="synthetic")
    monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{small.store.path}")
    monkeypatch.setenv("SECOND_READER_MODELS", str(tmp_path / "models.yaml"))
    return small


def scores_of(small: Small) -> dict[tuple[int, str], float]:
    """Conversation and criterion -> the score, computed here from the replies alone."""
    scorer = open_pair_scorer(installed_models.entry_of(Settings.read().weights, "tiny"))
    prompt = load_prompt(Settings.read().prompts / "rubric_judge.yaml")
    caller = CallBuilder(small.study, prompt, ANY_ENTRY)
    scores = {}
    with small.store.reading() as connection:
        for unit in units.by_ids(connection, units.ids(connection, small.study.id)):
            messages = units.transcript(connection, unit) or []
            for criterion in caller.asked(unit):
                values = score_replies(scorer, caller.material(unit, messages, criterion))
                scores[unit.position, criterion.id] = float(np.mean(values))
    return scores


def rate(small: Small, truth: Truth, raters: tuple[str, ...] = ("Ann Lee", "Ben Ode")) -> None:
    scores = scores_of(small)
    medians = {
        name: float(np.median([score for (_, other), score in scores.items() if other == name]))
        for name in ("warm", "safe", "deep")
    }
    rows = [
        {
            "conversation_id": f"c{number}",
            "criterion": name,
            "rater": rater,
            "label": truth(number, name, score, medians[name]),
        }
        for (number, name), score in scores.items()
        for rater in raters
    ]
    report = ImportReport("x")
    with small.store.writing("tests", "import", small.study.id) as (connection, entry):
        add_ratings(
            connection, entry, small.study, enumerate(rows, start=1), report, RatingProvenance("blind", "x")
        )
        report.raise_if_wrong()


def by_score(number: int, name: str, score: float, median: float) -> str:
    return "YES" if score >= median else "NO"


def fit(small: Small) -> ClassifierFit:
    return fit_classifier(small.store, small.study, Settings.read(), "tiny")


def write_judge(fitted: ClassifierFit, folder: Path, **changed: Any) -> None:
    thresholds = fitted.thresholds
    (folder / thresholds.file_name).write_text(thresholds.body(), encoding="utf-8")
    fields = {
        "provider": "local_classifier",
        "model": "tiny",
        "data_classes": ["synthetic"],
        "options": {"thresholds": thresholds.file_name},
        **changed,
    }
    (folder / "models.yaml").write_text(yaml.safe_dump({"judges": {"free": fields}}), encoding="utf-8")


def judge(small: Small) -> RunOutcome:
    return judge_study(
        configure_run(small.store, Settings.read(), "small", "free"), JudgeRunOptions(), "lead"
    )


def labels(small: Small) -> dict[tuple[int, str], str]:
    with small.store.reading() as connection:
        rows = connection.execute(
            sa.select(schema.unit.c.position, schema.judgement.c.criterion, schema.judgement.c.label).join(
                schema.unit, schema.unit.c.id == schema.judgement.c.unit_id
            )
        )
        return {(row[0], row[1]): row[2] for row in rows}


def test_labels_that_the_scores_decide_are_given_on_what_was_not_learned_from(
    small: Small, tmp_path: Path
) -> None:
    rate(small, by_score)
    fitted = fit(small)
    assert set(fitted.thresholds.criteria) == {"warm", "safe", "deep"} and fitted.thresholds.not_fitted == {}
    assert all(cuts.right >= 0.9 * cuts.learned for cuts in fitted.thresholds.criteria.values())
    write_judge(fitted, tmp_path)
    outcome = judge(small)
    assert (outcome.outcome, outcome.failed) == ("finished", 0)
    given, scores = labels(small), scores_of(small)
    learned = {int(key[1:]) for key in fitted.thresholds.learned_from}
    assert {number for number, _ in given} == set(range(1, COUNT + 1)) - learned
    assert 15 <= len(learned) <= 45
    medians = {
        name: float(np.median([score for (_, other), score in scores.items() if other == name]))
        for name in ("warm", "safe", "deep")
    }
    wrong = [
        place for place, label in given.items() if label != by_score(*place, scores[place], medians[place[1]])
    ]
    assert len(wrong) <= 0.1 * len(given), (
        "the cut lies between the two learned scores nearest to the true one"
    )
    with small.store.reading() as connection:
        assert verify(connection).problems == []


def test_one_clinician_alone_settles_nothing(small: Small) -> None:
    rate(small, by_score, raters=("Ann Lee",))
    assert fit(small).settled == 0


def test_labels_that_have_nothing_to_do_with_the_scores_make_no_judge(small: Small) -> None:
    chance = random.Random(7)
    drawn = {number: chance.choice(("YES", "NO")) for number in range(1, COUNT + 1)}
    rate(small, lambda number, *_: drawn[number])
    assert fit(small).thresholds.criteria == {}


def test_constant_labels_are_not_fitted(small: Small) -> None:
    rate(small, lambda *_: "YES")
    fitted = fit(small)
    assert fitted.thresholds.criteria == {}
    assert all("that it could learn from are YES" in why for why in fitted.thresholds.not_fitted.values())


def test_inverted_scores_are_not_turned_round(small: Small) -> None:
    rate(small, lambda number, name, score, median: "NO" if score >= median else "YES")
    fitted = fit(small)
    assert fitted.thresholds.criteria == {}


def test_what_two_clinicians_disagree_on_is_not_settled(small: Small) -> None:
    rate(small, by_score, raters=("Ann Lee",))
    rate(small, lambda *answer: "NO" if by_score(*answer) == "YES" else "YES", raters=("Ben Ode",))
    assert fit(small).settled == 0


def test_that_it_does_not_apply_is_no_level(small: Small) -> None:
    rate(
        small,
        lambda number, *answer: "NA" if number % 2 and answer[0] == "warm" else by_score(number, *answer),
    )
    with small.store.reading() as connection:
        settled = settled_levels(read_counted(connection, small.study, None))
        listed = units.by_ids(connection, sorted(settled))
    assert {unit.position % 2 for unit in listed if "warm" in settled[unit.id]} == {0}
    assert all(level in (0, 1) for levels in settled.values() for level in levels.values())


def test_the_halves_are_told_by_no_label_and_share_no_conversation(small: Small) -> None:
    rate(small, by_score)
    with small.store.reading() as connection:
        material = read_counted(connection, small.study, None)
    settled = settled_levels(material)
    first = choose_half("small", material, settled)
    other = {unit: {name: 1 - level for name, level in levels.items()} for unit, levels in settled.items()}
    assert first == choose_half("small", material, other)
    assert 0.25 * len(settled) < len(first) < 0.75 * len(settled)


def test_other_thresholds_are_another_judge_and_changed_ones_none(small: Small, tmp_path: Path) -> None:
    rate(small, by_score)
    fitted = fit(small)
    write_judge(fitted, tmp_path)
    setting = configure_run(small.store, Settings.read(), "small", "free")
    write_judge(fitted, tmp_path, options={"thresholds": str(tmp_path / fitted.thresholds.file_name)})
    assert configure_run(small.store, Settings.read(), "small", "free").identity() != setting.identity()
    path = tmp_path / fitted.thresholds.file_name
    path.write_text(path.read_text().replace('"c1', '"c9'), encoding="utf-8")
    with pytest.raises(JudgeUnusable, match="was changed after it was written"):
        configure_run(small.store, Settings.read(), "small", "free")


def test_without_the_model_or_with_another_one_it_says_so(
    small: Small, tmp_path: Path, weights: Path
) -> None:
    rate(small, by_score)
    write_judge(fit(small), tmp_path)
    (weights / "tiny").rename(weights / "gone")
    outcome = judge(small)
    assert outcome.outcome == "unusable" and "There is no model tiny" in outcome.said
    assert labels(small) == {}


def test_the_command_writes_what_models_yaml_needs(small: Small, tmp_path: Path) -> None:
    rate(small, by_score)
    result = CliRunner().invoke(main, ["fit", "small", "--model", "tiny", "--to", str(tmp_path)])
    assert result.exit_code == 0, result.output
    entry = result.output[result.output.index("  classifier-small:") :]
    (tmp_path / "models.yaml").write_text(f"judges:\n{entry}", encoding="utf-8")
    asked = CliRunner().invoke(main, ["judge", "small", "--judge", "classifier-small"])
    assert asked.exit_code == 0, asked.output
    assert "no failures" in asked.output and len(labels(small)) > 40
    listed = CliRunner().invoke(main, ["judges"])
    assert "local_classifier\ttiny" in listed.output and listed.output.strip().endswith("ready")


def test_nothing_to_fit_writes_nothing(small: Small, tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["fit", "small", "--model", "tiny", "--to", str(tmp_path / "to")])
    assert result.exit_code == 1 and "nothing was written" in result.output
    assert not (tmp_path / "to").exists()
    missing = CliRunner().invoke(main, ["fit", "small", "--model", "none"])
    assert missing.exit_code == 1 and "There is no model none" in missing.output


def test_a_conversation_without_a_reply_gets_no_label(small: Small, tmp_path: Path) -> None:
    rate(small, by_score)
    fitted = fit(small)
    report = ImportReport("x")
    with small.store.writing("tests", "import", small.study.id) as (connection, entry):
        conversations_row = conversations_import.ConversationRow(1, "silent", [("user", "Is anybody there?")])
        conversations_import.add_all(connection, entry, small.study, [conversations_row], report)
        report.raise_if_wrong()
    write_judge(fitted, tmp_path)
    outcome = judge(small)
    assert outcome.outcome == "finished" and outcome.failed > 0
    with small.store.reading() as connection:
        study_conversations = conversations.read(connection, conversations.ids(connection, small.study.id))
        assert study_conversations[-1].key == "silent"
    assert {label for (number, _), label in labels(small).items() if number == COUNT + 1} == {None}


def test_the_score_is_the_probability_that_the_statement_follows(small: Small) -> None:
    scorer = open_pair_scorer(installed_models.entry_of(Settings.read().weights, "tiny"))
    material = RequestMaterial("warm", "It is warm.", ("Hello there.", "Good bye."), (1, 2), True)
    raw = scorer.scores([(reply, material.statement) for reply in material.replies])
    powers = np.exp(raw)
    expected = (powers / powers.sum(axis=1, keepdims=True))[:, UNUSUAL.index("entailment")]
    assert score_replies(scorer, material) == pytest.approx(expected.tolist())


def test_thresholds_of_another_study_or_wording_are_refused(small: Small, tmp_path: Path) -> None:
    """There the same keys may name other conversations, and what was learned from would be compared."""
    rate(small, by_score)
    thresholds = fit(small).thresholds
    for change in ({"study": "other"}, {"instrument": "small 2"}):
        other = ClassifierFit(thresholds.model_copy(update=change), 1, 1)
        write_judge(other, tmp_path)
        with pytest.raises(JudgeUnusable, match="Fit one to this study"):
            configure_run(small.store, Settings.read(), "small", "free")
    write_judge(ClassifierFit(thresholds, 1, 1), tmp_path)
    configure_run(small.store, Settings.read(), "small", "free")


def test_what_comes_later_of_a_person_who_was_learned_from_is_left_out_too(
    small: Small, tmp_path: Path
) -> None:
    def add(keys: dict[str, str]) -> None:
        report = ImportReport("x")
        listed = [
            conversations_import.ConversationRow(
                number, key, [("user", f"Hello, {key}."), ("assistant", "Hi.")], {"person": person}
            )
            for number, (key, person) in enumerate(keys.items(), start=1)
        ]
        with small.store.writing("tests", "import", small.study.id) as (connection, entry):
            conversations_import.add_all(connection, entry, small.study, listed, report)
            report.raise_if_wrong()

    rate(small, by_score)
    add({"early": "P1"})
    thresholds = fit(small).thresholds
    write_judge(
        ClassifierFit(thresholds.model_copy(update={"learned_from": ("c1", "early")}), 1, 1), tmp_path
    )
    add({"late": "P1", "else": "P2"})
    left_out = configure_run(small.store, Settings.read(), "small", "free").left_out
    with small.store.reading() as connection:
        keys = {conversation.key for conversation in conversations.read(connection, sorted(left_out))}
    assert keys == {"c1", "early", "late"}


def test_a_model_that_is_no_name_is_looked_for_nowhere_else(small: Small, tmp_path: Path) -> None:
    rate(small, by_score)
    write_judge(fit(small), tmp_path, model="../weights/tiny")
    assert judge(small).outcome == "unusable"
    outside = CliRunner().invoke(main, ["fit", "small", "--model", "../weights/tiny"])
    assert outside.exit_code == 1 and "expected letters" in outside.output


def test_no_prompt_is_shown_as_sent(small: Small, tmp_path: Path) -> None:
    rate(small, by_score)
    write_judge(fit(small), tmp_path)
    judge(small)
    with small.store.reading() as connection:
        (classifier,) = judgements.judges(connection, small.study.id)
        attempt = connection.execute(sa.select(schema.attempt)).first()
        assert attempt is not None
        (unit,) = units.by_ids(connection, [attempt.unit_id])
    shown = reconstruct_prompt(
        small.store, small.study, unit, classifier, attempt.criterion, attempt.prompt_sha256
    )
    assert isinstance(shown, str) and "nothing was sent" in shown


def test_all_conversations_of_a_person_are_learned_from_or_compared(small: Small) -> None:
    """Also one that nobody rated yet."""
    rate(small, by_score)
    report = ImportReport("x")
    keys = [f"{person}-{part}" for person in "uvwxyz" for part in ("rated", "open")]
    listed = [
        conversations_import.ConversationRow(
            number, key, [("user", f"Hello, {key}."), ("assistant", "Hi.")], {"person": key[0]}
        )
        for number, key in enumerate(keys, start=1)
    ]
    answers = [
        {"conversation_id": f"{person}-rated", "criterion": "warm", "rater": rater, "label": "YES"}
        for person in "uvwxyz"
        for rater in ("Ann Lee", "Ben Ode")
    ]
    with small.store.writing("tests", "import", small.study.id) as (connection, entry):
        conversations_import.add_all(connection, entry, small.study, listed, report)
        provenance = RatingProvenance("blind", "x")
        add_ratings(connection, entry, small.study, enumerate(answers, start=1), report, provenance)
        report.raise_if_wrong()
    learned = {key for key in fit(small).thresholds.learned_from if "-" in key}
    assert learned and {key[0] for key in learned if key.endswith("rated")} == {
        key[0] for key in learned if key.endswith("open")
    }


def test_thresholds_of_another_model_are_refused(small: Small, tmp_path: Path) -> None:
    rate(small, by_score)
    thresholds = fit(small).thresholds.model_copy(update={"model": "tiny, weights of another"})
    write_judge(ClassifierFit(thresholds, 1, 1), tmp_path)
    outcome = judge(small)
    assert outcome.outcome == "unusable" and "Fit the judge again" in outcome.said


def test_a_label_that_was_settled_after_the_judge_was_seen_is_not_learned_from(small: Small) -> None:
    """People differ on all of warm: a settlement tells its level only where it may stand as a reference."""
    rate(small, by_score, raters=("Ann Lee",))
    rate(small, lambda *answer: "NO" if by_score(*answer) == "YES" else "YES", raters=("Ben Ode",))
    with small.store.reading() as connection:
        material = read_counted(connection, small.study, None)
    warm = next(number for number, question in enumerate(material.questions) if question.id == "warm")
    blind, seen, both_stand, not_applicable, *_ = sorted(set(material.blind.unit.tolist()))
    settlements = (
        SettledLabel(warm, blind, 0, True),
        SettledLabel(warm, seen, 0, False),
        SettledLabel(warm, both_stand, None, True),
        SettledLabel(warm, not_applicable, len(material.questions[warm].levels), True),
    )
    assert settled_levels(replace(material, settled=settlements)) == {blind: {"warm": 0}}


def test_that_both_readings_stand_outweighs_two_who_agree(small: Small) -> None:
    rate(small, by_score)
    with small.store.reading() as connection:
        material = read_counted(connection, small.study, None)
    unit = int(material.blind.unit[0])
    levels = settled_levels(replace(material, settled=(SettledLabel(0, unit, None, True),)))
    assert material.questions[0].id not in levels[unit]


def test_of_anchors_that_it_learned_from_it_is_not_asked_and_no_round_begins(
    small: Small, tmp_path: Path
) -> None:
    rate(small, by_score)
    fitted = fit(small)
    learned = sorted(int(key[1:]) for key in fitted.thresholds.learned_from)
    others = sorted({*range(1, COUNT + 1)} - {*learned})
    write_judge(fitted, tmp_path)
    freeze(small.store, small.study, tuple(learned[:3]))
    setting = configure_run(small.store, Settings.read(), "small", "free")
    with pytest.raises(
        JudgeUnusable,
        match=r"free learned from the labels of every conversation in the locked set.*Nothing was started",
    ):
        setting.on_the_anchors(JudgeRunOptions())
    with pytest.raises(
        JudgeUnusable, match="learned from the labels of every conversation in the locked set"
    ):
        judge_study(setting, JudgeRunOptions(anchor_round=1), "lead")
    command = CliRunner().invoke(main, ["judge", "small", "--judge", "free", "--anchors"])
    assert command.exit_code == 1 and "it may answer none of them" in command.output
    with small.store.reading() as connection:
        assert judge_runs.listing(connection, small.study.id) == []
    freeze(small.store, small.study, (learned[0], others[0]))
    assert setting.on_the_anchors(JudgeRunOptions()).anchor_round == 1


def test_of_anchors_on_criteria_that_were_not_fitted_it_is_not_asked(small: Small, tmp_path: Path) -> None:
    rate(small, lambda number, name, *scores: "YES" if name == "warm" else by_score(number, name, *scores))
    fitted = fit(small)
    assert set(fitted.thresholds.not_fitted) == {"warm"}
    write_judge(fitted, tmp_path)
    learned = {int(key[1:]) for key in fitted.thresholds.learned_from}
    position = min({*range(1, COUNT + 1)} - learned)
    unit = small.desk().unit(position)
    with small.store.writing("tests", "freeze", small.study.id) as (connection, entry):
        anchors.freeze(connection, entry, small.study, {(unit.id, "warm"): "YES"})
    setting = configure_run(small.store, Settings.read(), "small", "free")
    with pytest.raises(JudgeUnusable, match="free has no criterion to answer in the locked set"):
        setting.on_the_anchors(JudgeRunOptions())
