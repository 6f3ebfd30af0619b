"""second-reader fit"""

from __future__ import annotations

from pathlib import Path

import click

from cli.base import open_configured_store, show_errors_plainly, study_to_read
from cli.progress_line import NOTHING_KEPT, counted, progress_line
from cli.terminal import echo
from configs.settings import Settings
from words.plurals import count

ENTRY = """  {name}:
    provider: local_classifier
    model: {model}
    data_classes: [synthetic, deidentified, phi]
    options: {{thresholds: {path}}}"""


@click.command()
@click.argument("study")
@click.option("--model", required=True, help="A cross-encoder that was added with second-reader models add.")
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where to write the thresholds; by default the folder of the weights.",
)
@show_errors_plainly
def fit(study: str, model: str, folder: Path | None) -> None:
    """Make a free judge from a cross-encoder. It learns its thresholds from half of the settled labels of
    STUDY, and skips the conversations that it learned from.
    """
    from runs.classifier_fit import fit_classifier

    store, settings = open_configured_store(), Settings.read()
    with store.reading() as connection:
        study_read = study_to_read(connection, study)
    with progress_line(counted("reading", "units"), NOTHING_KEPT) as line:
        result = fit_classifier(store, study_read, settings, model, line)
    thresholds = result.thresholds
    for name, cuts in thresholds.criteria.items():
        listed = ", ".join(f"{cut:.3f}" for cut in cuts.cuts)
        echo(
            f"{name}: cuts {listed}; {cuts.right:,} of {cuts.learned:,} held-out labels right, "
            f"{cuts.commonest:,} by always choosing the commonest"
        )
    for name, reason in thresholds.not_fitted.items():
        echo(f"{name}: not judged; {reason}")
    if not thresholds.criteria:
        raise click.ClickException("Nothing could be fitted, so nothing was written.")
    target = folder or settings.weights
    target.mkdir(parents=True, exist_ok=True)
    path = target / thresholds.file_name
    path.write_text(thresholds.body(), encoding="utf-8")
    conversations = count(len(thresholds.learned_from), "conversation", "conversations")
    echo(
        f"Learned from {result.learned:,} of {count(result.settled, 'unit', 'units')} with a settled label; "
        f"the judge will skip the {conversations} with these units. The agreement on the others shows how "
        "good it is. Add this to models.yaml:"
    )
    echo(ENTRY.format(name=f"classifier-{study}", model=model, path=path))
