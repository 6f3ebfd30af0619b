"""second-reader models: a real, tiny cross-encoder from a folder and from a hub on loopback; bad ones are refused
and leave nothing.
"""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli import main
from scoring.bad_input import BadInput
from scoring.models import hub, installed_models
from scoring.models.entailment import Entailer
from scoring.models.model_settings import ModelMissing, entailment, weights_hash
from scoring.models.pair_scorer import open_pair_scorer

pytestmark = pytest.mark.slow
REVISION = "0123456789abcdef0123456789abcdef01234567"


def models(*words: str) -> Result:
    return CliRunner().invoke(main, ["models", *words])


@pytest.fixture
def model(tiny_entailer: Path, tmp_path: Path) -> Path:
    """A copy with a model card."""
    folder = tmp_path / "cards" / "tiny"
    shutil.copytree(tiny_entailer, folder)
    (folder / "README.md").write_text(
        "---\nlicense: apache-2.0\ntags: [nli]\n---\n# Tiny\n", encoding="utf-8"
    )
    return folder


def left_behind(weights: Path) -> list[str]:
    return sorted(path.name for path in weights.iterdir()) if weights.exists() else []


def test_a_folder_is_copied_checked_pinned_and_used(model: Path, weights: Path) -> None:
    (model / "run_me.py").write_text("raise SystemExit\n")
    added = models("add", "tiny", str(model))
    assert added.exit_code == 0, added.output
    digest = weights_hash(model)
    for words in ("licence apache-2.0", f"sha256 {digest}", " MB", "From now on, tiny decides"):
        assert words in added.output
    assert not (weights / "tiny" / "run_me.py").exists()
    entry = entailment().entry()
    assert (entry.name, entry.sha256, entry.path()) == ("tiny", digest, weights / "tiny")
    listed = models("list").output
    assert (
        "follows from another: tiny." in listed
        and "licence apache-2.0" in listed
        and "all-MiniLM-L6-v2" in listed
    )
    shutil.rmtree(model)
    assert models("test").output.startswith(f"tiny, weights {digest[:12]}")


def test_random_weights_do_not_pass_the_three_pairs(model: Path, weights: Path) -> None:
    models("add", "tiny", str(model))
    tried = models("test")
    assert tried.exit_code == 1
    assert "of 3 as expected" in tried.output and "Don't rely on" in tried.output


def test_altered_weights_are_refused_later(model: Path, weights: Path) -> None:
    models("add", "tiny", str(model))
    with (weights / "tiny" / "model.safetensors").open("ab") as file:
        file.write(b" ")
    tried = models("test")
    assert tried.exit_code == 1 and "expected sha256" in tried.output


@pytest.mark.parametrize("name", ["", ".hidden", "a/b", "..", "-x", "a b", "x" * 65, "entailment.yaml"])
def test_a_name_is_no_path(name: str, model: Path, weights: Path) -> None:
    refused = models("add", "--", name, str(model))
    assert refused.exit_code == 1 and "expected letters" in refused.output
    assert left_behind(weights) == []


def test_a_name_that_is_taken_is_refused_and_nothing_is_overwritten(model: Path, weights: Path) -> None:
    models("add", "tiny", str(model))
    refused = models("add", "tiny", str(model))
    assert refused.exit_code == 1 and "there is a model tiny already" in refused.output
    assert left_behind(weights) == ["entailment.yaml", "tiny"]


def without_config(folder: Path) -> str:
    (folder / "config.json").unlink()
    return "no config.json"


def without_weights(folder: Path) -> str:
    (folder / "model.safetensors").unlink()
    return "no weights"


def with_a_pickle(folder: Path) -> str:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    return "can run programs"


def with_other_labels(folder: Path) -> str:
    config = json.loads((folder / "config.json").read_text())
    config["id2label"] = {"0": "spam", "1": "ham", "2": "eggs"}
    (folder / "config.json").write_text(json.dumps(config))
    return "has the labels spam, ham, eggs"


def with_broken_weights(folder: Path) -> str:
    (folder / "model.safetensors").write_bytes(b"not tensors")
    return "cannot be read as a cross-encoder"


def without_tokenizer(folder: Path) -> str:
    for path in (*folder.glob("*token*"), *folder.glob("vocab*")):
        path.unlink()
    return "reads every text as the same"


def with_broken_config(folder: Path) -> str:
    (folder / "config.json").write_text("{")
    return "cannot be read as a cross-encoder"


