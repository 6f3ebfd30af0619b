"""Thirty pairs of texts of which somebody said by hand whether the second follows from the first."""

from __future__ import annotations

from scoring.entailment import CONTRADICTION, ENTAILMENT, NEUTRAL, Verdict

PAIRS: tuple[tuple[str, str, Verdict], ...] = (
    ("The client has not slept for three nights.", "The client sleeps too little.", ENTAILMENT),
    ("She lives alone since her divorce.", "She is divorced.", ENTAILMENT),
    ("He drinks a bottle of wine every evening.", "He drinks alcohol every day.", ENTAILMENT),
    ("The client says he has a plan to end his life.", "The client speaks of suicide.", ENTAILMENT),
    ("They agreed to call the crisis line tonight.", "They agreed on a step for tonight.", ENTAILMENT),
    ("Both parents of the client have died.", "The client's mother is dead.", ENTAILMENT),
    ("The counsellor asked twice about safety.", "The counsellor asked about safety.", ENTAILMENT),
    ("He stopped taking sertraline in May.", "He once took sertraline.", ENTAILMENT),
    ("Every session was held by telephone.", "The last session was held by telephone.", ENTAILMENT),
    ("She wrote down five worries before bed.", "She wrote something down.", ENTAILMENT),
    ("The client has not slept for three nights.", "The client slept well last night.", CONTRADICTION),
    ("He has never been in hospital.", "He was in hospital last year.", CONTRADICTION),
    ("Take the tablets every morning.", "Do not take the tablets any more.", CONTRADICTION),
    ("The client denies thoughts of suicide.", "The client affirms thoughts of suicide.", CONTRADICTION),
    ("There is nobody she can talk to.", "She talks to her sister every day.", CONTRADICTION),
    ("The appointment is on Monday only.", "The appointment is on Friday only.", CONTRADICTION),
    ("He is nineteen years old.", "He is over forty.", CONTRADICTION),
    ("Stay away from the crowd for now.", "Go into the crowd as soon as you can.", CONTRADICTION),
    ("She has no children.", "She worries about her son.", CONTRADICTION),
    ("The plan has exactly two steps.", "The plan has three steps.", CONTRADICTION),
    ("The client has not slept for three nights.", "The client is afraid of dogs.", NEUTRAL),
    ("He lost his job in spring.", "He is looking for work.", NEUTRAL),
    ("She cried during the session.", "She is depressed.", NEUTRAL),
    ("The counsellor suggested a walk.", "The client went for a walk.", NEUTRAL),
    ("He has pain in his back.", "He takes medicine against pain.", NEUTRAL),
    ("They talked about her mother.", "Her mother is ill.", NEUTRAL),
    ("The client wants to feel better.", "The client will come again.", NEUTRAL),
    ("She sleeps eight hours.", "She is never tired.", NEUTRAL),
    ("He speaks slowly.", "He has taken something.", NEUTRAL),
    ("A friend drove the client home.", "The client has no car.", NEUTRAL),
)
VERDICTS = {(premise, hypothesis): verdict for premise, hypothesis, verdict in PAIRS}
