// Written by `make contract` from pages/widgets/settle_list/contract.py: change that file, not this one.

export interface SettleContract {
  LabelList: LabelList;
}
/**
 * A page of the list, behind its first `after` of `total`. `current`: the key of the row that is open, or
 * "". `page_size`: how many rows a full page has. `leaves`: a press follows the row's address.
 */
export interface LabelList {
  title: string;
  rows: SettleRow[];
  after: number;
  total: number;
  page_size: number;
  current: string;
  empty: string;
  leaves: boolean;
}
/**
 * One label. `about`: its criterion, "" while that stays hidden. `labels`: what was given, one after
 * another; none while they stay hidden. `judge`: what a judge says against them. `marks`: what else is to be
 * known, how far the labels are apart first. `address`: where the row leads by itself.
 */
export interface SettleRow {
  key: string;
  name: string;
  about: string;
  labels: string[];
  judge: string[];
  marks: string[];
  address: string;
}