@pytest.mark.parametrize(
    "spoil",
    [
        without_config,
        without_weights,
        with_a_pickle,
        with_other_labels,
        with_broken_weights,
        with_broken_config,
        without_tokenizer,
    ],
)
def test_what_is_no_such_model_is_refused_and_leaves_nothing(
    spoil: object, model: Path, weights: Path
) -> None:
    sentence = spoil(model)  # type: ignore[operator]
    refused = models("add", "bad", str(model))
    assert refused.exit_code == 1 and sentence in refused.output, refused.output
    assert left_behind(weights) == []


def test_a_reranker_is_added_but_does_not_say_what_follows(model: Path, weights: Path) -> None:
    from transformers import BertConfig, BertForSequenceClassification

    config = BertConfig.from_pretrained(model, num_labels=1)
    BertForSequenceClassification(config).save_pretrained(model)
    added = models("add", "ranker", str(model))
    assert added.exit_code == 0 and "how well two texts belong together" in added.output
    assert entailment().model is None
    refused = models("use", "ranker")
    assert refused.exit_code == 1 and "no labels entailment" in refused.output


def test_who_answers_is_chosen(model: Path, weights: Path) -> None:
    models("add", "tiny", str(model))
    assert "the judge local" in models("use", "--judge", "local").output
    assert (entailment().judge, entailment().model) == ("local", None)
    assert "may cost money" in models("test").output
    assert "tiny decides" in models("use", "tiny").output
    assert "nobody decides" in models("use", "--nobody").output
    assert models("use", "--judge", "no-such-judge").exit_code == 1
    assert models("use", "nothing").exit_code == 1
    assert models("use", "tiny", "--nobody").exit_code == 2


def test_what_is_neither_a_folder_nor_in_a_hub_is_named(weights: Path) -> None:
    refused = models("add", "tiny", "/no/such/folder")
    assert refused.exit_code == 1 and "there is no folder /no/such/folder" in refused.output


