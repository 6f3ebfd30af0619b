"""Files for a lead call a conversation by its own id; files for a rater by its number."""

from __future__ import annotations

import csv
import io

import pytest

from reports.agreement.agreement_data import gather_findings
from reports.agreement.export_files import request_for, write_report
from reports.agreement.files import files
from reports.document import Cell, Report, Section, Table, UnitLink
from reports.render.files import plain_report, table_files
from reports.render.page_file import page
from reports.unit_ids import name_units
from tests.studies.small_study import Small


@pytest.mark.parametrize("ids", [True, False])
def test_ids_stand_next_to_numbers_only_where_asked(small: Small, ids: bool) -> None:
    with small.store.reading() as connection:
        rows: list[tuple[Cell, ...]] = [(UnitLink(3), "x"), (UnitLink(1), "y"), ("all", "z")]
        table = Table("listed", "Listed", ("Conversation", "What"), rows)
        report = Report("R", (), (), (Section("s", "S", (table,)),))
        report = name_units(connection, small.study, report) if ids else report
        findings = gather_findings(connection, request_for(connection, small.study, None))
        contents = files(findings, write_report(connection, findings, ids=ids))
    written = list(csv.reader(io.StringIO(table_files(report)["tables/listed.csv"].decode())))
    html = page(report).decode()
    if ids:
        assert written[:2] == [["Conversation", "Conversation id", "What"], ["Conversation 3", "c3", "x"]]
        assert written[3] == ["all", "", "z"]
        assert "c3" in html and "Conversation 3" not in html
        assert plain_report(report)["unit_names"] == {"1": "c1", "3": "c3"}
        assert contents["units.csv"].decode().splitlines()[:2] == ["unit,id", "1,c1"]
    else:
        assert written[1] == ["Conversation 3", "x"] and "Conversation 3" in html
        assert "units.csv" not in contents and not plain_report(report)["unit_names"]
