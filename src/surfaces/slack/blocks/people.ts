import type { Action } from '../../../ledger/ledger.ts';
import { isClaimed } from '../../../ledger/level.ts';
import { identified } from '../../../lib/actor.ts';
import { type Element, escaped, rich } from './text.ts';

/*
 * People on cards: a mention for Slack users, otherwise the identity followed by the name. A display name alone does
 * not identify a person, because people choose it themselves.
 */

/** The Slack user of an identity or actor id; undefined for identities of other surfaces. */
export function slackUser(person: string): string | undefined {
  return /^slack:[^/]*\/([A-Z0-9]+)$/.exec(person)?.[1];
}

const SURFACES: Readonly<Record<string, string>> = {
  cli: 'in the terminal',
  mcp: 'over MCP',
  assistant: 'in a conversation',
};

/** The requester, in mrkdwn. */
export function requesterText(
  action: Pick<Action, 'person' | 'actorName' | 'surface'> & Partial<Pick<Action, 'known'>>,
): string {
  const user = slackUser(action.person);
  // A mention alone would say that this person asked.
  if (isClaimed({ known: action.known ?? {} }))
    return `${user === undefined ? escaped(action.actorName) : `a workflow, for <@${user}>`} (not verified)`;
  return user === undefined
    ? `${escaped(nameOf(action.person, action.actorName))} ${SURFACES[action.surface] ?? `over ${escaped(action.surface)}`}`
    : `<@${user}>`;
}

/** The requester, in rich text. */
export function requesterElement(action: Action): Element {
  return isClaimed(action) ? rich.text(action.actorName) : personElement(action.person, action.actorName);
}

/** The person who decided, or every approver whose yes it needed, in mrkdwn; undefined before a decision. */
export function deciderText(
  action: Pick<Action, 'state' | 'decidedPerson' | 'decidedBy' | 'yeses'>,
): string | undefined {
  const { state, decidedPerson, decidedBy, yeses = [] } = action;
  if (decidedPerson === undefined) return decidedBy === undefined ? undefined : escaped(decidedBy);
  const earlier = state === 'declined' ? [] : yeses.map(({ person, name }) => personText(person, name));
  return [...earlier, personText(decidedPerson, decidedBy)].join(' and ');
}

/** A person in mrkdwn: a mention, or the identity and name. */
function personText(person: string, name: string | undefined): string {
  const user = slackUser(person);
  return user === undefined ? escaped(nameOf(person, name)) : `<@${user}>`;
}

/** The person who decided, in rich text; undefined before a decision. */
export function deciderElement(action: Action): Element | undefined {
  const { decidedPerson, decidedBy } = action;
  if (decidedPerson === undefined) return decidedBy === undefined ? undefined : rich.text(decidedBy);
  return personElement(decidedPerson, decidedBy);
}

/** An identity with the name. The user of this computer is called by name; the identity is that name. */
function nameOf(person: string, name: string | undefined): string {
  const user = /^local:(.+)$/.exec(person)?.[1];
  return user === undefined || (name !== undefined && name !== user) ? identified(person, name) : user;
}

/** A person in rich text: a mention, or the identity and name. */
export function personElement(person: string, name: string | undefined): Element {
  const user = slackUser(person);
  return user === undefined ? rich.text(nameOf(person, name)) : rich.user(user);
}
