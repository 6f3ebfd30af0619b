// Written by `make contract` from services/rating_contract.py: change that file, not this one.

export interface RatingContract {
  PageData: PageData;
  BrowserState: BrowserState;
}
/**
 * All that the page is given. Nothing that is not named here is sent to it.
 *
 * `store` and `reader` name whose events the browser keeps; `session` is new after each run of the whole
 * page; `acked` and `refused` answer events, `trouble` says why the others are to be sent again, `now` is
 * the server's time. `focus` and `turn` are what the address asks for. `transcript`: absent where the
 * browser has it, None where its words are not here.
 */
export interface PageData {
  study: PageStudy;
  store: string;
  reader: PageReader;
  exposure: string;
  unit: PageUnit;
  criteria: PageCriterion[];
  cannot_rate: {
    [k: string]: string;
  };
  reasoning_words: {
    [k: string]: ReasoningWord;
  };
  answers: {
    [k: string]: PageAnswer;
  };
  committed_at: string | null;
  ratings: {
    [k: string]: PageRating;
  };
  reveal: PageReveal | null;
  responses: {
    [k: string]: PageResponse;
  };
  score: PageScore | null;
  told: PageEscalation[];
  tell_about: {
    [k: string]: string;
  };
  metrics: MetricsPanel | null;
  progress: PageProgress;
  rail: [number, "open" | "begun" | "skipped" | "committed" | "compared" | "due"][];
  next: number | null;
  next_label: string;
  after_commit: string;
  session: string;
  acked: string[];
  refused: Refusal[];
  trouble: string | null;
  now: string;
  focus: string | null;
  turn: number;
  transcript?: PageMessage[] | null;
}
export interface PageStudy {
  title: string;
  data_class: string;
  /**
   * @minItems 2
   * @maxItems 2
   */
  roles: [string, string];
  demonstration: boolean;
}
export interface PageReader {
  id: number;
  name: string;
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
export interface ReasoningWord {
  key: string;
  text: string;
}
/**
 * A `CriterionAnswer` with all its fields.
 */
export interface PageAnswer {
  label: string | null;
  cannot_rate:
    | ("context_missing" | "unclear_criterion" | "unreadable" | "outside_expertise" | "distressing" | "other")
    | null;
  also: string[];
  confidence: number | null;
  note: string;
  evidence: Span[];
}
/**
 * Selected text: characters `start` to `end` of one message, counted in UTF-16 units as the browser does.
 *
 * Whether it is a place of the conversation is checked where it is kept (data/record/evidence.py).
 */
export interface Span {
  message: number;
  start: number;
  end: number;
}
/**
 * A committed answer. `first`: the first label, where it was changed since.
 */
export interface PageRating {
  label: string | null;
  cannot_rate:
    | ("context_missing" | "unclear_criterion" | "unreadable" | "outside_expertise" | "distressing" | "other")
    | null;
  also: string[];
  confidence: number | null;
  note: string;
  evidence: Span[];
  source: string;
  reason: string | null;
  first: PageAnswer | null;
}
/**
 * `judgements`: by criterion and by the judge's id.
 */
export interface PageReveal {
  judges: PageJudge[];
  judgements: {
    [k: string]: {
      [k: string]: PageJudgement;
    };
  };
}
export interface PageJudge {
  id: number;
  name: string;
  line: string;
  identity: string;
}
/**
 * `failure`: what to say where `status` is not "ok".
 */
export interface PageJudgement {
  status: string;
  failure: string;
  label: string | null;
  reasoning: string | null;
  erased: boolean;
  cited: number[];
  rule_broken: string | null;
}
/**
 * What the rater said of a judge's answer. `comment_erased`: its words were forgotten.
 */
export interface PageResponse {
  decision?: string | null;
  reasoning?: string | null;
  comment?: string | null;
  comment_erased?: boolean | null;
}
export interface PageScore {
  lines: ScoreLine[];
  categories: ScoreCategory[];
  differs: string[];
}
export interface ScoreLine {
  who: string;
  says: string;
  detail: string;
}
export interface ScoreCategory {
  name: string;
  values: string[];
}
/**
 * A note to the study lead. `answer` None with `may_read`: its words were erased, or none came yet.
 */
export interface PageEscalation {
  event: string;
  about: string;
  note: string | null;
  criterion: string | null;
  at: string;
  answered_at: string | null;
  may_read: boolean;
  answer: string | null;
}
/**
 * `steps` is None while there are `step_pairs`.
 */
export interface MetricsPanel {
  note: string;
  goal: GoalPanel | null;
  steps: StepPanel | null;
  step_pairs: StepPairsPanel | null;
  entities: EntityPanel | null;
  judges: (AlignmentPanel | RubricPanel)[];
}
/**
 * Values by turn, None where there is none. Absent are the numbers of a whole conversation where only a
 * turn is rated.
 */
export interface GoalPanel {
  actions_windowed?: BandedNumber | null;
  actions_truncated?: BandedNumber | null;
  full_windowed?: BandedNumber | null;
  full_truncated?: BandedNumber | null;
  slope: MetricNumber | null;
  windowed: (number | null)[];
  truncated: (number | null)[];
  local: (number | null)[];
  tokens: number[];
  truncated_from: number | null;
  /**
   * @minItems 2
   * @maxItems 2
   */
  bands: [number, number];
  bands_note: string;
  model: string;
  lexicon: string;
  plan: string | null;
  plan_label: string;
  stale: string;
}
export interface BandedNumber {
  value: number | null;
  why: string;
  band: string | null;
}
/**
 * A computed number; `why` it is None where it is.
 */
export interface MetricNumber {
  value: number | null;
  why: string;
}
/**
 * `pairs` None and what follows it absent: what the numbers were computed from is not there any more.
 */
export interface StepPanel {
  published: MetricNumber;
  exclusive: MetricNumber;
  precision: number | null;
  recall: number | null;
  steps: number;
  gold: number;
  threshold: number;
  pairs: MatchedSteps[] | null;
  contested?: MatchedSteps[];
  unmatched_gold?: string[];
  unmatched_model?: string[];
  stale: string;
}
/**
 * A step of the assistant and a gold step. `dice`: the share of their words that they have in common.
 */
export interface MatchedSteps {
  model: string;
  gold: string;
  dice: number;
  shared: string[];
}
/**
 * Pairs of steps to rate before their score is shown. `inputs` names the steps in events.
 */
export interface StepPairsPanel {
  inputs: string;
  pairs: StepPairToRate[];
}
/**
 * A step of the assistant and a gold step, by their places from 0, and what the rater said of them.
 */
export interface StepPairToRate {
  model_step: number;
  gold_step: number;
  model: string;
  gold: string;
  verdict: ("right" | "partly" | "wrong") | null;
}
export interface EntityPanel {
  value: number | null;
  why: string;
  curve: (number | null)[];
  slope: MetricNumber | null;
  entities: string[] | null;
  stale: string;
}
export interface AlignmentPanel {
  value: number | null;
  why: string;
  name: string;
  metric: "plan_alignment";
  strategies: StrategyScore[];
}
export interface StrategyScore {
  name: string;
  score: number | null;
  reasoning: string | null;
}
export interface RubricPanel {
  value: number | null;
  why: string;
  name: string;
  metric: "rubric_score";
  passed: boolean | null;
  gate_failed: boolean;
  applicable: number | null;
  categories: [string, number][];
}
export interface PageProgress {
  committed: number;
  total: number | null;
  length: number;
  more: string;
  skipped: number;
  hint: string;
  rest: string;
  time_left: string;
}
export interface Refusal {
  id: string;
  message: string;
}
export interface PageMessage {
  role: "user" | "assistant" | "system";
  turn: number | null;
  text: string;
  tag: string;
}
/**
 * What the page sets. `events`: what the person did, not yet acknowledged; each is checked by itself
 * (`read_event`), so that a faulty event stops no other. `want`: the unit whose transcript the page lacks.
 */
export interface BrowserState {
  events?:
    | (
        | Draft
        | Commit
        | Skip
        | Go
        | Leave
        | Keep
        | Change
        | Reasoning
        | Comment
        | RateStepPair
        | ShowStepScores
        | Escalate
      )[]
    | null;
  want?: number | null;
}
/**
 * `before`: the answer that the page showed until then.
 */
export interface Draft {
  id: string;
  kind: "draft";
  unit: number;
  criterion: string;
  answer: CriterionAnswer;
  before?: CriterionAnswer | null;
  late?: boolean;
}
/**
 * The whole state of one criterion after an event. `label` None and `cannot_rate` None: not answered.
 */
export interface CriterionAnswer {
  label?: string | null;
  cannot_rate?:
    | ("context_missing" | "unclear_criterion" | "unreadable" | "outside_expertise" | "distressing" | "other")
    | null;
  also?: string[];
  confidence?: number | null;
  note?: string;
  evidence?: Span[];
}
export interface Commit {
  id: string;
  kind: "commit";
  unit: number;
  shown: {
    [k: string]: string | null;
  };
}
export interface Skip {
  id: string;
  kind: "skip";
  unit: number;
}
export interface Go {
  id: string;
  kind: "go";
  position: number;
}
export interface Leave {
  id: string;
  kind: "leave";
}
export interface Keep {
  id: string;
  kind: "keep";
  unit: number;
  criterion: string;
  judges: number[];
}
export interface Change {
  id: string;
  kind: "change";
  unit: number;
  criterion: string;
  label: string;
  reason: string;
  judge?: number | null;
}
export interface Reasoning {
  id: string;
  kind: "reasoning";
  unit: number;
  criterion: string;
  judge: number;
  value: string;
}
/**
 * What is written of a judge's reasoning. `before`: what the page showed until then.
 */
export interface Comment {
  id: string;
  kind: "comment";
  unit: number;
  criterion: string;
  judge: number;
  text: string;
  before?: string | null;
  late?: boolean;
}
/**
 * What is said of two steps. `inputs`, `model_step`, `gold_step`: as the page was given them.
 */
export interface RateStepPair {
  id: string;
  kind: "step_pair";
  unit: number;
  inputs: string;
  model_step: number;
  gold_step: number;
  verdict: "right" | "partly" | "wrong";
}
/**
 * The rater asks how the steps meet, and rates no pair of them from then on.
 */
export interface ShowStepScores {
  id: string;
  kind: "step_scores";
  unit: number;
  inputs: string;
}
export interface Escalate {
  id: string;
  kind: "escalate";
  unit: number;
  criterion?: string | null;
  about: string;
  note: string;
}
