"""second-reader: everything a study lead does from a terminal."""

from __future__ import annotations

from importlib import import_module

import click

from cli.terminal import printable

# A command is imported when it is called: a judge run of hours must not hold the libraries of other commands.
COMMANDS = {
    "run": "running.run",
    "prepare": "store.prepare",
    "studies": "store.list_studies",
    "import": "importing.import_",
    "judge": "judging.judge",
    "judges": "judging.judges",
    "use-judge": "judge_in_use.use",
    "worker": "judging.worker",
    "models": "models.models",
    "entail": "entailing.entail",
    "propose-plans": "entailing.propose_plans",
    "trials": "trials.trials",
    "fit": "fitting.fit",
    "score": "scoring_metrics.score",
    "score-in-turn": "scoring_metrics.score_in_turn",
    "export": "exporting.export",
    "report": "reporting.report",
    "backup": "store.backup",
    "restore": "store.restore",
    "verify": "store.verify",
    "erase": "store.erase",
    "rename-study": "study_changes.rename",
    "archive-study": "study_changes.archive",
    "unarchive-study": "study_changes.unarchive",
    "erase-study": "study_changes.erase",
    "add-rater": "store.add_rater",
    "raters": "setting_aside.raters",
    "anchors": "anchoring.anchors",
    "extensions": "extensions.extensions",
}


class _WhenCalled(click.Group):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        for word in args:
            try:
                word.encode()
            except UnicodeEncodeError:  # typed in a terminal with another encoding; the store can't keep it
                raise click.UsageError(
                    f"{printable(word)} is not UTF-8 text. Type it in a terminal that writes UTF-8. If it "
                    "names a file or folder, rename that."
                ) from None
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name].split(".")
        found: click.Command = getattr(import_module(f"cli.{module}"), name)
        return found


@click.group(cls=_WhenCalled)
def main() -> None:
    """Second Reader: clinicians audit an LLM judge, blind first."""
