// Written by `make contract` from pages/widgets/rater_table/contract.py: change that file, not this one.

export interface RaterContract {
  RaterTableData: RaterTableData;
}
/**
 * `opened`: the key of the rater whose details stand below, or "".
 */
export interface RaterTableData {
  rows: RaterLine[];
  opened: string;
}
/**
 * `share`: of their work that is done, from 0 to 1; `rated`, `last`, `pace` and `left` in words, "" where
 * there is nothing to tell. `late`: they have rated nothing for long. `address`: of their own list, relative
 * to the page.
 */
export interface RaterLine {
  key: string;
  name: string;
  code: string;
  remark: string;
  share: number;
  rated: string;
  last: string;
  late: boolean;
  pace: string;
  left: string;
  address: string;
}
