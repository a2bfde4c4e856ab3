import type { GuidedAnswer } from '../answers/answer.ts';

/* A number that goes from one list of a filter to the other: it is taken off the one, and put on the other. */

const LISTED: Readonly<Record<'blocked' | 'allowed', string>> = {
  blocked: '(?:block(?:ed)?|black|ban(?:ned)?)',
  allowed: '(?:allow(?:ed)?|white|approved|permitted)',
};
const NOUN = String.raw`(?:[\s-]*(?:list|numbers?|callers?|contacts?|ones))?`;
const ITS = String.raw`(?:(?:the|his|her|their|its|(?<owner>\p{L}[\p{L}-]+(?:\s+\p{Lu}[\p{L}-]+)?)['’]?s)\s+)?`;
const MOVES = (['blocked', 'allowed'] as const).map((from) => ({
  from,
  pattern: new RegExp(
    String.raw`\b(?:from|off|out\s+of)\s+${ITS}(?:(?:call|text|message|sms)s?\s+)?${LISTED[from]}${NOUN}\s+(?:on)?to\s+${ITS.replace('owner', 'other')}(?:(?:call|text|message|sms)s?\s+)?${LISTED[from === 'blocked' ? 'allowed' : 'blocked']}\w*`,
    'iu',
  ),
}));
const WRITTEN = /\+?\(?\d[\d().\s-]{8,16}\d/gu;
const OF = /\b(?:for|of|on)\s+(?<line>(?:[#…*]*(?<!\d)\d{4}(?!\d)|\p{L}[\p{L}-]+(?:\s+\p{Lu}[\p{L}-]+)?))/iu;
const NO_OWNER = /^(?:the|his|her|their|its|him|them|it|me|us|now|good)$/iu;

/** The two changes of such a move. Undefined for other sentences. */
export function ofListMove(text: string, alone: (text: string) => GuidedAnswer): GuidedAnswer | undefined {
  const found = MOVES.map(({ from, pattern }) => ({ from, match: pattern.exec(text) })).find(({ match }) => match);
  const numbers = text.match(WRITTEN)?.map((one) => one.trim()) ?? [];
  if (!found?.match || numbers.length === 0 || /\?\s*$|\b(?:not|never|dont)\b|n['’]t\b/iu.test(text)) return undefined;
  const rest = text.replace(found.match[0], ' ').replace(WRITTEN, ' ');
  const { owner, other = owner } = found.match.groups ?? {};
  const named = other ?? OF.exec(rest)?.groups?.line;
  const whose = named === undefined || NO_OWNER.test(named) ? undefined : named;
  if (whose === undefined) return undefined;
  const isTexts = /\b(?:texts?|texting|sms|messages?|contacts?)\b/iu.test(text);
  const [what, reach] = isTexts ? ['texts from ', 'text'] : ['', 'call'];
  const all = numbers.join(' and ');
  const orders =
    found.from === 'blocked'
      ? [`unblock ${what}${all} for ${whose}`, `allow ${all} to ${reach} ${whose}`]
      : [`take ${all} off the ${isTexts ? 'text ' : ''}allow list of ${whose}`, `block ${what}${all} for ${whose}`];
  const [first, second] = orders.map(alone);
  if (!first || !second || [first, second].some(({ kind }) => kind === 'help' || kind === 'lookup')) return undefined;
  const told = `${first.understood.replace(/\.$/, '')}; each list is changed by itself.`;
  return { ...first, understood: told, also: [second] };
}
