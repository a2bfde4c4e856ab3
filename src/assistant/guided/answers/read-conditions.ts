import { recordKinds } from '../../../../tools/surfaces/records.ts';
import type { Narrow } from '../../../language/narrow.ts';
import { DAY_MS, HOUR_MS } from '../../../lib/clock.ts';
import { NUMBER_WORDS } from '../facts/amounts.ts';
import type { Since } from '../facts/since.ts';
import type { Asked } from '../facts/stance.ts';
import { timeSaid } from '../facts/times.ts';
import type { GuidedAnswer } from './answer.ts';
import { NOT_SENT } from './follow-ups.ts';

/*
 * Conditions of a read whose operation takes none of them, and whose rows have the member that decides: the time, the
 * direction and the text of a message, and the record that a change is about. A surface leaves the other rows out.
 */

const MESSAGES = 'message_search_get';

/** A condition with the words that say it. */
type Condition = Partial<Narrow> & { said: string };

/** The read with the conditions of the sentence that its rows can be narrowed by. */
export function withReadConditions(guided: GuidedAnswer, asked: Asked): GuidedAnswer {
  const [own, ...also] = [guided, ...(guided.also ?? [])].map((one) =>
    narrowedBy(withCount(one, asked), conditionsOn(one, asked)),
  );
  return !own || guided.also === undefined ? (own ?? guided) : { ...own, also };
}

const LATEST = '(?:last|latest|newest|(?:most\\s+)?recent)';
const COUNT = `(?<count>\\d{1,3}|${Object.keys(NUMBER_WORDS).join('|')})`;
const TEXTS =
  '(?:(?:sent|received|incoming|outgoing|inbound|outbound)\\s+)?(?:texts?|sms(?:es)?|messages?|msgs?|mms)\\b';
/** "The last 5 messages", "the 10 latest texts" */
const LAST_FEW = [`${LATEST}\\s+${COUNT}\\s+${TEXTS}`, `${COUNT}\\s+${LATEST}\\s+${TEXTS}`].map(
  (pattern) => new RegExp(`(?<![\\p{L}\\d+-])${pattern}`, 'iu'),
);
/** Most messages of one answer of the platform. */
const MOST_MESSAGES = 100;

/** The list of messages with how many of the latest are wanted: the platform lists the newest first. */
function withCount(guided: GuidedAnswer, { said }: Asked): GuidedAnswer {
  if (guided.kind !== 'lookup' || guided.operation !== MESSAGES || guided.isInstead) return guided;
  const typed = LAST_FEW.map((pattern) => pattern.exec(said)?.groups?.count).find((one) => one !== undefined);
  const count = typed === undefined ? 0 : Number(NUMBER_WORDS[typed.toLowerCase()] ?? typed);
  return !Number.isInteger(count) || count < 1 || count > MOST_MESSAGES
    ? guided
    : { ...guided, input: { ...guided.input, Results: count } };
}

/** The answer with more of what it is narrowed to. */
export function narrowedBy(guided: GuidedAnswer, conditions: readonly Condition[]): GuidedAnswer {
  if (conditions.length === 0) return guided;
  const said = [guided.narrow?.said, ...conditions.map((one) => `“${one.said}”`)].filter(Boolean).join(' and ');
  const told = conditions.map((one) => `“${one.said}”`).join(' and ');
  const telling = (text: string) => `${text}${/; only “[^;]*”$/.test(text) ? ' and ' : '; only '}${told}`;
  return {
    ...guided,
    narrow: Object.assign({ kinds: [] }, guided.narrow, ...conditions, { said }),
    understood: `${telling(guided.understood.replace(/\.$/, ''))}.`,
    remarks: telling(guided.remarks ?? ''),
  };
}

function conditionsOn(guided: GuidedAnswer, asked: Asked): Condition[] {
  if (guided.isInstead || guided.isRefused) return [];
  if (guided.kind === 'lookup' && guided.operation === MESSAGES) return ofMessages(asked);
  return guided.kind === 'events' && guided.find === undefined ? ofEvents(guided, asked) : [];
}

