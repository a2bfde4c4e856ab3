import * as z from 'zod';
import { type Fields, objectIn, recordOf, textOf } from '../../lib/json.ts';
import type { Origin } from './types.ts';

/*
 * The state that a modal carries from one step to the next, in its `private_metadata`: one union, written and read here
 * alone.
 */

const text = z.string().optional();
const values = z.record(z.string(), z.unknown()).optional();

/** The members of every form that is derived from an operation. */
const form = {
  /** Operation, or a form of a guide's own. Undefined for a view without inputs. */
  operation: text,
  channel: text,
  /** Thread in which the form was opened. The outcome is posted there. */
  thread: text,
  /** Rows shown, by the field's name. */
  rows: z.record(z.string(), z.number()).optional(),
  /** Values that are sent and that the form has no input for. */
  carried: values,
  /** A short form, without or with its further fields. */
  short: z.enum(['short', 'more']).optional(),
  /** The values of the record from which the form started. */
  start: values,
  /** Fields whose value of the record the form did not show, because a sentence or a command had filled them in. */
  filledIn: z.array(z.string()).optional(),
  /** The reason that was typed before the form was opened. */
  reason: text,
};

const flowState = z.discriminatedUnion('flow', [
  z.object({
    flow: z.literal('form'),
    ...form,
    /** The waiting question that the form edits. */
    replaces: text,
  }),
  z.object({
    flow: z.literal('guide'),
    guide: z.string(),
    step: text,
    ...form,
    /** The values known so far, without secrets. */
    known: values,
    /** The action whose end led to this view. */
    action: text,
  }),
  z.object({
    flow: z.literal('batch'),
    /** Undefined while it is being chosen. */
    operation: text,
    channel: text,
    /** The list that the form starts from, while the operation is being chosen. */
    list: text,
    /** The planned batch that the list takes the place of. */
    edits: text,
  }),
  z.object({ flow: z.literal('leave_out'), batch: z.string(), channel: text }),
  z.object({
    flow: z.literal('decline'),
    action: z.string(),
    channel: text,
    /** The view below this one, which shows the question. */
    below: text,
  }),
  z.object({ flow: z.literal('qr') }),
]);

export type FlowState = z.infer<typeof flowState>;
export type FlowName = FlowState['flow'];
export type StateOf<F extends FlowName> = Extract<FlowState, { flow: F }>;

/** Slack accepts 3,000 characters. */
const MAX_METADATA = 3_000;

/** The state as text. One that is too long loses what its flow can do without: a form then sends all that it shows. */
export function encodeState(state: FlowState): string {
  const whole = JSON.stringify(state);
  return whole.length <= MAX_METADATA ? whole : JSON.stringify({ ...state, start: undefined, list: undefined });
}

/** A submitted or open modal, as Slack sends it. `state` is undefined if no flow of this app made the modal. */
export interface SentView<S extends FlowState | undefined = FlowState | undefined> {
  id: string;
  state: S;
  /** Its current blocks. */
  blocks: readonly Fields[];
  /** `state.values`, by block and action. */
  values: Fields;
}

/** Reads the modal of a request. */
export function sentView(sent: unknown): SentView {
  const view = recordOf(sent);
  return {
    id: textOf(view.id),
    state: flowState.safeParse(objectIn(textOf(view.private_metadata))).data,
    blocks: Array.isArray(view.blocks) ? view.blocks.map(recordOf) : [],
    values: recordOf(recordOf(view.state).values),
  };
}

/** A modal of one flow. */
export type ViewOf<F extends FlowName> = SentView<StateOf<F>>;

/** An open modal of a guide, and the current step of its person. */
export interface ViewStep {
  viewId: string;
  /** Counts the person's own steps. Updates that belong to an earlier step are skipped. */
  turn: number;
  origin: Origin;
  state: StateOf<'guide'>;
}

/** The answer to a submitted modal, and the work that follows it. */
export interface ViewAnswer {
  ack: Fields | undefined;
  after?: () => Promise<void>;
}

/** A choice or a button in an open modal. */
export interface Press {
  actionId: string;
  value: string;
  blockId: string;
  origin: Origin;
}
