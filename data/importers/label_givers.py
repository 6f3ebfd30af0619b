"""Tell by a name whether a person or a program gave a label: a mistake would pass one off as the other."""

from __future__ import annotations

import re

PERSON_KIND = re.compile(
    r"(human|person|people|manual|annotation|annotator|expert|clinician|doctor|therapist|psychologist|"
    r"nurse|psychiatrist|rater|reviewer|crowd|crowdworker|mturk|prolific)s?"
    r"([ _-]?(rater|annotator|reviewer|expert|label|annotation|worker|\d+))?s?",
    re.IGNORECASE,
)
ADDRESS = re.compile(r"[^\s@]+@[^\s@]+\.[a-z]+", re.IGNORECASE)
MACHINE_KIND = re.compile(
    r"(llm|ai|model|machine|code|auto|automated|automatic|eval|bot|judge|api|program|heuristic)"
    r"([ _-]?(as[ _-])?(judge|eval|evaluator|evaluation|model|rater|annotator|generated|"
    r"labeled|labelled|annotated|rated|scored|graded))?"
    r"|(llm|ai|model|machine|bot)([ _-]?\d+|[ _-][a-z])"
    r"|(auto|automatic|llm|ai|model|machine)[ _-]?(grader|rater|scorer|marker|labell?er|reviewer)",
    re.IGNORECASE,
)
MODEL_NAME = re.compile(
    r"\b(llm|gpt|chatgpt|claude[-_ ]?(v?\d|opus|sonnet|haiku|instant)|gemini[-_ ]?(\d|pro|flash)|"
    r"llama[-_ ]?\d|mistral|mixtral|qwen|deepseek|gemma|"
    r"(sonnet|opus|haiku|grok|palm|glm|granite|olmo|nova|kimi)[-_ ]?k?\d|"
    r"command-[ar]|o[1-9](-mini|-preview|-pro)?(-(low|medium|high))?$|phi-\d|nova-(pro|lite|micro|premier))"
    r"|^gemini$"
    r"|-(\d+(\.\d+)?b|instruct|turbo)(-|$)",
    re.IGNORECASE,
)


def is_machine(value: object) -> bool:
    """Tell whether a name is that of a program: LLM, code, gpt-4o."""
    text = str(value).strip()
    return MACHINE_KIND.fullmatch(text) is not None or MODEL_NAME.search(text) is not None


def is_person(value: object) -> bool:
    """Tell whether a name says that a person gave the label: human, clinician 2, ann@clinic.org."""
    text = str(value).strip()
    is_kind = PERSON_KIND.fullmatch(text) or ADDRESS.fullmatch(text)
    return is_kind is not None and not MACHINE_KIND.fullmatch(text)
