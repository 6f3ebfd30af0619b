"""The list and filters of the Settle page. The address holds them, so that a reload, Back and a link restore
them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from data.record.studies import Study
from pages.widgets.address_number import number_in_address
from pages.widgets.write_address import write_address

QUEUES = {
    "human_human": "To settle",
    "human_judge": "The judge differs",
    "escalation": "Notes to you",
}
ONLY_PUT_OFF = "Only the ones that you put off are left."
SHOW_AGAIN = "Show them again"
# Names in the address; `unit` and `criterion` name the open entry.
QUEUE, CRITERION, LEVELS = "queue", "about", "apart"
ENTRY = ("unit", "criterion")


@dataclass(frozen=True)
class SettleChoices:
    """`queue`: one of QUEUES. `criterion`: its id, or "". `levels`: the smallest distance, 0 for any."""

    queue: str
    criterion: str
    levels: int


def most_levels(study: Study) -> int:
    """Return the largest distance on the longest ordered scale; 0 without one."""
    scales = [scale for scale in study.instrument.scales.values() if scale.kind == "ordinal"]
    return max((high - low for low, high in (scale.bounds() for scale in scales)), default=0)


def read_choices(study: Study) -> SettleChoices:
    """Return the choices in the address; unknown ones are replaced by the default."""
    queue = st.query_params.get(QUEUE, "")
    criterion, levels = st.query_params.get(CRITERION, ""), number_in_address(LEVELS) or 0
    return SettleChoices(
        queue if queue in QUEUES else next(iter(QUEUES)),
        criterion if criterion in study.criterion_names() else "",
        levels if 2 <= levels <= most_levels(study) else 0,
    )


def draw_queues(study: Study, choices: SettleChoices, counts: Mapping[str, int]) -> None:
    """Show the lists to choose from. `counts`: by the lists that this person may see."""
    key = f"queue-{study.id}"
    st.session_state[key] = choices.queue if choices.queue in counts else None
    st.segmented_control(
        "What to settle",
        list(counts),
        key=key,
        format_func=lambda name: f"{QUEUES[name]} {counts[name]:,}",
        label_visibility="collapsed",
        on_change=_turn_to_queue,
        args=(key, choices.queue),
    )


def _turn_to_queue(key: str, shown: str) -> None:
    queue = st.session_state[key]
    if queue is not None and queue != shown:  # a second press on the same list changes nothing
        write_address(**{QUEUE: queue, CRITERION: "", LEVELS: "", **dict.fromkeys(ENTRY, "")})


def draw_filters(study: Study, choices: SettleChoices, offered: Sequence[str]) -> None:
    """Show the filters. `offered`: CRITERION and LEVELS, unless they would reveal a hidden label."""
    names = study.criterion_names()
    if CRITERION in offered and len(names) > 1:
        key = f"settle-criterion-{study.id}"
        st.session_state[key] = choices.criterion or None
        st.selectbox(
            "Criterion",
            list(names),
            key=key,
            index=None,
            placeholder="Criterion",
            format_func=names.__getitem__,
            label_visibility="collapsed",
            width=230,
            on_change=_narrow,
            args=(key, CRITERION),
        )
    if LEVELS in offered and most_levels(study) > 1:
        key = f"settle-levels-{study.id}"
        st.session_state[key] = choices.levels or None
        st.selectbox(
            "Levels apart",
            list(range(2, most_levels(study) + 1)),
            key=key,
            index=None,
            placeholder="Levels apart",
            format_func=lambda levels: (
                f"{levels} apart or more" if levels < most_levels(study) else f"{levels} apart"
            ),
            label_visibility="collapsed",
            width=180,
            on_change=_narrow,
            args=(key, LEVELS),
        )


def _narrow(key: str, name: str) -> None:
    write_address(**{name: str(st.session_state[key] or "")})
