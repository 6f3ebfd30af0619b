// Written by `make contract` from pages/widgets/evidence/contract.py: change that file, not this one.

export interface EvidenceContract {
  EvidenceData: EvidenceData;
}
/**
 * All that the table is given. `opened`: the row that is opened when the page names it, or "".
 * `opens_below`: what opens stands below the table, of one row at a time; the page is told which. Without a
 * `verdict_name`, a `spread_name` or any `series` there is no such column. `brief`: cells hold a word or
 * two.
 */
export interface EvidenceData {
  title: string;
  corner: string;
  verdict_name: string;
  spread_name: string;
  series: string[];
  axis: TableAxis;
  columns: TableColumn[];
  rows: TableRow[];
  opened: string;
  opens_below: boolean;
  brief: boolean;
}
/**
 * From `low` to `high`. `ticks`: where lines stand; `words`: what is measured; `term`: what to look it up
 * by, or "".
 */
export interface TableAxis {
  low: number;
  high: number;
  ticks: number[];
  words: string;
  term: string;
}
/**
 * `term`: what to look it up by, or "".
 */
export interface TableColumn {
  name: string;
  term: string;
  numeric: boolean;
  sortable: boolean;
}
/**
 * `beside` and `behind`: what stands left and right once the row is open. `amounts[i]`: what column i is
 * sorted by, None: last. `marked`: the cells that stand out, by number. `remark`: small, under the name.
 */
export interface TableRow {
  key: string;
  name: string;
  shape: "yes" | "leans" | "no" | "alert" | "unknown";
  verdict: string;
  marks: TableMark[];
  spread: TableSpread | null;
  cells: string[];
  marked: number[];
  remark: string;
  amounts: (number | null)[];
  beside: (ParagraphBlock | TableBlock | SquareBlock)[];
  behind: (ParagraphBlock | TableBlock | SquareBlock)[];
}
/**
 * An estimate on the axis. None: there is no value, or no interval. `words`: all of it, to be read.
 * `clear`: whether it tells anything.
 */
export interface TableMark {
  value: number | null;
  low: number | null;
  high: number | null;
  words: string;
  clear: boolean;
}
/**
 * How values lie on an axis of their own. `points`: each of them, where they are few. `ends`: what the
 * ends of the axis are, in words.
 */
export interface TableSpread {
  low: number;
  quarter: number;
  median: number;
  three_quarters: number;
  high: number;
  axis_low: number;
  axis_high: number;
  points: number[];
  ends: string[];
  words: string;
}
/**
 * `term`: what to look it up by, or "".
 */
export interface ParagraphBlock {
  kind: "paragraph";
  text: string;
  term: string;
  tone: "plain" | "strong" | "small";
}
/**
 * `numeric`: columns aligned right.
 */
export interface TableBlock {
  kind: "table";
  caption: string;
  header: string[];
  rows: (string | TableLink)[][];
  numeric: number[];
}
/**
 * `target`: an address inside the app, made of numbers and known keys.
 */
export interface TableLink {
  text: string;
  target: string;
}
/**
 * `shades`, 0 to 1: how dark each cell is, None: not at all. `outlined`: those on the diagonal.
 */
export interface SquareBlock {
  kind: "square";
  caption: string;
  corner: string;
  down: string[];
  across: string[];
  texts: string[][];
  shades: (number | null)[][];
}
