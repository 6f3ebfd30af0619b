// Written by `make contract` from pages/widgets/lead_pad/contract.py: change that file, not this one.

export interface LeadPadContract {
  LeadPadData: LeadPadData;
  GoldSent: GoldSent;
}
/**
 * `key`: of what is labelled, which the browser keeps unsaved labels by. `labels`, `expert` and `reason`:
 * as they are kept, or "". `notes`: what is to be known before it is saved. Without `saves` it is a try, of
 * which nothing is kept. `back`: the way back and its words.
 */
export interface LeadPadData {
  key: string;
  title: string;
  unit: PageUnit;
  /**
   * @minItems 2
   * @maxItems 2
   */
  roles: [string, string];
  transcript: PageMessage[] | null;
  criteria: PageCriterion[];
  labels: {
    [k: string]: string;
  };
  expert: string;
  reason: string;
  sources: LabelSource[];
  notes: string[];
  saves: boolean;
  back: [string, string] | null;
  receipt: PadReceipt | null;
}
/**
 * `message`: the index of the message to rate; None where the whole conversation is rated.
 */
export interface PageUnit {
  id: number;
  position: number;
  message: number | null;
  plan: PagePlan | null;
}
/**
 * The plan that a reply declares. `response_start`: where its words begin, in UTF-16 units.
 */
export interface PagePlan {
  response_start: number;
  unknown: string[];
  strategies: PageStrategy[];
}
export interface PageStrategy {
  name: string;
  description: string;
}
export interface PageMessage {
  role: "user" | "assistant" | "system";
  turn: number | null;
  text: string;
  tag: string;
}
/**
 * `forced`: the label that a rule fills in, so that nobody is asked. `asked_when`: other criteria with
 * the labels after which this one is asked; empty where it always is.
 */
export interface PageCriterion {
  id: string;
  name: string;
  checks_for: string;
  ordinal: boolean;
  levels: PageLevel[];
  examples: string[];
  examples_title: string;
  not_applicable_note: string;
  forced: string | null;
  forced_why: string;
  asked_when: {
    [k: string]: string[];
  };
  category: PageCategory | null;
}
export interface PageLevel {
  id: string;
  name: string;
  key: string;
  anchor: string;
  value: number | null;
}
export interface PageCategory {
  id: string;
  name: string;
  question: string;
  gate: boolean;
}
/**
 * Somebody whose labels of this unit may be taken over, by criterion.
 */
export interface LabelSource {
  name: string;
  labels: {
    [k: string]: string;
  };
}
/**
 * What became of the labels that were sent under this id: `trouble`, or saved.
 */
export interface PadReceipt {
  id: string;
  words: string;
  trouble: boolean;
}
/**
 * Labels by criterion, whose they are and why, as the browser sends them.
 */
export interface GoldSent {
  id: string;
  labels: {
    [k: string]: string;
  };
  expert: string;
  reason: string;
}
