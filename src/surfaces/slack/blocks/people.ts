import type { Action } from '../../../gate/ledger/ledger.ts';
import { identified } from '../../../lib/actor.ts';
import { type Element, escaped, rich } from './text.ts';

/*
 * People on cards: a mention where Slack knows the person, otherwise the identity with the name behind it. A display
 * name alone identifies nobody, because anybody may choose theirs.
 */

/** The Slack user behind an identity or an actor's id; undefined for everybody else. */
export function slackUser(person: string): string | undefined {
  return /^slack:[^/]*\/([A-Z0-9]+)$/.exec(person)?.[1];
}

/** Whoever asked, in mrkdwn. */
export function requesterText(action: Action): string {
  const user = slackUser(action.person);
  return user === undefined
    ? `${escaped(identified(action.person, action.actorName))} over ${escaped(action.surface)}`
    : `<@${user}>`;
}

/** Whoever asked, in rich text. */
export function requesterElement(action: Action): Element {
  return personElement(action.person, action.actorName);
}

/** Whoever decided, in mrkdwn; undefined where nobody did. */
export function deciderText(action: Action): string | undefined {
  const { decidedPerson, decidedBy } = action;
  if (decidedPerson === undefined) return decidedBy === undefined ? undefined : escaped(decidedBy);
  const user = slackUser(decidedPerson);
  return user === undefined ? escaped(identified(decidedPerson, decidedBy)) : `<@${user}>`;
}

/** Whoever decided, in rich text; undefined where nobody did. */
export function deciderElement(action: Action): Element | undefined {
  const { decidedPerson, decidedBy } = action;
  if (decidedPerson === undefined) return decidedBy === undefined ? undefined : rich.text(decidedBy);
  return personElement(decidedPerson, decidedBy);
}

function personElement(person: string, name: string | undefined): Element {
  const user = slackUser(person);
  return user === undefined ? rich.text(identified(person, name)) : rich.user(user);
}
