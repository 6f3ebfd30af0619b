-- What raters write of a judge's reasoning (data/schema/rating.py), as it was when this step was made. Frozen.

CREATE TABLE reasoning_comment (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    event TEXT NOT NULL,
    rater_id INTEGER NOT NULL,
    unit_id INTEGER NOT NULL,
    judge_id INTEGER NOT NULL,
    criterion TEXT NOT NULL,
    comment_content INTEGER,
    comment_mac TEXT,
    replaces INTEGER,
    at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    UNIQUE (event),
    FOREIGN KEY(rater_id) REFERENCES rater (id),
    FOREIGN KEY(unit_id) REFERENCES unit (id),
    FOREIGN KEY(judge_id) REFERENCES judge (id),
    FOREIGN KEY(comment_content) REFERENCES content (id),
    FOREIGN KEY(replaces) REFERENCES reasoning_comment (id)
);
CREATE INDEX reasoning_comment_by_rater ON reasoning_comment (rater_id, unit_id);
CREATE INDEX reasoning_comment_by_judge ON reasoning_comment (judge_id, unit_id);
