"""Check that `quotation_count` agrees with the words: how many quotations each label's reasons hold, and
which are not in the conversation. Erased words are not compared, because no report reads their counts. A
label without a count is no problem: reports read its words.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, text

from data import schema
from data.record.quotation_counts import QuotationCount, conversation_parts, count_again, labels_with_reasons

_OF_NO_REASONS = text("""
    SELECT judgement_id FROM quotation_count LEFT JOIN judgement ON judgement.id = judgement_id
    WHERE judgement.id IS NULL OR judgement.status <> 'ok' OR judgement.anchor_round <> 0
        OR judgement.reasoning_content IS NULL
    ORDER BY judgement_id
""")
CONVERSATIONS_PER_BATCH = 10  # conversations


def quotation_count_problems(connection: Connection) -> Iterator[str]:
    """Yield a sentence for each judge's label whose recorded count of quotations is wrong."""
    for judgement_id in connection.execute(_OF_NO_REASONS).scalars():
        yield f"quotations are counted for label {judgement_id} of a judge, which has no reasons"
    counted, unit = schema.quotation_count, schema.unit
    labels = (
        labels_with_reasons()
        .add_columns(counted.c.quotations, counted.c.missing)
        .where(counted.c.judgement_id.is_not(None))
    )
    for some in conversation_parts(connection, labels, CONVERSATIONS_PER_BATCH):
        rows = connection.execute(
            labels.where(unit.c.conversation_id.in_(some)).order_by(schema.judgement.c.id)
        ).all()
        recorded = {row.id: QuotationCount(row.id, row.quotations, row.missing) for row in rows}
        for count in count_again(connection, rows, some):
            if count != recorded[count.judgement_id]:
                yield (
                    f"the quotations in the reasons of label {count.judgement_id} of a judge differ from "
                    "their count"
                )