@contextmanager
def hub_with(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A hub on loopback that has one model, tests/tiny; gives the paths that were asked for."""
    paths: list[str] = []

    class Hub(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self.answer(with_body=False)

        def do_GET(self) -> None:
            self.answer(with_body=True)

        def answer(self, with_body: bool) -> None:
            paths.append(self.path)
            if self.path.startswith("/api/models/tests/tiny"):
                files = [{"rfilename": path.name} for path in sorted(folder.iterdir())]
                tree = [
                    {"type": "file", "path": path.name, "size": path.stat().st_size, "oid": "0" * 40}
                    for path in sorted(folder.iterdir())
                ]
                value = (
                    tree
                    if "/tree/" in self.path
                    else {"id": "tests/tiny", "sha": REVISION, "siblings": files}
                )
                self.send(200, json.dumps(value).encode(), "application/json", with_body)
            elif self.path.startswith(f"/tests/tiny/resolve/{REVISION}/"):
                path = folder / self.path.rsplit("/", 1)[-1]
                self.send(200, path.read_bytes(), "application/octet-stream", with_body)
            else:
                self.send(404, b"{}", "application/json", with_body)

        def send(self, status: int, body: bytes, kind: str, with_body: bool) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("ETag", f'"{abs(hash(body)):x}"')
            self.send_header("X-Repo-Commit", REVISION)
            self.end_headers()
            if with_body:
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    monkeypatch.setattr(hub, "ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    try:
        yield paths
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_a_model_of_the_hub_is_fetched_with_its_revision(
    model: Path, weights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (model / "run_me.py").write_text("raise SystemExit\n")
    with hub_with(model, monkeypatch) as paths:
        added = models("add", "tiny", "tests/tiny")
    assert added.exit_code == 0, added.output
    assert f"from tests/tiny, revision {REVISION[:12]}" in added.output
    assert not any("run_me.py" in path for path in paths)
    assert weights_hash(weights / "tiny") == weights_hash(model)
    assert left_behind(weights) == ["entailment.yaml", "tiny"]


def test_a_hub_that_does_not_have_it_leaves_nothing(
    model: Path, weights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hub_with(model, monkeypatch):
        refused = models("add", "tiny", "tests/other")
    assert refused.exit_code == 1 and "could not be fetched from the hub" in refused.output
    assert "copy its folder here" in refused.output
    assert left_behind(weights) == []


def test_a_hub_that_cannot_be_reached_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(ModelMissing, match="could not be fetched from the hub"):
        hub.fetch("tests/tiny", tmp_path, ("*.json",))


def test_two_commands_at_once_never_mix_their_files(
    model: Path, tmp_path: Path, weights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one begins and ends while the first one copies."""
    other = tmp_path / "other"
    shutil.copytree(model, other)
    (other / "README.md").write_text("---\nlicense: other\n---\n", encoding="utf-8")
    copy, waiting = shutil.copyfile, [True]

    def copy_slowly(source: Path, target: Path) -> object:
        if waiting and waiting.pop():
            assert installed_models.install(weights, "tiny", other, "the second").license == "other"
        return copy(source, target)

    monkeypatch.setattr(shutil, "copyfile", copy_slowly)
    with pytest.raises(BadInput, match="there is a model tiny already"):
        installed_models.install(weights, "tiny", model, "the first")
    assert left_behind(weights) == ["tiny"]
    assert installed_models.read_details(weights / "tiny").source == "the second"


def test_labels_in_another_order_are_another_model(model: Path, weights: Path) -> None:
    """The weights are the same, and every verdict is another."""
    installed_models.install(weights, "tiny", model, "a test")
    before = Entailer(installed_models.entry_of(weights, "tiny")).label
    path = weights / "tiny" / "config.json"
    config = json.loads(path.read_text())
    config["id2label"] = {str(2 - int(number)): name for number, name in config["id2label"].items()}
    path.write_text(json.dumps(config))
    open_pair_scorer.cache_clear()
    assert Entailer(installed_models.entry_of(weights, "tiny")).label != before


def test_a_link_out_of_the_folder_is_refused_and_nothing_is_copied(
    model: Path, weights: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret.txt").write_text("a key", encoding="utf-8")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "more.json").write_text("{}", encoding="utf-8")
    for name, target in (
        ("notes.txt", "secret.txt"),
        ("README.md", "secret.txt"),
        ("tokenizer.json", "gone"),
    ):
        (model / name).unlink(missing_ok=True)
        (model / name).symlink_to(tmp_path / target)
        refused = models("add", "bad", str(model))
        assert refused.exit_code == 1 and "nothing from outside is copied" in refused.output, refused.output
        assert name in refused.output and left_behind(weights) == []
        (model / name).unlink()
    (model / "notes.txt").symlink_to("gone.txt")
    assert "is a link that leads nowhere" in models("add", "bad", str(model)).output
    assert left_behind(weights) == []


def test_a_folder_in_a_link_is_not_copied_from_outside(model: Path, weights: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "more.json").write_text("{}", encoding="utf-8")
    (model / "onnx").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    models("add", "tiny", str(model))
    assert not (weights / "tiny" / "onnx").exists()


def cached(model: Path, cache: Path) -> Path:
    """The model as the hub's library keeps it: a snapshot of links into the folder of blobs."""
    snapshot = cache / "models--owner--tiny" / "snapshots" / REVISION
    blobs = cache / "models--owner--tiny" / "blobs"
    snapshot.mkdir(parents=True)
    blobs.mkdir()
    for number, file in enumerate(sorted(path for path in model.rglob("*") if path.is_file())):
        shutil.copyfile(file, blobs / f"blob{number}")
        (snapshot / file.name).symlink_to(Path("..") / ".." / "blobs" / f"blob{number}")
    return snapshot


def test_a_snapshot_of_the_hubs_cache_is_added(model: Path, weights: Path, tmp_path: Path) -> None:
    snapshot = cached(model, tmp_path / "cache")
    (tmp_path / "shortcut").symlink_to(snapshot, target_is_directory=True)
    for name, folder in (("tiny", snapshot), ("again", tmp_path / "shortcut")):
        added = models("add", name, str(folder))
        assert added.exit_code == 0, added.output
    assert not any(path.is_symlink() for path in (weights / "tiny").rglob("*"))
    (snapshot / "notes.txt").symlink_to(tmp_path / "cards" / "tiny" / "README.md")
    refused = models("add", "third", str(snapshot))
    assert refused.exit_code == 1 and "nothing from outside is copied" in refused.output


BOMB = "license: apache-2.0\na0: &a0 [x]\n" + "".join(
    f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]\n" for level in range(1, 12)
)
CARDS = {
    "a bomb": BOMB,
    "brackets": f"license: apache-2.0\nx: {'[' * 100_000}\n",
    "itself": "license: &a [*a]\n",
    "a program": "license: apache-2.0\nx: !!python/object/apply:os.system [exit]\n",
    "a set": "license: !!set {x}\n",
    "bytes": "license: !!binary '\u20ac'\n",
    "a zero byte": "license: \0\n",
    "a large file": "license: apache-2.0\nx:\n" + "- y\n" * 1_000_000,
}


@pytest.mark.parametrize("card", CARDS.values(), ids=CARDS)
def test_a_hostile_card_names_no_licence_and_stops_nothing(card: str, model: Path, weights: Path) -> None:
    (model / "README.md").write_text(f"---\n{card}---\n# Tiny\n", encoding="utf-8")
    added = models("add", "tiny", str(model))
    assert added.exit_code == 0, added.output
    assert "no licence stated" in added.output
    assert left_behind(weights) == ["entailment.yaml", "tiny"]
