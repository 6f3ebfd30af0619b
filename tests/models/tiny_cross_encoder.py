"""A cross-encoder of two layers with random weights and the word pieces of the packaged MiniLM."""

from __future__ import annotations

from pathlib import Path

from scoring.models.model_settings import embedders

UNUSUAL = ["NEUTRAL", "Contradiction", "entailment"]


def write_cross_encoder(folder: Path) -> Path:
    """With labels in an unusual order, spelled in several ways."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizer

    torch.manual_seed(20261121)
    vocabulary = embedders().entry().path() / "vocab.txt"
    tokenizer = BertTokenizer(vocab=str(vocabulary), do_lower_case=True, model_max_length=64)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
        id2label=dict(enumerate(UNUSUAL)),
        label2id={name: n for n, name in enumerate(UNUSUAL)},
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