const RECEIVED =
  /\b(?:received?|receives|incoming|inbound|(?:gets?|got|gotten)(?!\s+(?:thr(?:ough|u)|delivered|sent|there|stuck|lost|rejected|blocked|out|over|across|to)\b))\b|\b(?:came|come|coming)\s+in\b|\bsent\s+to\s+(?:(?:the\s+)?(?:line|number)\s+)?(?=[#…*]*\d|number\b)/iu;
const SENT =
  /\b(?:outgoing|outbound)\b|\b(?:went|going|go)\s+out\b|\bsent\s+(?:by|from)\b|\b(?:did|has|have|does)\s+(?:(?:line|number)\s+)?(?:[#…*]*\d{4}|\p{L}+)\s+(?:(?:already|just|ever)\s+)?(?:send|sent|write|written)\b/iu;
/** "Was the text to 0101 received": one text is asked about, from its sending on. */
const OF_ONE_SENT =
  /^\W*(?:(?:hi|hey|so|and|ok|please|pls|check|see|if|whether)[\s,]+)*(?:did|was|were|has|have|is|are)\b[^.;!]*?\b(?:texts?|sms|messages?|msgs?)\b[^.;!?]*?\bto\b/iu;
const OF_US = /\b(?:we|us|our|i|my)\b/iu;

/** The time and the direction of the messages that are asked for. */
function ofMessages({ said, facts, since, now }: Asked): Condition[] {
  const time = timeSaid(said) ?? facts.times.find(({ kind }) => kind === 'past')?.text;
  const window: Condition[] =
    since === undefined
      ? []
      : [{ ...windowOf(since, now), said: time?.replace(/^(?:from|for|of)\s+/i, '') ?? since.text }];
  // The line of a customer receives what we send.
  const [received, sent] =
    OF_US.test(said) || OF_ONE_SENT.test(said) ? [] : [RECEIVED.exec(said)?.[0], SENT.exec(said)?.[0]];
  if (received !== undefined && sent === undefined) window.push({ direction: 'in', said: 'received' });
  if (sent !== undefined && received === undefined) window.push({ direction: 'out', said: 'sent' });
  // "Any messages to 0104 that bounced"
  const lost = OF_LOST.test(said) ? NOT_SENT.exec(said)?.[0] : undefined;
  if (lost !== undefined) window.push({ outcome: 'failed', said: lost });
  return window;
}

/** Asks which messages were lost, and does not report that they are. */
const OF_LOST =
  /^\W*(?:(?:hi|hey|so|and|ok|please|pls)[\s,]+)*(?:any|which|what|show|list|are|were|is|was|did|have|has|all|failed|undelivered|rejected|bounced|how\s+many)\b/iu;

/** The time in ISO, for rows that are compared with it. */
export function windowOf({ value, until }: Since, now: number): Pick<Narrow, 'since' | 'until'> {
  const [, count, unit] = /^(\d+)([hd])$/.exec(value) ?? [];
  const since =
    unit === undefined ? value : new Date(now - Number(count) * (unit === 'h' ? HOUR_MS : DAY_MS)).toISOString();
  return { since, ...(until !== undefined && { until }) };
}

/** Words for the records that have a name, as people write them. Changes of a webhook have its id in place of its address. */
const NOUNS: ReadonlySet<string> = new Set(
  recordKinds
    .filter(
      ({ numbers, holder, names }) => numbers === undefined && holder === undefined && !/Url/.test(names[0] ?? ''),
    )
    .flatMap(({ noun, words = [] }) => [noun, ...words].map((one) => one.split(' ').at(-1) ?? one)),
);
const OF_TRAFFIC = /^(?:sms|mms|texts?|messages?|messaging|voice|calls?|sip)$/iu;
/** Words that are no part of the name before a record's noun. */
const NO_NAME =
  /^(?:the|our|an?|any|all|this|that|my|your|which|what|who|to|of|on|in|with|did|do|was|were|is|new|last|latest|old|other|same|edit|change|touch|\p{L}{2,}ed)$/iu;
const MOST_WORDS = 4;

/** The record that changes are about, which no search of lines finds: "who changed the main sms route". */
function ofEvents({ input }: GuidedAnswer, { said }: Asked): Condition[] {
  if (input.Only !== 'actions' || input.OrderId !== undefined || input.By !== undefined) return [];
  const words = said.match(/[\p{L}\p{M}\d][\p{L}\p{M}\d'’-]*/gu) ?? [];
  const ends = words.flatMap((word, at) => (NOUNS.has(word.toLowerCase().replace(/(?<=[^s])s$/u, '')) ? [at] : []));
  // "The route change on main sms route": only the second noun has a name.
  const name = ends.map((end) => nameBefore(words, end)).find((one) => !one.every((word) => OF_TRAFFIC.test(word)));
  return name === undefined ? [] : [{ about: name.join(' '), said: name.join(' ') }];
}

function nameBefore(words: readonly string[], end: number): string[] {
  const before = words.slice(Math.max(0, end - MOST_WORDS), Math.max(0, end));
  const start = before.findLastIndex((word) => NO_NAME.test(word)) + 1;
  return before.slice(start).map((word) => word.replace(/['’]s$/u, ''));
}
