"""Model families, by the names models go by. A judge tends to favour text of its own family (Panickssery et
al., 2024).
"""

from __future__ import annotations

import re

FAMILIES = {
    "Google": r"gemini|gemma|palm|bard",
    "OpenAI": r"gpt|chatgpt|\bo[134]\b|davinci",
    "Anthropic": r"claude",
    "Meta": r"llama",
    "Mistral": r"mistral|mixtral|ministral",
    "Alibaba": r"qwen",
    "DeepSeek": r"deepseek",
    "xAI": r"grok",
    "Cohere": r"\bcommand\b|\baya\b",
    "Microsoft": r"\bphi[-_ ]?\d",
}


def family(model: str) -> str | None:
    """Return the family that a model's name shows, such as "OpenAI" for "gpt-5"; None if it shows none."""
    for name, pattern in FAMILIES.items():
        if re.search(pattern, model, re.IGNORECASE):
            return name
    return None
