// The asked questions of many forms: [[form, labels], ...] comes in as JSON, [[id, ...], ...] goes out.
import { readFileSync } from "node:fs";
import { askedCriteria } from "../../pages/widgets/workbench/asked.js";

/** @type {[{ id: string, asked_when: Record<string, string[]> }[], Record<string, string | null>][]} */
const cases = JSON.parse(readFileSync(0, "utf8"));
const sets = cases.map(([form, labels]) => [...askedCriteria(form, (id) => labels[id] ?? null)].sort());
process.stdout.write(JSON.stringify(sets));
