import type { Action } from '../../../ledger/ledger.ts';
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
export function requesterText(action: Action): string {
  const user = slackUser(action.person);
  return user === undefined
    ? `${escaped(identified(action.person, action.actorName))} ${SURFACES[action.surface] ?? `over ${escaped(action.surface)}`}`
    : `<@${user}>`;
}

/** The requester, in rich text. */
export function requesterElement(action: Action): Element {
  return personElement(action.person, action.actorName);
}

/** The person who decided, in mrkdwn; undefined before a decision. */
export function deciderText(action: Action): string | undefined {
  const { decidedPerson, decidedBy } = action;
  if (decidedPerson === undefined) return decidedBy === undefined ? undefined : escaped(decidedBy);
  const user = slackUser(decidedPerson);
  return user === undefined ? escaped(identified(decidedPerson, decidedBy)) : `<@${user}>`;
}

/** The person who decided, in rich text; undefined before a decision. */
export function deciderElement(action: Action): Element | undefined {
  const { decidedPerson, decidedBy } = action;
  if (decidedPerson === undefined) return decidedBy === undefined ? undefined : rich.text(decidedBy);
  return personElement(decidedPerson, decidedBy);
}

function personElement(person: string, name: string | undefined): Element {
  const user = slackUser(person);
  return user === undefined ? rich.text(identified(person, name)) : rich.user(user);
}
