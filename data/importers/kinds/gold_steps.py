"""Gold steps that conversations are measured against."""

from __future__ import annotations

from data.importers.file_sample import FileSample
from data.importers.kinds._reference_files import ReferenceFiles


class GoldStepFiles(ReferenceFiles):
    name = "gold-steps"
    title = "Gold steps"
    order = 50
    reference = "gold_steps"
    action = "import gold steps"
    page_key = "gold_steps"
    help = (
        "Import gold steps from FILE: "
        "JSONL with conversation_id and gold_steps, or CSV with conversation_id and step."
    )
    layout = (
        "JSONL with conversation_id and gold_steps (a list), or CSV with conversation_id and "
        "step, one row per step."
    )

    def recognises(self, sample: FileSample) -> bool:
        """Tell whether a file that begins like this is of this kind."""
        return bool({"gold_steps", "step"} & sample.plain_columns)


IMPORTER = GoldStepFiles
