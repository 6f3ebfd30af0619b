"""The contract of the rating page as types for its scripts: `python -m tests.javascript.contract` writes them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, models_json_schema
from pydantic_core import core_schema

from services.rating_contract import BrowserState, PageData
from tests.javascript.node import FOLDER, run_node

DECLARATION = Path(__file__).parents[2] / "pages" / "widgets" / "workbench" / "contract.d.ts"


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


def declaration() -> str:
    """The text of contract.d.ts. Raises CalledProcessError where the schema cannot be written as types."""
    sides = models_json_schema(
        [(PageData, "validation"), (BrowserState, "validation")], schema_generator=_TypeSchema
    )
    references, definitions = sides
    schema = {
        "title": "RatingContract",
        "type": "object",
        "properties": {model.__name__: reference for (model, _), reference in references.items()},
        "required": [model.__name__ for model, _ in references],
        "additionalProperties": False,
        **definitions,
    }
    script = str(FOLDER / "write_types.js")
    return run_node(script, input=json.dumps(schema), stdout=subprocess.PIPE, check=True).stdout


if __name__ == "__main__":
    DECLARATION.write_text(declaration(), encoding="utf-8")
