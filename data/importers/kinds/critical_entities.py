"""Critical entities that conversations are measured against."""

from __future__ import annotations

from data.importers.file_sample import FileSample
from data.importers.kinds._reference_files import ReferenceFiles


class CriticalEntityFiles(ReferenceFiles):
    name = "critical-entities"
    title = "Critical entities"
    order = 70
    reference = "critical_entities"
    action = "import critical entities"
    page_key = "critical_entities"
    help = (
        "Import critical entities from FILE: "
        "JSONL with conversation_id and critical_entities, or CSV with conversation_id and entity."
    )
    layout = (
        "JSONL with conversation_id and critical_entities (a list), or CSV with conversation_id and entity."
    )

    def recognises(self, sample: FileSample) -> bool:
        """Tell whether a file that begins like this is of this kind."""
        return bool({"critical_entities", "entity"} & sample.plain_columns)


IMPORTER = CriticalEntityFiles
