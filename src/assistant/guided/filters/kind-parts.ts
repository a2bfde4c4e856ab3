import { FEATURES_SET, FILTER_LISTS, TRAFFIC, type Traffic } from '../../../../tools/surfaces/guard.ts';
import { phonesIn } from '../../../platform/dialect/phone.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import type { Meant } from '../answers/topics.ts';

/*
 * Messages of nothing but kinds of traffic after an offer of guardian filtering: "and texting", "not messages", "only for
 * messages", "both calls and texts". They add to the offer or narrow it, and ask for no list of messages.
 */

type Kind = Traffic['name'];

/** The kinds that a message names. */
interface Kinds {
  said: ReadonlySet<Kind>;
  refused: ReadonlySet<Kind>;
  isOnly: boolean;
}

const KINDS: Readonly<Record<Kind, RegExp>> = {
  calls: /^(?:call(?:s|ing|ers?)?|ring(?:s|ing)?|voice)$/u,
  messages: /^(?:text(?:s|ing)?|sms|messag(?:es?|ing)|msgs?|senders?)$/u,
};
/** The kind of traffic that a word names. */
export function kindIn(word: string): Kind | undefined {
  return TRAFFIC.find(({ name }) => KINDS[name].test(word))?.name;
}

const REFUSES = /^(?:not|without|minus|except|never|dont|don['’]t|forget|drop|skip|omit|scrap|exclude)$/u;
/** Words that say nothing beside a kind of traffic. */
const BESIDE: ReadonlySet<string> = new Set(
  `and also plus then ok okay oh yes please pls actually wait sorry sry rather better now too as well same for from to on of in with
   his her their him them the all it its that this thing things make do i mean meant thanks thx them at least go goes stop stopped about part one ones out off after
   she he they should must can may be able allowed could get gets to`.split(/\s+/),
);

/** The kinds of a message that names nothing else. Undefined for other messages, and for questions. */
function kindsIn(text: string): Kinds | undefined {
  if (text.includes('?')) return undefined;
  const [said, refused] = [new Set<Kind>(), new Set<Kind>()];
  let [isOnly, isRefused, before] = [false, false, ''];
  for (const word of text.toLowerCase().match(/[\p{L}\d'’]+|[^\s\p{L}\d'’]/gu) ?? []) {
    const kind = kindIn(word);
    // "No texts" is another order, and "no, texts" is none.
    if (kind !== undefined && before === 'no') return undefined;
    if (kind !== undefined) (isRefused ? refused : said).add(kind);
    else if (word === 'both' || word === 'either') for (const { name } of TRAFFIC) said.add(name);
    else if (REFUSES.test(word)) isRefused = true;
    else if (word === 'only' || word === 'just') isOnly = true;
    else if (word === 'but' || word === 'no') isRefused = false;
    else if (/[\p{L}\d]/u.test(word) && !BESIDE.has(word)) return undefined;
    before = word;
  }
  return said.size + refused.size === 0 ? undefined : { said, refused, isOnly };
}

/** The kinds of traffic that an offer is for. */
export function kindsOf({ operation = '', input, also = [] }: GuidedAnswer): Set<Kind> {
  if (operation === FEATURES_SET)
    return new Set(TRAFFIC.filter(({ feature }) => input[feature] !== undefined).map(({ name }) => name));
  const own = [operation, ...also.map((one) => one.operation ?? '')];
  const isOwn = ({ name, create, update }: Traffic) =>
    own.some((id) => id === create || id === update || FILTER_LISTS[id]?.traffic === name);
  return new Set(TRAFFIC.filter(isOwn).map(({ name }) => name));
}

/** The open offer for other kinds of traffic. Undefined for a message of other words. */
export function ofKinds(text: string, last: string, owner: string, guided: GuidedAnswer): Meant | undefined {
  const kinds = kindsIn(text);
  const own = kindsOf(guided);
  if (!kinds || own.size === 0) return undefined;
  const { said, refused, isOnly } = kinds;
  const wanted = new Set([...(isOnly && said.size > 0 ? [] : own), ...said].filter((kind) => !refused.has(kind)));
  if (wanted.size === 0) return { text, kind: 'back', before: last };
  const names = TRAFFIC.map(({ name }) => name).filter((name) => wanted.has(name));
  if (names.length === own.size && names.every((name) => own.has(name)))
    return {
      ...{ text, kind: 'unclear', isRead: true },
      note: `The offer is for ${names.join(' and ')} already. “${last}” is as it was`,
    };
  const isMore = [...own].every((kind) => wanted.has(kind));
  const full = orderFor(names, isMore ? names.filter((name) => !own.has(name)) : names, owner, guided);
  if (full === undefined) return undefined;
  // A list of the other kind is a further change, beside the one that is offered.
  const isBeside = isMore && said.size === 1 && guided.operation !== undefined && guided.operation in FILTER_LISTS;
  return { text: full, kind: isBeside ? 'again' : 'corrects', before: last };
}

/** The order for these kinds. `added`: those that the offer lacks. */
function orderFor(
  names: readonly Kind[],
  added: readonly Kind[],
  owner: string,
  guided: GuidedAnswer,
): string | undefined {
  const { operation = '', input } = guided;
  if (operation === FEATURES_SET) {
    const isOff = TRAFFIC.some(({ feature }) => input[feature] === false);
    return `turn ${isOff ? 'off' : 'on'} guardian filtering for ${names.join(' and ')} for ${owner}`;
  }
  const list = FILTER_LISTS[operation];
  const own = TRAFFIC.find(({ create, update }) => operation === create || operation === update);
  const field = list?.entries ?? own?.allowed ?? '';
  const numbers = phonesIn(JSON.stringify(input[field] ?? '')).join(' and ');
  if (numbers === '') return undefined;
  if (!list) {
    const verbs = names.map((name) => (name === 'calls' ? 'call' : 'text'));
    return Object.keys(input).some((name) => NOT_LISTED.has(name))
      ? undefined
      : `allow only ${numbers} to ${verbs.join(' and ')} ${owner}`;
  }
  const deed = list.list === 'blocked' ? (list.adds ? 'block' : 'unblock') : list.adds ? 'allow' : undefined;
  if (deed === 'allow')
    return `allow ${numbers} to ${(added.length === 1 ? added : names).map((name) => (name === 'calls' ? 'call' : 'text')).join(' and ')} ${owner}`;
  const nouns = (added.length === 1 ? added : names).map((name) => (name === 'calls' ? 'calls' : 'texts'));
  return deed === undefined ? undefined : `${deed} ${nouns.join(' and ')} from ${numbers} for ${owner}`;
}

/** Settings that an order for a list of numbers does not have. */
const NOT_LISTED: ReadonlySet<string> = new Set([
  'BlockLinks',
  'BlockMedia',
  'BlockInternational',
  'NotificationPhones',
]);
