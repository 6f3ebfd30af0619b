"""Keys of the vector files that are compared with nothing, each with its reason. Any other key is compared or
fails."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase


@dataclass(frozen=True)
class NotCompared:
    """`files`: names of files without their ending. `key`: where the key lies in a case, or after `document.`
    beside the cases; a key of one word, wherever it lies. In all of them `*` is anything."""

    files: str
    key: str
    reason: str

    def covers(self, file: str, path: str) -> bool:
        return fnmatchcase(file, self.files) and (
            fnmatchcase(path, self.key) or ("." not in self.key and fnmatchcase(path, f"*.{self.key}"))
        )


WORDS = "words about the case, for its reader"
ORIGIN = "says where the expected number comes from"
FORM = "says in words how to read the file"

NOT_COMPARED = (
    NotCompared("*", "description", WORDS),
    NotCompared("*", "note", WORDS),
    NotCompared("*", "tag", WORDS),
    NotCompared("*", "tags", WORDS),
    NotCompared("*", "method", WORDS),
    NotCompared("*", "confirmed_by", ORIGIN),
    NotCompared("*", "se_confirmed_by", ORIGIN),
    NotCompared("*", "document.source.*", ORIGIN),
    NotCompared("*", "reference", ORIGIN),
    NotCompared(
        "agreement_*",
        "level",
        "the measurement level; which coefficients fit it is named by those that are expected",
    ),
    NotCompared("agreement_coefficients", "document.format", FORM),
    NotCompared("agreement_coefficients", "document.missing", FORM),
    NotCompared("agreement_coefficients", "document.ratings", FORM),
    NotCompared("agreement_coefficients", "document.undefined", FORM),
    NotCompared(
        "agreement_coefficients",
        "expected.*.libraries_returning_a_number*",
        "what other programs print where nothing can be estimated",
    ),
    NotCompared(
        "agreement_coefficients",
        "expected.*.se_unclustered",
        "the error if labels of one conversation were independent, which the product computes nowhere",
    ),
    NotCompared(
        "agreement_cluster",
        "expected.*.bootstrap_percentile_reference.*",
        "drawn at random by another program; the product's interval is the jackknife's",
    ),
    NotCompared("agreement_na_policy", "document.policy", FORM),
    NotCompared("agreement_na_policy", "expected.scored_failure_table.rule", WORDS),
    NotCompared(
        "agreement_alttest",
        "document.published_repository_outputs*",
        "no labels come with these rows, so there is nothing to compute them from",
    ),
    NotCompared("agreement_proportion_ci", "expected.*.published", ORIGIN),
    NotCompared("agreement_drift", "x", FORM),
    NotCompared(
        "agreement_corrected_rate", "positive", "names the side that is counted; its counts are compared"
    ),
    NotCompared(
        "agreement_safety_diagnostics", "positive", "names the side that is counted; its counts are compared"
    ),
)


def reason_not_to_compare(file: str, path: str) -> str | None:
    return next((entry.reason for entry in NOT_COMPARED if entry.covers(file, path)), None)
