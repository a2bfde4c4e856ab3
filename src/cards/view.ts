/*
 * The card that a view in the window of an assistant draws. It is data, all plain text: the page in
 * `surfaces/mcp/view` makes every text a text node. The page imports this file and runs in a browser, so it imports
 * nothing.
 */

/** The states in a card's first line. `info` is a state that is neither good nor bad. */
export const VIEW_STATES = [
  'pending',
  'running',
  'done',
  'partly',
  'failed',
  'unknown',
  'declined',
  'expired',
  'info',
] as const;
export type ViewState = (typeof VIEW_STATES)[number];

export type StepState = 'done' | 'current' | 'rejected' | 'ahead';

/** A record that the view can read again. */
export interface ViewRecord {
  kind: 'order' | 'batch' | 'confirmation';
  id: string;
  /** The page of a batch's rows that is shown. */
  page?: number;
}

/** One part of a card. A part with `folded` is closed until a person opens it by that title. */
export type ViewPart =
  | { kind: 'facts'; title?: string; folded?: string; rows: [label: string, value: string][] }
  | { kind: 'table'; title?: string; folded?: string; columns: string[]; rows: string[][]; more?: number }
  | { kind: 'steps'; steps: { label: string; state: StepState }[] }
  | { kind: 'progress'; done: number; of: number }
  | { kind: 'note'; text: string }
  | { kind: 'quote'; title: string; text: string };

/** Something that the reader can do: open the page on which a person decides, or take the request back. */
export interface ViewAction {
  id: 'open' | 'withdraw';
  label: string;
  /** The address of the page, or the id of the request. */
  value: string;
  confirm?: { title: string; text: string; yes: string; no?: string };
}

export interface ViewCard {
  title: string;
  state?: { name: ViewState; text: string };
  parts: ViewPart[];
  record?: ViewRecord;
  /** True while the record can change without the reader, so that the view reads it again. */
  changes?: boolean;
  actions?: ViewAction[];
}
