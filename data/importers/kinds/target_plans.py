"""Plans of care that conversations are measured against."""

from __future__ import annotations

from data.importers.file_sample import FileSample
from data.importers.kinds._reference_files import ReferenceFiles


class TargetPlanFiles(ReferenceFiles):
    name = "target-plans"
    title = "Plans of care"
    order = 60
    reference = "target_plan"
    action = "import target plans"
    page_key = "target_plan"
    help = (
        "Import target plans from FILE: "
        "target_plans.json, or CSV with plan and conversation_id or condition; with neither, for the whole "
        "study."
    )
    layout = (
        "target_plans.json, or CSV with plan and conversation_id or condition; a plan with "
        "neither is for the whole study."
    )

    def recognises(self, sample: FileSample) -> bool:
        """Tell whether a file that begins like this is of this kind."""
        return bool({"target_plan", "target_plans", "plan", "plans"} & sample.plain_columns)


IMPORTER = TargetPlanFiles
