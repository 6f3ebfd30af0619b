"""Make this study: python data/samples/judge_change/make.py [FOLDER]. Run again, it writes the same bytes.

Everything in it is made up by this script: the conversations are put together of fragments, the labels of
clinicians and of the judge are drawn. Eighteen weeks of nine conversations; three clinicians, two of whom
rate each of them blind; one judge. From the twelfth week on the judge lies 0.65 of a level lower. Nothing
else changes: conversations, conditions and clinicians are drawn alike in every week. The labels on which two
clinicians were at one in the first four weeks are frozen as anchors, and the judge answers them three times
in each of six rounds, three before it changes and three after.

Labels: a conversation has a level for each question, which also chooses its fragments; a clinician or the
judge sees it with an error and rounds.
"""

from __future__ import annotations

import csv
import json
import random
import sys
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from pathlib import Path
from statistics import NormalDist

SEED = 20260105
FIRST_DAY = date(2026, 1, 5)  # a Monday
WEEKS, A_WEEK, CHANGES = 18, 9, 11  # the judge changes after eleven weeks
LOWER = 0.65  # levels
ANCHOR_WEEKS = 4
ROUNDS = (
    date(2026, 2, 4),
    date(2026, 3, 4),
    date(2026, 3, 18),
    date(2026, 4, 1),
    date(2026, 4, 22),
    date(2026, 5, 6),
)
CLINICIANS = {
    "Made-up clinician 1": 0.1,
    "Made-up clinician 2": -0.1,
    "Made-up clinician 3": 0.0,
}  # how lenient each is, in levels
QUESTIONS = ("listens", "answers", "next_step")
CONDITIONS = ("brief", "detailed")

WORRIES = (
    (
        "I start a new job on Monday and keep going over everything that could go wrong",
        "starting the new job",
        "lay out what you need for Monday tonight",
    ),
    (
        "We are moving house in three weeks and I have not packed one box",
        "the move",
        "pack one shelf this evening and stop there",
    ),
    (
        "My flatmate and I keep arguing about the dishes",
        "the dishes",
        "ask your flatmate for ten minutes on Thursday",
    ),
    (
        "I have to give a short talk and my mind goes blank when I practise",
        "the talk",
        "say the first two sentences aloud three times",
    ),
    (
        "My driving test is next week and I failed the last one",
        "the driving test",
        "drive the route past the station once before Friday",
    ),
    (
        "I said I would learn the guitar this year and I have not touched it",
        "the guitar",
        "leave it out of its case and play five minutes today",
    ),
    (
        "My sister wants an answer about the summer and I keep putting it off",
        "your sister's question",
        "write her one line today about when you will know",
    ),
    (
        "I lose half my evenings to my phone and then I am cross with myself",
        "the evenings",
        "put the phone in the kitchen from eight to nine",
    ),
    (
        "I was asked to lead a project and I am not sure I want to",
        "leading the project",
        "ask what would be yours to decide before you answer",
    ),
)
ASKS = (
    "How do I get started?",
    "What would you do first?",
    "Where do I begin?",
    "How do I make this smaller?",
)
LISTENS = (
    "Okay.",
    "That can happen.",
    "It sounds as if {topic} is on your mind.",
    "{topic} weighs on you, and you keep turning it over.",
    "You said it yourself: {topic} keeps coming back, and being hard on yourself has not helped.",
)
ANSWERS = (
    "Many people think about such things.",
    "It is important to be organised.",
    "One way is to look at a part of it.",
    "Begin with the part that is nearest in time; the rest can wait.",
    "Begin with one thing and leave the rest on a list, because all of it at once is too much.",
)
STEPS = (
    "Take care.",
    "Try to do something about it.",
    "Pick something small this week.",
    "For example: {step}.",
    "So, one thing: {step}. If it does not work, halve it.",
)
MORE = {
    "brief": "",
    "detailed": " Nothing has to be finished for it to count; having begun is what makes the next bit "
    "easier.",
}
THANKS = (
    "Thank you. I could try that.",
    "Hm. I will think about it.",
    "All right. And if I do not manage?",
    "That helps a little.",
)
CLOSES = (
    "Then it is still a beginning.",
    "You can tell me how it went.",
    "Look at it again on Sunday.",
    "One go is enough for today.",
)

Row = tuple[object, ...]


