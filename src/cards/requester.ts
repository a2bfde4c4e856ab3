import { traitsOf } from '../gate/surfaces.ts';
import type { Action } from '../ledger/ledger.ts';
import { LOCAL_ASSISTANT } from '../lib/actor.ts';
import { visible } from '../lib/text.ts';
import type { Part, Piece, Text } from './card.ts';

/* The requester of a change, the surface on which it was asked, and the reason. */

/** The surface on which it was asked. An identity of Slack says it. */
export function placeOf({ surface, person }: Pick<Action, 'surface' | 'person'>): string {
  return person.startsWith('slack:') ? '' : traitsOf(surface).words;
}

/** The person who asked. */
export function requesterOf({ person, actorName }: Pick<Action, 'person' | 'actorName'>): Piece {
  return { person, name: actorName };
}

type Reasoned = Partial<Pick<Action, 'reason' | 'person' | 'actorName' | 'surface' | 'notes'>>;

/**
 * The requester's reason as a quotation, because it may say anything, such as that a person approved. The title names
 * the author, an assistant as one. None if no reason was given.
 */
export function reasonPart(action: Reasoned): Part[] {
  const text = visible(action.reason ?? '');
  return text === '' ? [] : [{ kind: 'quote', title: authorTitle(action), text }];
}

function authorTitle(action: Reasoned): Text {
  const { person, actorName } = action;
  if (person === undefined || actorName === undefined) return 'Reason given';
  // A token is an assistant's own. Anyone else has an assistant, whatever their name says, because people choose it.
  const own = actorName === LOCAL_ASSISTANT ? '' : 'the assistant of ';
  const assistant = person.startsWith('token:') ? 'assistant ' : own;
  return [{ strong: `Reason given by ${isOfAssistant(action) ? assistant : ''}` }, requesterOf({ person, actorName })];
}

/** Name of the note that an assistant gave the reason, where the surface does not say it. */
export const REASON_OF_ASSISTANT = 'reasonOfAssistant';

function isOfAssistant({ surface, notes }: Reasoned): boolean {
  return (surface !== undefined && traitsOf(surface).isAssistant) || notes?.[REASON_OF_ASSISTANT] === true;
}

/** The reason in the requester's own words, to ask again with. That of an assistant would read as theirs. */
export function ownReason(action: Reasoned): string | undefined {
  return isOfAssistant(action) ? undefined : action.reason;
}
