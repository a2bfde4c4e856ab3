import { statusOf } from '../../../gate/gate.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { askedWhomText } from '../blocks/asked-whom.ts';
import { type CardNote, noteOf, tellingsOf } from '../types.ts';

/* Reads the state of an action's card from the notes of the action. */

export const SETTLED: ReadonlySet<string> = new Set(['done', 'partly', 'failed', 'unknown', 'declined', 'expired']);

/** True if the message `ts` is the card, a copy of it or a message to approvers. */
export function isAt(action: Action, ts: string): boolean {
  const note = noteOf(action);
  const told = Object.values(tellingsOf(action)).flatMap(({ at }) => at ?? []);
  return [note, ...(note.copies ?? []), ...told].some((card) => card.ts === ts);
}

/** The note of a card that was drawn for this action. */
export function shownBy(action: Action): CardNote {
  return { shown: action.state, ...(action.state === 'pending' ? { asks: askedWhomText(action) } : {}) };
}

/**
 * True if the card shows the action's state and the approvers who were notified. "Confirmed" and "in flight" look the
 * same.
 */
export function isCurrent(note: CardNote, action: Action): boolean {
  if (note.shown === undefined || statusOf(note.shown) !== statusOf(action.state)) return false;
  if (isUntold(action)) return false;
  return action.state !== 'pending' || (note.asks ?? '') === askedWhomText(action);
}

/** True if the thread of a conversation still has to learn the outcome, or the reason that was given after it. */
export function isUntold(action: Action): boolean {
  const { turn, told, toldReason } = noteOf(action);
  if (turn !== true || !SETTLED.has(action.state)) return false;
  return told !== true || (action.decidedReason !== undefined && toldReason !== true);
}
