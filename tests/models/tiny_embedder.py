"""A real sentence-transformers model of two layers with random weights, and the word pieces of the packaged
MiniLM.
"""

from __future__ import annotations

from pathlib import Path

from scoring.models import offline
from scoring.models.model_settings import embedders


def make_embedder(folder: Path, seed: int = 20261123) -> Path:
    offline.prepare()
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizer

    torch.manual_seed(seed)
    vocabulary = embedders().entry().path() / "vocab.txt"
    tokenizer = BertTokenizer(vocab=str(vocabulary), do_lower_case=True, model_max_length=64)
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    BertModel(config).save_pretrained(folder / "bert")
    tokenizer.save_pretrained(folder / "bert")
    modules = [Transformer(str(folder / "bert")), Pooling(32)]
    SentenceTransformer(modules=modules, device="cpu").save(str(folder / "model"))
    return folder / "model"
