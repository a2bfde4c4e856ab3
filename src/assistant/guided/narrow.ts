import type { Narrow, Outcome } from '../../language/narrow.ts';
import type { GuidedAnswer } from './answer.ts';

/* What a question narrows the list of events to: their outcome, and the kind of change. A surface leaves the others out. */

const OUTCOMES: readonly (readonly [outcome: Outcome, pattern: RegExp])[] = [
  [
    'failed',
    /\b(?:fail\w*|errors?|errored|bounced?|unsuccessful|not\s+(?:work|go\s+thr\w+|successful)|wrong|refused|crashed|rejected)\b|n['’]t\s+(?:work|go\s+thr\w+|succeed)/i,
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

/** What a question about changes or orders narrows its list to. Undefined if that is nothing that an entry says. */
export function narrowOf(said: string, isOrders: boolean): Narrow | undefined {
  const plain = said.replace(/\b(?:how\s+many|did\s+we|were)\b/gi, ' ');
  const kinds = isOrders ? [] : KINDS.filter(([pattern]) => pattern.test(plain));
  // Of changes, “cancelled” is a kind.
  const outcomes = OUTCOMES.filter(([outcome]) => isOrders || (outcome !== 'cancelled' && outcome !== 'done'));
  const found = outcomes.find(([, pattern]) => pattern.test(plain));
  const words = [found?.[1], ...kinds.map(([pattern]) => pattern)].flatMap(
    (pattern) => pattern?.exec(plain)?.[0] ?? [],
  );
  if (words.length === 0) return undefined;
  return {
    ...(found && { outcome: found[0] }),
    kinds: kinds.flatMap(([, starts]) => starts),
    said: [...new Set(words)].map((word) => `“${word}”`).join(' and '),
  };
}

/** The answer with what its list is narrowed to. */
export function narrowing(guided: GuidedAnswer | undefined, said: string): GuidedAnswer | undefined {
  if (guided?.kind !== 'events' || guided.input.Only === 'charges') return guided;
  const narrow = narrowOf(said, guided.input.Only === 'orders');
  return narrow ? { ...guided, narrow } : guided;
}
