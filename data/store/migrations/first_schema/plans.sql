-- The tables of data/schema/plans.py as they were in 0.3.0. Frozen.

CREATE TABLE plan_proposal (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, study_id INTEGER NOT NULL,
    conversation_id INTEGER NOT NULL, components TEXT NOT NULL, model TEXT NOT NULL, source TEXT NOT NULL,
    evidence_content INTEGER, evidence_mac TEXT, plan_content INTEGER, plan_mac TEXT, undefined TEXT,
    inputs TEXT NOT NULL, at TEXT NOT NULL, trail INTEGER NOT NULL,
    CONSTRAINT a_plan_or_a_reason CHECK ((plan_content IS NULL) = (undefined IS NOT NULL)),
    FOREIGN KEY(study_id) REFERENCES study (id), FOREIGN KEY(conversation_id) REFERENCES conversation (id),
    FOREIGN KEY(evidence_content) REFERENCES content (id), FOREIGN KEY(plan_content) REFERENCES content (id)
);
CREATE INDEX proposal_of_conversation ON plan_proposal (conversation_id, inputs);
CREATE TABLE plan_decision (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, proposal_id INTEGER NOT NULL, decision TEXT NOT NULL,
    reference_version INTEGER, reason_content INTEGER, reason_mac TEXT, at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    CONSTRAINT decision_known CHECK (decision IN ('accepted', 'edited', 'refused')),
    CONSTRAINT a_refusal_makes_no_plan CHECK ((decision = 'refused') = (reference_version IS NULL)),
    UNIQUE (proposal_id), FOREIGN KEY(proposal_id) REFERENCES plan_proposal (id),
    FOREIGN KEY(reason_content) REFERENCES content (id)
);
