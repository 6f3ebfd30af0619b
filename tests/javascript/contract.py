"""The contracts of the pages' components as types for their scripts: `python -m tests.javascript.contract`
writes them.
"""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, models_json_schema
from pydantic_core import core_schema

from pages.widgets.evidence.contract import EvidenceData
from pages.widgets.lead_pad.contract import GoldSent, LeadPadData
from pages.widgets.rater_table.contract import RaterTableData
from pages.widgets.settle_list.contract import LabelList
from services.rating_contract import BrowserState, PageData
from tests.javascript.node import FOLDER, WIDGETS, run_node


class _TypeSchema(GenerateJsonSchema):
    """Only what a type can say: no name for each field, no lengths of lists. Tuples as drafts before 2020 of
    JSON Schema have them, which is what the writer of types reads.
    """

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def list_schema(self, schema: core_schema.ListSchema) -> JsonSchemaValue:
        lengths = ("minItems", "maxItems")
        return {name: value for name, value in super().list_schema(schema).items() if name not in lengths}

    def tuple_schema(self, schema: core_schema.TupleSchema) -> JsonSchemaValue:
        written = super().tuple_schema(schema)
        if "prefixItems" in written:
            written["items"] = written.pop("prefixItems")
        return written


@dataclass(frozen=True)
class Contract:
    """`models` are told to a component's scripts, or by them; their types are written to `path`."""

    name: str
    models: tuple[type[BaseModel], ...]
    path: Path

    def declaration(self) -> str:
        """The text of the file. Raises CalledProcessError where the schema cannot be written as types."""
        sides = models_json_schema(
            [(model, "validation") for model in self.models], schema_generator=_TypeSchema
        )
        references, definitions = sides
        schema = {
            "title": self.name,
            "type": "object",
            "properties": {model.__name__: reference for (model, _), reference in references.items()},
            "required": [model.__name__ for model, _ in references],
            "additionalProperties": False,
            **definitions,
        }
        source = self.models[0].__module__.replace(".", "/") + ".py"
        script = str(FOLDER / "write_types.js")
        return run_node(script, source, input=json.dumps(schema), stdout=subprocess.PIPE, check=True).stdout


CONTRACTS = (
    Contract("RatingContract", (PageData, BrowserState), WIDGETS / "workbench" / "contract.d.ts"),
    Contract("EvidenceContract", (EvidenceData,), WIDGETS / "evidence" / "contract.d.ts"),
    Contract("LeadPadContract", (LeadPadData, GoldSent), WIDGETS / "lead_pad" / "contract.d.ts"),
    Contract("RaterContract", (RaterTableData,), WIDGETS / "rater_table" / "contract.d.ts"),
    Contract("SettleContract", (LabelList,), WIDGETS / "settle_list" / "contract.d.ts"),
)


def write_types() -> None:
    """Write every declaration; a file is replaced as a whole, because tests and tsc may read it meanwhile."""
    for contract in CONTRACTS:
        new = contract.path.with_name(f".{contract.path.name}.{os.getpid()}")
        new.write_text(contract.declaration(), encoding="utf-8")
        new.replace(contract.path)


if __name__ == "__main__":
    write_types()