class Draws:
    """Numbers by lot that are the same on every machine: only `random()` is asked of the generator."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def normal(self, sd: float) -> float:
        return NormalDist(0, sd).inv_cdf(min(max(self._random.random(), 1e-9), 1 - 1e-9))

    def happens(self, chance: float) -> bool:
        return self._random.random() < chance

    def pick(self, texts: Sequence[str]) -> str:
        return texts[int(self._random.random() * len(texts))]


def level(value: float) -> int:
    """From 1 to 5."""
    return min(5, max(1, int(value + 0.5)))


def make(folder: Path) -> None:
    """Write conversations, ratings, judgements, anchors and rounds."""
    draws = Draws(SEED)
    talks: list[str] = []
    ratings: list[Row] = []
    judgements: list[Row] = []
    anchors: list[tuple[str, str, int]] = []
    minds: dict[tuple[str, str], float] = {}
    for number in range(WEEKS * A_WEEK):
        week, place = divmod(number, A_WEEK)
        key, held = f"made-up-{number + 1:03}", FIRST_DAY + timedelta(days=7 * week + place * 4 // A_WEEK)
        true = {
            question: 3.3 + base + draws.normal(0.6)
            for base in (draws.normal(0.6),)
            for question in QUESTIONS
        }
        talks.append(
            conversation(
                draws,
                key,
                held,
                CONDITIONS[number % 2],
                {question: level(value) for question, value in true.items()},
            )
        )
        names = [name for place, name in enumerate(CLINICIANS) if place != number % 3]
        judged = held + timedelta(days=1)
        for question in QUESTIONS:
            by_clinician = {
                name: level(true[question] + CLINICIANS[name] + draws.normal(0.3)) for name in names
            }
            ratings += [
                (key, name, question, label, f"{judged}T{10 + names.index(name)}:{number % 60:02}:00+00:00")
                for name, label in by_clinician.items()
            ]
            mind = minds[key, question] = true[question] + draws.normal(0.12)
            judgements.append((key, question, level(mind - lower(judged)), f"{judged}T05:00:00+00:00"))
            if week < ANCHOR_WEEKS and len({*by_clinician.values()}) == 1:
                anchors.append((key, question, next(iter(by_clinician.values()))))
    rounds = [
        (
            key,
            question,
            level(minds[key, question] - lower(day) + (draws.normal(0.5) if draws.happens(0.1) else 0.0)),
            number,
            again,
            f"{day}T0{again + 6}:00:00+00:00",
        )
        for number, day in enumerate(ROUNDS, start=1)
        for key, question, _ in anchors
        for again in range(3)
    ]
    (folder / "conversations.jsonl").write_text("".join(talks), encoding="utf-8", newline="\n")
    write(folder / "ratings.csv", ("conversation_id", "rater", "criterion", "label", "at"), ratings)
    write(folder / "judgements.csv", ("conversation_id", "criterion", "label", "at"), judgements)
    write(folder / "anchors.csv", ("conversation_id", "criterion", "label"), anchors)
    write(
        folder / "anchor_rounds.csv",
        ("conversation_id", "criterion", "label", "round", "replicate", "at"),
        rounds,
    )


def lower(day: date) -> float:
    """How much lower the judge lies on a day."""
    return LOWER if day >= FIRST_DAY + timedelta(days=7 * CHANGES) else 0.0


def conversation(draws: Draws, key: str, held: date, condition: str, levels: dict[str, int]) -> str:
    """One line of JSON; what the assistant says follows the levels."""
    worry, topic, step = WORRIES[int(key[-3:]) % len(WORRIES)]
    fragments = zip(QUESTIONS, (LISTENS, ANSWERS, STEPS), strict=True)
    listens, answers, gives = (
        texts[levels[question] - 1].format(topic=topic, step=step) for question, texts in fragments
    )
    turns = [
        {
            "user": f"{worry}. {draws.pick(ASKS)}",
            "assistant": f"{listens[0].upper()}{listens[1:]} {answers} {gives}{MORE[condition]}",
        },
        {"user": draws.pick(THANKS), "assistant": draws.pick(CLOSES)},
    ]
    return json.dumps({"id": key, "turns": turns, "condition": condition, "held_at": held.isoformat()}) + "\n"


def write(path: Path, header: Row, rows: Iterable[Row]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


if __name__ == "__main__":
    make(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
