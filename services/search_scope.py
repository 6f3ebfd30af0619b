"""What a person may find by searching a study. The page of a result checks permissions again.

No search finds a label, a note, a reason, a judge or a colleague's work.
"""

from __future__ import annotations

from dataclasses import dataclass

from data.access.permissions import Action, Person, may
from data.record.studies import Study
from data.store.store import Connection
from data.work.worklist import Worklist, open_worklist

_ASKED = (Action.LEAD, Action.SEARCH_WORDS, Action.SEE_LABELS_UNRECORDED, Action.SEE_LABELS)


@dataclass(frozen=True)
class SearchScope:
    """What the person may search. `people`: raters by name. `keys_and_facts`: conversations by key and facts,
    such as the condition or the model. `words`: conversations by their text; `instructions`: also by the
    assistant's instructions. `worklist`: the rater's list, read once per search; `whole_study`: it has every
    unit. `results`: criteria link to the labels of the whole study.
    """

    worklist: Worklist | None = None
    people: bool = False
    criteria: bool = False
    words: bool = False
    instructions: bool = False
    keys_and_facts: bool = False
    whole_study: bool = False
    results: bool = False

    @property
    def rater_id(self) -> int | None:
        """The rater's id; None for a study lead."""
        return None if self.worklist is None else self.worklist.rater_id


def find_scope(connection: Connection, study: Study, person: Person) -> SearchScope:
    """Return what this person may find. Ids and facts may reveal who made a conversation, so a rater can
    search them only once it is on record that they saw the study's labels.
    """
    permitted = {action: bool(may(connection, person, action, study)) for action in _ASKED}
    own = None if person.rater_id is None else open_worklist(connection, study, person.rater_id)
    return SearchScope(
        worklist=own,
        people=permitted[Action.LEAD],
        criteria=own is None or own.length > 0,
        words=permitted[Action.SEARCH_WORDS],
        instructions=permitted[Action.LEAD],
        keys_and_facts=permitted[Action.SEE_LABELS_UNRECORDED],
        whole_study=own is None or own.plan is None,
        results=permitted[Action.SEE_LABELS],
    )
