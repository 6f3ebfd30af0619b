-- How many quotations a label's reasons hold (data/schema/judgements.py), as it was when this step was made. Frozen.

CREATE TABLE quotation_count (
    judgement_id INTEGER NOT NULL,
    rule INTEGER NOT NULL,
    unicode TEXT NOT NULL,
    quotations INTEGER NOT NULL,
    missing TEXT NOT NULL,
    PRIMARY KEY (judgement_id),
    CONSTRAINT no_fewer_than_none CHECK (quotations >= 0),
    FOREIGN KEY(judgement_id) REFERENCES judgement (id)
);
