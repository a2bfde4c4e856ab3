import { FACT_LABELS } from '../../../cards/question.ts';
import { MAX_REASON } from '../../../gate/approval.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { defined, type Fields, objectIn, recordOf, textOf } from '../../../lib/json.ts';
import { IDS } from '../ids.ts';
import { requesterElement } from './people.ts';
import { type Block, cut, type Element, label, plain, quote, rich, say } from './text.ts';

/* Reasons of people: the inputs for them, and the lines that show them. */

/** Stored in the view that takes the reason for declining. */
export interface DeclineMeta {
  /** Id of the action. */
  d: string;
  /** Channel of the card. */
  c?: string;
  /** View below this one, which shows the question. */
  p?: string;
}

/** Reads the metadata of that view; undefined for other views. */
export function declineMeta(metadata: string): DeclineMeta | undefined {
  const meta = objectIn(metadata);
  if (typeof meta?.d !== 'string') return undefined;
  return { d: meta.d, ...defined({ c: textOf(meta.c) || undefined, p: textOf(meta.p) || undefined }) };
}

/** Builds the optional input for a reason, at the end of a form. `value`: the reason in a typed command. */
export function reasonInput(hint: string, value?: string): Block {
  return {
    type: 'input',
    block_id: IDS.reason,
    optional: true,
    label: plain('Reason', 2000),
    hint: plain(hint, 2000),
    element: {
      type: 'plain_text_input',
      action_id: IDS.value,
      max_length: MAX_REASON,
      ...(value === undefined ? {} : { initial_value: cut(value, MAX_REASON) }),
    },
  };
}

/** The reason in a submitted form; undefined if none was entered. `values`: `state.values` of the view. */
export function reasonIn(values: Fields): string | undefined {
  return textOf(recordOf(recordOf(values[IDS.reason])[IDS.value]).value) || undefined;
}

/** Builds the window for the reason for declining. `title`: the action's title. */
export function whyView(action: Action, title: string, meta: DeclineMeta): Element {
  return {
    type: 'modal',
    callback_id: IDS.submit,
    private_metadata: JSON.stringify(meta),
    notify_on_close: true,
    title: label('Declined', 24),
    submit: label('Send', 24),
    close: label('Skip', 24),
    blocks: [
      say(rich.bold(title), '\nDeclined. Tell ', requesterElement(action), ' why (optional).'),
      reasonInput('It is shown to the requester and kept in the audit trail'),
    ],
  };
}

/** Stored in the view that asks why an answer was not helpful. */
export interface JudgedMeta {
  /** Id of the turn. */
  j: string;
  /** Name of the conversation. */
  n: string;
}

/** Reads the metadata of that view; undefined for other views. */
export function judgedMeta(metadata: string): JudgedMeta | undefined {
  const { j, n } = objectIn(metadata) ?? {};
  return typeof j === 'string' && typeof n === 'string' ? { j, n } : undefined;
}

/** Builds the window that asks why an answer was not helpful. */
export function whyNotHelpfulView(meta: JudgedMeta): Element {
  return {
    type: 'modal',
    callback_id: IDS.submit,
    private_metadata: JSON.stringify(meta),
    title: label('Not helpful', 24),
    submit: label('Send', 24),
    close: label('Skip', 24),
    blocks: [
      say('Thank you. What was wrong or missing (optional)?'),
      reasonInput('Whoever runs this app reads it, with the question and the answer'),
    ],
  };
}

/** The reason of the person who declined, as a quote. */
export function declinedBecause({ decidedReason }: Pick<Action, 'decidedReason'>): Block[] {
  return decidedReason === undefined ? [] : [quote(rich.text(decidedReason))];
}

/** The requester's reason in one line. */
export function askedBecause({ reason }: Pick<Action, 'reason'>): Block[] {
  return reason === undefined ? [] : [say(rich.bold(FACT_LABELS.reason), '  ', rich.text(reason))];
}
