"""A real, tiny model for whatever asks whether one text follows from another."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring.models.configured import embedders

UNUSUAL = ["NEUTRAL", "Contradiction", "entailment"]


@pytest.fixture(scope="session")
def tiny_entailer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cross-encoder of two layers with random weights and the word pieces of the packaged MiniLM."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizer

    folder = tmp_path_factory.mktemp("tiny")
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


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which models are added, which is not there yet."""
    folder = tmp_path / "weights"
    monkeypatch.setenv("SECOND_READER_WEIGHTS", str(folder))
    return folder
