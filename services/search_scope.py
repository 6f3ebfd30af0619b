"""What somebody may find in a study by searching: the one place where that is decided. The page that a result
leads to asks again.

Nothing here finds a label, a note, a reason, a judge or a colleague's work, whoever asks.
"""

from __future__ import annotations

from dataclasses import dataclass

from data.record.studies import Study
from data.store.store import Connection
from data.work import blindness, exposures, repeats
from data.work.worklist import Worklist, open_worklist


@dataclass(frozen=True)
class SearchScope:
    """`people`: raters by name. `keys_and_facts`: conversations by their key and by what stood beside them,
    such as the condition or the model that made them. `words`: conversations by the words said in them;
    `instructions`: those to the assistant as well. `worklist`: of whoever rates, chosen once a search;
    `whole_study`: it holds every unit. `results`: criteria lead to the labels of the whole study.
    """

    worklist: Worklist | None = None
    people: bool = False
    criteria: bool = False
    numbers: bool = False
    words: bool = False
    instructions: bool = False
    keys_and_facts: bool = False
    whole_study: bool = False
    results: bool = False

    @property
    def rater_id(self) -> int | None:
        """None: a study lead."""
        return None if self.worklist is None else self.worklist.rater_id


LEAD = SearchScope(
    people=True,
    criteria=True,
    numbers=True,
    words=True,
    instructions=True,
    keys_and_facts=True,
    whole_study=True,
    results=True,
)


def rater_scope(connection: Connection, study: Study, rater_id: int) -> SearchScope:
    """Keys and facts may tell who made a conversation, so they wait until it is on record that the rater saw
    the study; and words that stand at two places of a list would tell which unit came again unseen.
    """
    own = open_worklist(connection, study, rater_id)
    comes_again = own.plan is not None and (own.plan.repeats > 0 or repeats.any_given(connection, rater_id))
    opened = study.review == "open" or exposures.saw_page(connection, rater_id)
    return SearchScope(
        worklist=own,
        criteria=own.length > 0,
        numbers=True,
        words=not comes_again or blindness.is_done(connection, study, rater_id),
        keys_and_facts=opened,
        whole_study=own.plan is None,
        results=blindness.may_learn_labels(connection, study, rater_id),
    )


def reader_scope(connection: Connection, study: Study, rater_id: int | None) -> SearchScope:
    """`rater_id` None: a study lead, who does not rate."""
    return LEAD if rater_id is None else rater_scope(connection, study, rater_id)
