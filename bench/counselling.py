"""Counselling sessions out of building blocks, the same on every run: a plan of care and the replies of an
assistant.
"""

from __future__ import annotations

import random

from bench.scale import sized

TURNS = sized(20, 4)

PEOPLE = (
    "your sister",
    "your manager",
    "your father",
    "a friend from the choir",
    "your partner",
    "the neighbour",
    "your daughter",
)
PLACES = (
    "at work",
    "at home in the evening",
    "on the bus",
    "before you fall asleep",
    "in the kitchen on Sundays",
    "at the clinic",
)
THINGS = (
    "the argument about money",
    "the night you could not sleep",
    "the letter from the court",
    "the empty flat",
    "the exam in March",
    "the panic in the supermarket",
    "what your mother said",
    "the pain in your shoulder",
    "drinking alone",
    "the diagnosis",
)
FEELINGS = (
    "tired",
    "ashamed",
    "angry",
    "numb",
    "lonely",
    "restless",
    "frightened",
    "relieved",
    "guilty",
    "hopeful",
)
STEPS = (
    "write down three thoughts a day",
    "walk for ten minutes after lunch",
    "breathe out slowly for a count of six",
    "call one person you trust",
    "put the telephone away at nine",
    "go back to the choir for half an hour",
    "note how strong the urge is from one to ten",
    "make an appointment with your family doctor",
    "tell the pharmacist about the side effects",
    "keep the number of the crisis line at hand",
)

LISTENING = (
    "It sounds as if {thing} left you {feeling}, and {feeling2} as well, above all {place}.",
    "I hear how much {person} matters to you.",
    "What went through your mind when {person} brought up {thing}?",
    "Many people would feel {feeling} after {thing}.",
    "You have carried this {place} for longer than anyone knew, and it makes sense that you are {feeling}.",
    "Thank you for telling me about {thing}; that was not easy.",
    "On a day like that, {feeling} is not weakness.",
    "Where in your body do you notice being {feeling}, {place}?",
)
ACTIONS = (
    "Until the next session, try to {step}, and note what changes {place}.",
    "I would suggest that you {step} whenever you feel {feeling}.",
    "You could start with something small: {step}.",
    "Let us plan together how you answer {person} when {thing} comes up again.",
    "If the thoughts of suicide return, stop what you are doing, and {step}; that is part of your safety "
    "plan.",
    "Are you safe right now, {place}, or is there a risk that {thing} becomes too much?",
    "I recommend that you {step} for a week, because being {feeling} makes {thing} larger than it is.",
    "Continue to {step}, and keep the journal about {thing} as homework.",
    "It may help to practise this {place}: first you {step}, then you tell {person} how you feel.",
)
PLANS = (
    "Assess the risk of suicide at every session and keep a safety plan. Question the thoughts about "
    "{thing}. Homework: {step}.",
    "Reduce avoidance step by step, beginning {place}. Practise grounding. Involve {person}. Review "
    "medication with the family doctor.",
    "Restore daily structure after {thing}: {step}, and {step2}. Follow up weekly and refer to a specialist "
    "if {feeling} for two weeks.",
)


def sessions(count: int, seed: int = 2026) -> list[tuple[list[str], str]]:
    """(replies, plan of care) of so many sessions of twenty turns."""
    chance = random.Random(seed)
    return [
        ([_reply(chance) for _ in range(TURNS)], _filled(chance, chance.choice(PLANS))) for _ in range(count)
    ]


def steps(count: int, seed: int) -> list[str]:
    """Reasoning steps of a length as in the published data, some of them near each other."""
    chance = random.Random(seed)
    return [_filled(chance, chance.choice(LISTENING + ACTIONS)) for _ in range(count)]


def _reply(chance: random.Random) -> str:
    said = [chance.choice(LISTENING) for _ in range(chance.randint(1, 5))]
    said += [chance.choice(ACTIONS) for _ in range(chance.choice((0, 0, 1, 1, 2, 3)))]
    chance.shuffle(said)
    return " ".join(_filled(chance, sentence) for sentence in said)


def _filled(chance: random.Random, sentence: str) -> str:
    return sentence.format(
        person=chance.choice(PEOPLE),
        place=chance.choice(PLACES),
        thing=chance.choice(THINGS),
        feeling=chance.choice(FEELINGS),
        feeling2=chance.choice(FEELINGS),
        step=chance.choice(STEPS),
        step2=chance.choice(STEPS),
    )
