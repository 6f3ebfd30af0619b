"""The kinds of file that can be imported, and how each is laid out."""

from __future__ import annotations

KINDS = {
    "conversations": "Conversations",
    "judgements": "A judge's labels",
    "ratings": "People's labels",
    "table": "A wide table of labels",
    "gold_steps": "Gold steps",
    "target_plan": "Plans of care",
    "critical_entities": "Critical entities",
    "runs": "Runs in numbers",
}
TYPES = {"conversations": ["json", "jsonl"], "table": ["csv", "tsv", "txt"]}
NEW_TOO = ("conversations", "table")  # what a new study can be made with
FORMS = {
    "conversations": 'JSONL, one conversation a line (or one array): {"id": "c1", "messages": [{"role": '
    '"user", "content": "..."}, ...]}, '
    'or "turns": [{"user": "...", "assistant": "..."}], or pairs.',
    "judgements": "CSV or JSONL with conversation_id, criterion, label, reasoning (turn where a "
    "conversation has several replies to rate); "
    "judgments.json and assessment JSON are read as well. A failed call has a status instead of a label.",
    "ratings": "CSV or JSONL with conversation_id, rater, criterion, label, note.",
    "table": "CSV with a row an item and a column for everybody and each criterion, such as human_Empathy "
    "and gpt-4o_Empathy; the other columns "
    "name the item. A new study of such a table has no words to read. Cells that hold no label are listed, "
    "and the others are imported.",
    "gold_steps": "JSONL with conversation_id and gold_steps (a list), or CSV with conversation_id and "
    "step, one row a step.",
    "target_plan": "target_plans.json, or CSV with plan and conversation_id or condition; a plan with "
    "neither is for the whole study.",
    "critical_entities": "JSONL with conversation_id and critical_entities (a list), or CSV with "
    "conversation_id and entity.",
    "runs": "CSV with a row a run: run_id, model, vignette, temperature, slice or n_messages, and numbers "
    "such as jaccard_all, bertscore_f1, "
    "alignment_mean (experiment_runs.csv, slice_depth_runs.csv); an empty cell is a number that is not "
    "there. "
    "Or average curves: drift_metrics.json with model and recall_curve.",
}
