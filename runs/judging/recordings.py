"""Record a judge's labels: the exact requests that another run would make, with the known answers.

Replaying them runs the whole program without a key. Failures are not recorded, so they stay failures.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from data.record import judgements, units
from data.record.judgements import Judge
from runs.judging.run_configuration import RunConfiguration
from scoring.judges.catalogue import JudgeUnusable
from scoring.judges.replay import Recording


def recordings(setting: RunConfiguration, judge: Judge) -> Iterator[Recording]:
    """Yield one recording per first verdict with its reasoning, in the order of the units. `setting`: whose
    requests.

    Raises JudgeUnusable if that judge asks about all criteria in one call, because no answer is then one
    verdict.
    """
    if setting.asked_as.batching == "trial":
        raise JudgeUnusable(
            f"{setting.name} asks about all criteria in one call (batching: trial), but a recording holds "
            "one. Name another judge with --as."
        )
    caller = setting.caller
    cites = setting.prompt.file.cites == "turns"
    with setting.store.reading() as connection:
        unit_ids = units.ids(connection, setting.study.id)
        for start in range(0, len(unit_ids), 100):
            batch_units = units.by_ids(connection, unit_ids[start : start + 100])
            stored_labels = judgements.find_labels_with_reasons(
                connection, judge.id, [unit.id for unit in batch_units]
            )
            for unit in batch_units:
                messages = units.transcript(connection, unit)
                answered = [c for c in caller.asked(unit) if (unit.id, c.id) in stored_labels]
                for call in caller.calls(unit, messages, answered, 0) if messages else []:
                    label, reasoning, cited = stored_labels[unit.id, call.criterion]
                    reply = {
                        "reasoning": reasoning,
                        **({"cited_turns": list(cited)} if cites else {}),
                        "label": label,
                    }
                    yield Recording(
                        key=call.request.key,
                        reply=json.dumps(reply, ensure_ascii=False),
                        served=str(judge.identity.get("model")),
                    )
