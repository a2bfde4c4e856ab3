import type { Narrow, Outcome } from '../../../language/narrow.ts';
import type { GuidedAnswer } from '../answers/answer.ts';

/* Questions narrow the list of events by outcome and by the kind of change. A surface leaves the others out. */

const OUTCOMES: readonly (readonly [outcome: Outcome, pattern: RegExp])[] = [
  [
    'failed',
    /\b(?:fail\w*|errors?|errored|bounced?|unsuccessful|not\s+(?:work|go\s+thr\w+|successful)|wrong|refused|crashed|reject(?:ed|ions?|s))\b|n['’]t\s+(?:work|go\s+thr\w+|succeed)/i,
  ],
  ['declined', /\b(?:declin\w*|denied|turned\s+down)\b/i],
  ['approved', /\b(?:approv(?:ed|als?)|confirmed|authori[sz]ed)\b/i],
  [
    'open',
    /\b(?:open|pending|stuck|waiting|outstanding|running|in\s+progress|hanging|unfinished|not\s+done|late|overdue|delayed)\b/i,
  ],
  ['cancelled', /\bcancell?ed\b/i],
  ['done', /\b(?:completed?|done|finished|went\s+thr\w+)\b/i],
];

/** Requests that their requester took back. */
const WITHDRAWN: (typeof OUTCOMES)[number] = ['cancelled', /\bwithdrawn\b|\btaken\s+back\b/i];

/** The kinds of changes by their words, each with the beginnings of words of its titles. */
const KINDS: readonly (readonly [pattern: RegExp, starts: readonly string[]])[] = [
  [/\bswap(?:s|ped)?\b/i, ['swap']],
  [/\breactivat\w*/i, ['reactivat']],
  [/\b(?:cancel\w*|disconnect\w*|terminat\w*|deactivat\w*)/i, ['cancel']],
  [/\b(?:park(?:s|ed|ings?)|suspen(?:ded|sions?)|holds?)\b/i, ['park']],
  [/\bunblock\w*/i, ['unblock', 'remove']],
  [/(?<!un)\bblock(?:s|ed)\b/i, ['block', 'add']],
  [/\brenam(?:ed|es)\b/i, ['rename', 'change']],
  [/\blimits?\s+changes\b/i, ['limit', 'data limit', 'set data limit']],
];

const DEED =
  /\b(?:did|have|has|were|was)\b|\b(?:cancelled|canceled|parked|suspended|swapped|reactivated|blocked|unblocked|renamed|disconnected|terminated|deactivated)\b/i;

/** "…, and how many are open": a second question, which does not narrow the first one. */
const AND_OPEN =
  /(?:,|\band)\s+(?:also\s+)?(?:how\s+many|what|which|anything)(?:\s+of\s+(?:them|those))?\s+(?:(?:are|is|ones?|still|currently)\s+)*(?:open|pending|waiting|outstanding|undecided)\b[^.;!?]*/i;

/** True for a question that asks besides what is open. */
export function asksWhatIsOpen(said: string): boolean {
  return AND_OPEN.test(said);
}

/** "Except the failed ones": no list can be narrowed to those that are not so. */
const EXCEPTED =
  /[\s,]+(?:except(?:ing)?(?:\s+for)?|besides|without|apart\s+from|aside\s+from|other\s+than|excluding|but\s+not|minus)\s+(?<what>[^.;!?]*)/iu;

/** The entries that a question about changes or orders asks for. Undefined if no entry can say so. */
export function narrowOf(said: string, isOrders: boolean): Narrow | undefined {
  const plain = said
    .replace(AND_OPEN, ' ')
    .replace(EXCEPTED, ' ')
    .replace(/\b(?:how\s+many|did\s+we|were)\b/gi, ' ');
  const kinds = isOrders ? [] : KINDS.filter(([pattern]) => pattern.test(plain));
  // Of changes, “cancelled” is a kind.
  const ofChanges = OUTCOMES.filter(([outcome]) => outcome !== 'cancelled' && outcome !== 'done');
  const outcomes = isOrders ? OUTCOMES : [...ofChanges, WITHDRAWN];
  const [found, ...others] = outcomes.filter(([, pattern]) => pattern.test(plain));
  // "Stuck or rejected" asks for both.
  const other = isOrders && /\bor\b|\band\b|,/i.test(plain) ? others[0] : undefined;
  // The platform rejects, and so does a person who declines.
  const isRejected = !isOrders && found?.[0] === 'failed' && /\breject/i.test(plain);
  const words = [found?.[1], other?.[1], ...kinds.map(([pattern]) => pattern)].flatMap(
    (pattern) => pattern?.exec(plain)?.[0] ?? [],
  );
  if (words.length === 0) return undefined;
  // A request that was declined is nothing that was done.
  const isDeed = found === undefined && kinds.length > 0 && DEED.test(said);
  return {
    ...(found && { outcome: found[0] }),
    ...(other && { orOutcome: other[0] }),
    ...(isRejected && { orOutcome: 'declined' as const }),
    ...(isDeed && { outcome: 'done' as const }),
    kinds: kinds.flatMap(([, starts]) => starts),
    said: [...new Set(words)].map((word) => `“${word}”`).join(' and '),
  };
}

/**
 * A list of events with what it is narrowed to, and a sentence that says so.
 *
 * @param listed the list, if it can be read here
 * @param otherwise the words of the question, for a list that cannot be narrowed to them; undefined if it has none
 */
export function narrowing(
  listed: GuidedAnswer | undefined,
  said: string,
  otherwise: string | undefined,
): { narrow: Narrow | undefined; told: string } {
  const narrow = listed?.kind === 'events' ? narrowOf(said, listed.input.Only === 'orders') : undefined;
  const told =
    narrow === undefined
      ? otherwise === undefined
        ? ''
        : `; the list is not narrowed to ${otherwise}`
      : `; only ${narrow.said}`;
  const left = EXCEPTED.exec(said)?.groups?.what?.trim() ?? '';
  const isLeft = left !== '' && narrowOf(left, listed?.input.Only === 'orders') !== undefined;
  return { narrow, told: isLeft ? `${told}; in the list, too: “${left}”` : told };
}
