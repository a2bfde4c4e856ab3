import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { AskedValue } from '../../../language/asked-values.ts';
import type { Fields } from '../../../lib/json.ts';
import { scopesIn } from '../answers/account-scope.ts';
import { answer, type GuidedAnswer } from '../answers/answer.ts';
import type { Asked } from '../facts/stance.ts';

/*
 * A question of one field of a record: "what's the callback URL on the SMS route", "is trunk 1 still enabled". The fields
 * are those of the operations that make and change the record, and surfaces say their values before the record.
 */

/** The reads of records, with the operations that know their fields. */
const FIELDS_OF: readonly (readonly [reads: RegExp, operations: readonly string[]])[] = [
  [/^(?:account_)?message_routes_get$/, ['message_routes_create']],
  [/^(?:account_)?voice_routes_get$/, ['voice_routes_create']],
  [/^(?:account_webhooks|webhook)_get$/, ['webhook_create', 'webhook_update']],
  [/^(?:account_products|products)_get$/, ['products_create']],
  [/^(?:distributor_subscribers|subscribers)_get$/, ['subscribers_create']],
];
const ASKS =
  /^\W*(?:(?:hi|hey|ok|so|and|also|please|pls|can|could|you|tell|me|show|check|on|the|i|need|to|know)[\s,]+)*(?:what(?:['’]?s)?|which|where(?:['’]?s)?|who(?:['’]?s)?|is|are|does|do|has|have|how)\b/iu;
/** Words of labels that say which record it is, and not which field. */
const GENERAL: ReadonlySet<string> = new Set(
  'message voice call route webhook subscriber product package enabled enable sms a an the of or to is id type name account url'.split(
    ' ',
  ),
);
/** Words of people for those of labels. */
const SAID: Readonly<Record<string, string>> = {
  url: '(?:url|address|endpoint|link)',
  ip: '(?:ip|address)',
  1: '(?:1|first|primary)',
  2: '(?:2|second|secondary|backup|failover|spare)',
  email: '(?:e-?mail|mail)',
  events: 'events?',
  username: '(?:user\\s?name|user|login)',
};
const MOST = 4;

/** The answer with the fields that its question asks for. */
export function withAskedValues(
  guided: GuidedAnswer,
  { said }: Pick<Asked, 'said'>,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer {
  if (guided.kind !== 'lookup' || !ASKS.test(said)) return guided;
  const { orAccount } = guided;
  const [own, other] = [guided.operation, orAccount?.operation].map((id) => askedOf(id ?? '', said, toolOf));
  if (own) return { ...guided, values: own };
  if (!orAccount || !other) return guided;
  const record = ofLabel(orAccount, other, said);
  const tool = record && toolOf(record.operation);
  if (tool) return { ...answer('lookup', { tool, input: record.input, understood: tool.title }), values: other };
  return { ...guided, orAccount: { ...orAccount, values: other } };
}

/** "Is SIP refer on for the Acme route": a word of the field is no name, and the account is behind it. */
function ofLabel(
  { name, operation, input }: NonNullable<GuidedAnswer['orAccount']>,
  asked: readonly AskedValue[],
  said: string,
): { operation: string; input: Fields } | undefined {
  const isWord = asked.some(({ label }) => wordsOf(label).includes(name.toLowerCase()));
  const [field] = Object.keys(input);
  const scope = scopesIn(said).find((one) => one.name.toLowerCase() !== name.toLowerCase());
  return isWord && field !== undefined && scope ? { operation, input: { [field]: scope.name } } : undefined;
}

/** The fields of a record that a question asks for. Undefined if it asks for none, or for too many. */
function askedOf(id: string, said: string, toolOf: (id: string) => Tool | undefined): AskedValue[] | undefined {
  const [, operations = []] = FIELDS_OF.find(([reads]) => reads.test(id)) ?? [];
  const fields = operations.flatMap((one) => {
    const tool = toolOf(one);
    return tool ? fieldsOf(tool) : [];
  });
  const known = [...new Map(fields.filter(({ kind }) => kind !== 'id').map((field) => [field.name, field])).values()];
  const scored = known.map((field) => ({ field, score: scoreOf(field, said, known) })).filter(({ score }) => score > 0);
  const best = Math.max(0, ...scored.map(({ score }) => score));
  const asked = scored.filter(({ score }) => score === best).map(({ field }) => askedValue(field));
  return asked.length === 0 || asked.length > MOST ? undefined : asked;
}

function askedValue({ name, label, secret }: Field): AskedValue {
  return { name, label, ...(secret && { isSecret: true as const }) };
}

/** The number of words of a field's label that a question has; 0 if one is missing. */
function scoreOf({ label, choices = [] }: Field, said: string, all: readonly Field[]): number {
  const words = wordsOf(label);
  const isNumbered = /\b[12]\b/.test(said) || [SAID[1], SAID[2]].some((one) => has(said, one ?? ''));
  const needed = words.filter((word) => !GENERAL.has(word) && (isNumbered || !/^\d$/.test(word)));
  // "Password or token" is one field for both.
  const either = /(?<one>\S+) or (?<other>\S+)$/.exec(label.toLowerCase())?.groups;
  const isEither = (word: string) => either !== undefined && (word === either.one || word === either.other);
  const isAsked = (word: string) => has(said, SAID[word] ?? word);
  const isAll = needed.length > 0 && needed.every((word) => isEither(word) || isAsked(word));
  if (isAll && (either === undefined || needed.some((word) => isEither(word) && isAsked(word))))
    return needed.length + words.filter((word) => GENERAL.has(word) && has(said, SAID[word] ?? word)).length / 4;
  // "Where does it post to" needs no word of a label with "url" alone.
  const isUrl = needed.length === 0 && words.includes('url') && has(said, SAID.url ?? '');
  const [last = ''] = words.slice(-1);
  const isOnly =
    last.length > 4 && !GENERAL.has(last) && all.filter((one) => wordsOf(one.label).includes(last)).length === 1;
  const isChoice = choices.some((choice) => choice.length > 4 && has(said, `${choice.toLowerCase()}s?`));
  return isUrl || (isOnly && has(said, SAID[last] ?? last)) || isChoice ? 0.5 : 0;
}

function wordsOf(label: string): string[] {
  return label
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
}

function has(said: string, word: string): boolean {
  return new RegExp(`(?<![\\p{L}\\d])${word}(?![\\p{L}\\d])`, 'iu').test(said);
}
