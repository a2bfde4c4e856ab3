import { requesterOf } from '../../../cards/outcome.ts';
import { MAX_REASON } from '../../../gate/approval.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { type Fields, recordOf, textOf } from '../../../lib/json.ts';
import type { StateOf } from '../flow-state.ts';
import { IDS } from '../ids.ts';
import { inputOf, textArea } from './form-fields.ts';
import { elementsOf } from './render.ts';
import { type Block, cut, type Element, rich, say } from './text.ts';
import { flowView } from './view.ts';

/* Reasons of people: the inputs for them. */

/** Builds the optional input for a reason, at the end of a form. `value`: the reason in a typed command. */
export function reasonInput(hint: string, value?: string): Block {
  const typed = textArea(cut(value ?? '', MAX_REASON), { most: MAX_REASON, multiline: false });
  return inputOf(IDS.reason, 'Reason', typed, { hint, optional: true });
}

/** The reason in a submitted form; undefined if none was entered. `values`: `state.values` of the view. */
export function reasonIn(values: Fields): string | undefined {
  return textOf(recordOf(recordOf(values[IDS.reason])[IDS.value]).value) || undefined;
}

/** Builds the window for the reason for declining. `title`: the action's title. */
export function whyView(action: Action, title: string, state: StateOf<'decline'>): Element {
  return flowView(state, { title: 'Declined', submit: 'Send', close: 'Skip', tellsClose: true }, [
    say(rich.bold(title), '\nDeclined. Tell ', ...elementsOf(requesterOf(action)), ' why (optional).'),
    reasonInput('It is shown to the requester and kept in the audit trail'),
  ]);
}

/** Builds the window that asks why an answer was not helpful. */
export function whyNotHelpfulView(state: StateOf<'not_helpful'>): Element {
  return flowView(state, { title: 'Not helpful', submit: 'Send', close: 'Skip' }, [
    say('Thank you. What was wrong or missing (optional)?'),
    reasonInput('Whoever runs this app reads it, with the question and the answer'),
  ]);
}
