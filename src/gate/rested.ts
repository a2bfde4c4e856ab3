import type { Tool } from '../catalogue/operation.ts';
import { quoted } from '../catalogue/plain-values.ts';
import { type Action, canonical } from '../ledger/action.ts';
import { asSwitchboardError, type Failure } from '../lib/errors.ts';
import { defined, type Fields, recordOf } from '../lib/json.ts';
import { joined, type Words, words } from '../lib/words.ts';
import { isPaid } from './charges.ts';
import type { CheckResult } from './checks.ts';
import { factsOf } from './facts.ts';

/*
 * Compares the records that a question was based on with the same records read later. A confirmation holds only for the
 * records as the person saw them.
 */

type Asked = Pick<Action, 'shown' | 'known' | 'consent'>;

/** A difference. `what` completes the sentence "… since this was asked". */
export interface Difference {
  what: Words;
  /** The error of a read that worked when the question was asked. */
  unread?: Failure;
}

/**
 * The first difference between a question and a new check; undefined if the question would be the same.
 * @param input the input to send, with its secrets
 */
export function differenceOf(tool: Tool, asked: Asked, input: Fields, now: CheckResult): Difference | undefined {
  const facts = factsOf(asked);
  if (facts.isRepeatOnly) return undefined;
  const lost = now.unread.find(({ read }) => !facts.unread.includes(read));
  if (lost) return { what: 'could not be read again', unread: asSwitchboardError(lost.error).face };
  if (now.problem) return { what: now.problem.message };
  const changed = Object.entries(facts.rests).flatMap(([record, values]) =>
    changesOf(record, values, now.rests?.[record]),
  );
  if (changed.length > 0) return { what: joined(changed, '; ') };
  const filled = facts.filled.find(
    (name) => now.fill?.[name] !== undefined && !same(now.fill[name], asked.shown[name]),
  );
  if (filled !== undefined) return { what: `the ${filled} of the record has changed` };
  // If a read failed when the question was asked, its result now can only add to the question.
  if (now.unread.length < facts.unread.length) return undefined;
  if ((now.customer ?? '') !== (facts.customer ?? '')) return { what: 'the customer has changed' };
  return isSameConsent(tool, asked, input, now) ? undefined : { what: 'the question would read differently now' };
}

function changesOf(record: string, before: Fields, now: Fields | undefined): Words[] {
  if (now === undefined) return [`${record} could not be found again`];
  return Object.entries(before)
    .filter(([name, value]) => !same(value, now[name]))
    .map(([name, value]) => words`the ${name} of ${record} was ${worded(value)} and is ${worded(now[name])} now`);
}

function isSameConsent(tool: Tool, asked: Asked, input: Fields, now: CheckResult): boolean {
  const { consent } = asked;
  if (consent === undefined || tool.consent === undefined) return true;
  const drifting = Object.fromEntries((now.drifts ?? []).map((name) => [name, asked.known[name]]));
  const next = tool.consent(input, { ...asked.known, ...now.known, ...drifting });
  // A warning about earlier calls precedes the consequence.
  const isSameText = consent.consequence === next.consequence || consent.consequence.endsWith(`\n${next.consequence}`);
  return isSameText && same({ ...recordOf(consent), consequence: '' }, { ...next, consequence: '' });
}

/** The failure of a confirmed call that was not sent because of this difference. */
export function differenceError({ what, unread }: Difference, asked: Pick<Action, 'consent'>): Failure {
  const charge = isPaid(asked) ? ({ charge: 'none' } as const) : {};
  const rest = { outcome: 'not_done', effect: 'nothing_sent', ...charge } as const;
  if (unread) {
    const { code, status, retryAfterSeconds } = unread;
    const message = words`What this rests on could not be read again before sending: ${unread.message}`;
    return { ...rest, code, message, next: 'Ask for it again.', ...defined({ status, retryAfterSeconds }) };
  }
  return {
    ...rest,
    code: 'not_confirmed',
    reason: 'cancelled',
    message: words`It was confirmed, but the record has changed since it was asked: ${what}.`,
    next: 'Ask for it again to see it as it is now.',
  };
}

function same(one: unknown, other: unknown): boolean {
  return canonical(one ?? null) === canonical(other ?? null);
}

function worded(value: unknown): Words {
  return value === undefined || value === null || value === '' ? 'not set' : words`${quoted(value)}`;
}
