import { carriers } from '../../../../tools/surfaces/words.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf, soleMember } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { Word } from '../../../language/sentence.ts';
import { kindOf } from '../../../language/typed-values.ts';
import type { Fields } from '../../../lib/json.ts';
import { accountNamed } from './accounts.ts';
import { type Details, detailsIn, PRICED } from './named-values.ts';
import { eventsNamed } from './webhook-events.ts';

/* Names in a sentence: of people, and of records such as plans and routes. */

const MAX_NAME_WORDS = 3;
/** Words of a clause that reports something about a person: "she is in hospital". */
const PRONOUNS: ReadonlySet<string> = new Set(['he', 'she', 'they', 'we', 'i']);
/** Maximum number of words of a message that is only a name, perhaps in lower case. */
const SHORT = 4;
/** Words before a name in lower case. */
const BEFORE_NAME: ReadonlySet<string> = new Set(
  'for of by to both let everything think guess believe suspect call text ring reach called named about customer subscriber user client find up who does can cannot did has calling texting messaging bothering reaching contacting spamming harassing pestering annoying scamming harasses spams bothers pesters calls texts'.split(
    ' ',
  ),
);
/** Words after a name that begins a clause in lower case: "ben keeps getting spam". */
const AFTER_SUBJECT: ReadonlySet<string> = new Set(
  'only keeps gets got is has had says said cannot wont needs wants lost does did still just never wanted asks asked called texted wrote blocked cancelled changed approved must should may block moves leaves goes switches moved lives relocated portout hears heard sees saw runs ran complains complained reports reported came comes pays paid forgot broke bought receives received trouble dropped ordered upgraded called-in emailed thinks claims hates loves used uses'.split(
    ' ',
  ),
);
/** Words for the phone on which a customer is. */
const ON_PHONE: ReadonlySet<string> = new Set(['line', 'phone']);
/** Words before a clause that may begin with a name. */
const BEFORE_SUBJECT: ReadonlySet<string> = new Set(
  'that if whether because says said but what everything anything whatever'.split(' '),
);
/** Verbs that no name follows. */
const NO_OBJECT: ReadonlySet<string> = new Set('create new what which more fresh trouble no stop'.split(' '));
/** Words by which people call the records of a field, if they are not its noun. */
export const CALLED: Readonly<Record<string, readonly string[]>> = {
  package: ['package', 'plan', 'bundle', 'tariff'],
  'message route': ['route', 'textroute'],
  'voice route': ['route', 'callroute'],
};

/** The words, with the first words in a row that may be a person's name marked as one. */
export function withPeople(words: readonly Word[], newName = ''): Word[] {
  // The new name follows "to", and may repeat a part of the present one.
  const to = words.findLastIndex(({ plain }) => plain === 'to' || plain === 'as');
  const isNew = (word: Word, at: number) => at > to && newName.split(' ').includes(word.typed);
  const isOther = (word: Word, at: number) => isNew(word, at) || isRecordName(at, words);
  const first = words.findIndex((word, at) => mayBeName(word, at, words) && !isOther(word, at));
  if (first < 0) return [...words];
  // "Is ava stone's line on hold": a first name right before the owner.
  const before = words[first - 1];
  const isFirstName =
    isOwner(words[first]) && before?.isUnknown === true && before.plain.length > 1 && !isOwner(before);
  const start = isFirstName && !isOther(before, first - 1) ? first - 1 : first;
  // "Ben accidentally blocked": an adverb is no surname.
  const isEnd = (word: Word, at: number) =>
    !word.isUnknown ||
    /^\p{Ll}{6,}ly$/u.test(word.typed) ||
    isOwner(words[at - 1]) ||
    (AFTER_SUBJECT.has(word.plain) && word.plain !== 'block');
  const end = words.findIndex((word, at) => at > start && isEnd(word, at));
  const stop = Math.min(end < 0 ? words.length : end, start + MAX_NAME_WORDS);
  const named = (word: Word, at: number) => (at >= start && at < stop ? { ...word, things: [PERSON] } : word);
  // "Ava and Ben"
  const also = new Set<number>();
  words.forEach((word, at) => {
    const isNext = words[at - 1]?.plain === 'and' || (also.has(at - 1) && /^\p{Lu}/u.test(word.typed));
    if (at > stop && isNext && word.isUnknown && !isOther(word, at) && word.plain.length > 1) also.add(at);
  });
  return words.map((word, at) => (also.has(at) ? { ...word, things: [FURTHER] } : named(word, at)));
}

/** True for a word that names the record after it: "starter" in "the starter plan". */
function isRecordName(at: number, words: readonly Word[]): boolean {
  if (isOwner(words[at])) return false;
  const next = words.slice(at + 1).find(({ isUnknown }) => !isUnknown);
  return isRecordNoun(next);
}

/** True for the noun of a record that has a name. Roaming is a feature itself: in "give ava roaming" it is nobody's noun. */
export function isRecordNoun(word: Word | undefined): boolean {
  return word !== undefined && word.plain !== 'roaming' && word.things.some((thing) => RECORDS.has(thing));
}

/** Records that have names. */
export const RECORDS: ReadonlySet<string> = new Set(['package', 'product', 'route', 'workgroup', 'feature', 'webhook']);

/** A name as `words.ts` reads it, and a second one. */
export const PERSON = 'person';
export const FURTHER = 'further person';

/**
 * True for an unknown word with a capital letter, in a short text, or after a word such as "for" or a verb. An unknown
 * word elsewhere is no name.
 */
function mayBeName(word: Word, at: number, words: readonly Word[]): boolean {
  const before = words[at - 1];
  // A number is ported from a carrier.
  const isFrom = words.slice(0, at).some(({ plain }) => plain === 'from') && before?.plain !== 'for';
  if (isFrom && words.some(({ acts }) => acts.includes('portin'))) return false;
  // "Who placed it"
  if (before?.plain === 'who' && !/^\p{Lu}/u.test(word.typed)) return false;
  // "Losing it" reports: a participle is a name only with a capital letter.
  const isSought = before?.acts.includes('find') || ['who', 'for', 'of', 'by'].includes(words[at - 1]?.plain ?? '');
  const isAsked = words[at - 2]?.plain === 'who' && before?.plain === 'is';
  if (/^\p{Ll}{3,}ing$/u.test(word.typed) && !isSought && !isAsked) return false;
  // One letter is a part of something else: "12h".
  return (
    word.isUnknown &&
    word.plain.length > 1 &&
    (/^\p{Lu}/u.test(word.typed) ||
      isOwner(word) ||
      // "Ava stone's address"
      (at === 0 && words[1]?.isUnknown === true && isOwner(words[1])) ||
      (words.length <= SHORT && !words.some(({ plain }) => PRONOUNS.has(plain))) ||
      ((before === undefined || BEFORE_SUBJECT.has(before.plain)) && isSubject(at, words)) ||
      BEFORE_NAME.has(before?.plain ?? '') ||
      // "0101 and ben"
      (before?.plain === 'and' && words[at - 2]?.plain === 'number') ||
      (before !== undefined && before.acts.length > 0 && !NO_OBJECT.has(before.plain)))
  );
}

/** True for a name of one or two words before a verb, also in "ben and ava both cannot call" and "ben is on the phone". */
function isSubject(at: number, words: readonly Word[]): boolean {
  const [next, second, third] = [words[at + 1], words[at + 2], words[at + 3]];
  if (next?.plain === 'and' && second?.isUnknown === true)
    return third?.plain === 'both' || AFTER_SUBJECT.has(third?.plain ?? '');
  const after = next?.isUnknown === true ? words.slice(at + 2) : words.slice(at + 1);
  if (after[0]?.plain === 'on' && after[1]?.plain === 'the' && ON_PHONE.has(after[2]?.plain ?? '')) return true;
  return AFTER_SUBJECT.has((next?.isUnknown === true ? second : next)?.plain ?? '');
}

function isOwner(word: Word | undefined): boolean {
  return /['’]s$/.test(word?.typed ?? '');
}

/** The names in the first of these clauses that has any. */
export function peopleIn(...clauses: readonly (readonly Word[])[]): string[] {
  for (const words of clauses) {
    const names: string[] = [];
    words.forEach(({ things, typed }, at) => {
      if (!things.includes(PERSON) && !things.includes(FURTHER)) return;
      const name = typed.replace(/['’]s$/, '');
      const isSame = words[at - 1]?.things[0] === things[0] && names.length > 0;
      names.push(isSame ? `${names.pop()} ${name}` : name);
    });
    if (names.length > 0) return names;
  }
  return [];
}

/** The records that a sentence names before their noun: "the starter plan" is the package "starter". */
function namedRecords(tool: Tool, words: readonly Word[]): Fields {
  const found: Fields = {};
  for (const field of fieldsOf(tool)) {
    const name = field.kind === 'id' ? (nameBefore(words, field) ?? nameAfter(words, field)) : undefined;
    if (name !== undefined) found[field.name] = name;
  }
  return found;
}

function nameBefore(words: readonly Word[], field: Field): string | undefined {
  const noun = kindOf(field)?.noun;
  // Beside a port-in, "account" is that of the other carrier.
  if (noun === undefined || ['subscriber', 'product', 'account'].includes(noun)) return undefined;
  const nouns = CALLED[noun] ?? [noun];
  // Of "from family plan to starter plan", the last one is what is asked for.
  const at = words.findLastIndex(({ plain }) => nouns.some((one) => plain === one || plain === `${one}s`));
  if (at < 0) return undefined;
  const before: string[] = [];
  for (let i = at - 1; i >= 0 && at - i <= MAX_NAME_WORDS; i -= 1) {
    const word = words[i];
    if (!word?.isUnknown || /['’]s$/.test(word.typed)) break;
    before.unshift(word.typed);
  }
  return before.length === 0 ? undefined : before.join(' ');
}

/** The name after "to" in "change ava's plan to starter". */
function nameAfter(words: readonly Word[], field: Field): string | undefined {
  const nouns = CALLED[kindOf(field)?.noun ?? ''] ?? [];
  const at = words.findIndex(({ plain }) => nouns.includes(plain));
  const to = words.findIndex(({ plain }, i) => i > at && plain === 'to');
  if (at < 0 || to < 0) return undefined;
  const start = words.findIndex(({ plain }, i) => i > to && plain !== 'the' && plain !== 'our');
  const after = start < 0 ? [] : words.slice(start);
  // After "calls of number should go to", a name is that of a route.
  const isRoute = ['callroute', 'textroute'].includes(words[at]?.plain ?? '') && words[at + 1]?.plain === 'number';
  const isOther = (thing: string) => !isRoute || (thing !== PERSON && thing !== FURTHER);
  const end = after.findIndex(({ isUnknown, things }) => !isUnknown || things.some(isOther));
  const name = after.slice(0, end < 0 ? undefined : end).slice(0, MAX_NAME_WORDS);
  return name.length === 0 ? undefined : name.map(({ typed }) => typed).join(' ');
}

/** The new name in "change her name to Ava Reed", or the name of a new record: "a package called Family Plus". */
export function newNameIn(text: string): string | undefined {
  for (const pattern of NEW_NAMES) {
    const found = pattern.exec(text)?.groups?.name;
    if (found !== undefined) return found;
  }
  return undefined;
}

const CAPITALS = `(?<name>\\p{Lu}[\\p{L}\\p{M}\\d'’&+-]*(?:\\s+(?:(?:&|and)\\s+(?=\\p{Lu}))?(?!\\d{4}\\b|${PRICED})[\\p{Lu}\\d][\\p{L}\\p{M}\\d'’&+-]*){0,3})`;
const CALLER_NAME = '(?:[Cc]aller[\\s-]*(?:[Ii][Dd]|[Nn]ame)(?:\\s+name)?|[Cc][Nn][Aa][Mm]|[Dd]isplay\\s+name)';
const NEW_NAMES = [
  // "The caller name Oak & Pine", "caller name of 0103 and 0105: Oak & Pine"
  new RegExp(
    `\\b${CALLER_NAME}(?:\\s+(?:(?:of|for|on)\\s+)?(?:number|line|and|[\\d\\s,&+#…-])+)?\\s*(?:[:=–-]+>?|,|\\b(?:(?:is|to|as|now|with|should|must|has\\s+to)\\s+)?(?:(?:be|reads?|say|shows?|display)\\b)?)?\\s*${CAPITALS}`,
    'u',
  ),
  new RegExp(`\\b(?:shows?|shown|showing|appears?|displays?|displayed)\\s+(?:up\\s+)?as\\s+${CAPITALS}`, 'u'),
  new RegExp(
    `\\b(?:[Cc]reate|[Mm]ake|[Aa]dd|[Nn]ew|[Ss]et\\s+up|[Bb]uild|[Oo]pen|[Dd]efine|[Nn]eed)\\s+(?:(?:an?|the|another|new|monthly|data|voice|message|text|sms|esim|sip)\\s+)*(?:package|plan|bundle|product|feature|route|workgroup|account)\\s*[:,]?\\s+${CAPITALS}`,
    'u',
  ),
  new RegExp(`\\b(?:[Rr]ename|[Nn]ame|[Cc]aller\\s+[Ii][Dd]|[Cc][Nn][Aa][Mm])\\b.*?\\s(?:to|as)\\s+${CAPITALS}`, 'u'),
  // A name in lower case is one only at the end of a sentence that renames something.
  /\b(?:rename|change\s+(?:(?:the|\p{L}+)\s+|\p{L}+['’]s\s+){0,3}name)\b.*\sto\s+(?<name>\p{L}[\p{L}\p{M}\d'’&-]*(?:\s+\p{L}[\p{L}\p{M}\d'’&-]*){0,3})\s*[.!]?$/iu,
  new RegExp(`\\b(?:called|named)\\s+${CAPITALS}`, 'u'),
  new RegExp(
    `(?:^\\W*|[,;:]\\s*|\\band\\s+)(?:the\\s+)?[Nn]ame\\s*(?:(?:is|should\\s+be|must\\s+be)\\b|[:=])?\\s+${CAPITALS}`,
    'u',
  ),
  new RegExp(`\\bname\\b[^.!?]*?[,:]\\s*(?:it\\s*['’]?\\s*i?s|should\\s+be)\\s+${CAPITALS}`, 'u'),
  new RegExp(`\\bnew\\s+name\\s*(?:is|:)\\s*${CAPITALS}`, 'u'),
  new RegExp(`\\b(?:should|must|has\\s+to)\\s+(?:now\\s+)?(?:read|say|show|be|display)\\s+${CAPITALS}`, 'u'),
];

/** The names in a sentence, for the fields of an operation. */
export interface Named {
  words: readonly Word[];
  said: string;
  people: readonly string[];
  /** The things of the sentence's family. */
  things: string;
  /** The only number or last digits of the sentence. */
  number: string | undefined;
  details: Details;
}

/** The person, the records and the new name that a sentence names, in the fields of ids and names. */
export function recordsNamed(tool: Tool, { words, said, people, things, number, details }: Named): Fields {
  const fields = fieldsOf(tool);
  const [person] = people;
  const to = fields.find(({ name, kind }) => name === 'To' && kind === 'rows');
  const isOf = (noun: string) => (field: Field) => kindOf(field)?.noun === noun;
  const subscriber = fields
    .filter(isOf('subscriber'))
    .find(
      ({ name, required }) =>
        required || (name.startsWith('Assigned') && (!NOT_ASSIGNED.test(things) || isPortedFor(tool, said, person))),
    );
  const line = fields.filter(isOf('line')).find(({ required }) => required);
  // Orders and subscriptions have no names: people know them by their number or their customer.
  const nameless = fields.find((field) => field.required && (isOf('order')(field) || isOf('subscription')(field)));
  const knownBy = number ?? (nameless && isOf('order')(nameless) ? undefined : person);
  const whole = details.name ?? newNameIn(said);
  // "A plan called Weekend 5 dollars a month"
  const isOnce = said.split(String(details.price)).length < 3;
  const name =
    details.price === undefined || !isOnce ? whole : whole?.replace(new RegExp(`\\s+\\$?${details.price}$`), '');
  // People know a product by its description.
  const isProduct = tool.id.startsWith('products_');
  const isPerson = tool.id === NEW_SUBSCRIBER || tool.id === 'account_create';
  const named = name ?? (isPerson ? person : tool.id === 'products_create' ? amountIn(said) : undefined);
  // The quotation of "change the workgroup Support, announcement “…”" is no name.
  const spoken = /\bannouncement\b/iu.test(said)
    ? fields.find((field) => field.name === 'AnnouncementText')
    : undefined;
  const nameField =
    spoken ?? fields.find((field) => (isProduct ? field.name === 'Description' : NAME_FIELDS.includes(field.name)));
  // The name on a bill at the other carrier may be that of the customer.
  const isNew = (person: string | undefined) => nameField !== undefined && person === name;
  return {
    ...(nameless && knownBy !== undefined ? { [nameless.name]: knownBy } : {}),
    ...namedRecords(tool, words),
    ...soleRoutes(tool, said),
    ...detailsIn(tool, details),
    // Several receivers; a single one is searched before.
    ...(to && people.length > 1
      ? { [to.name]: people.map((name) => ({ [soleMember(to)?.name ?? 'Number']: name })) }
      : {}),
    ...(subscriber && person !== undefined && !isNew(person) && !isHolderOf(tool, said, person)
      ? { [subscriber.name]: holderIn(tool, said, person) ?? person, ...(line && { [line.name]: number ?? person }) }
      : {}),
    ...packageAfter(fields, said, { number, person }),
    ...accountIn(tool, fields, said, person === name ? undefined : person),
    ...(tool.id === 'webhook_create' ? { SubscribedEvents: eventsNamed(tool, said) } : {}),
    ...carrierIn(fields, words),
    ...(named === undefined || !nameField ? {} : { [nameField.name]: named }),
    ...(named !== undefined && things.includes('cnam') ? callerName(fields, named) : {}),
  };
}

/** "Change ben's line to mvno": the line is his already, and is found by his name. */
function isHolderOf(tool: Tool, said: string, owner: string): boolean {
  if (tool.id !== 'numbers_update' || holderIn(tool, said, owner) !== undefined) return false;
  const plain = owner.replace(/[^\p{L}\p{M} ]/gu, '.');
  const pattern = `\\b${plain}(?:['’]?s)?\\s+(?:line|number|phone)\\b|\\b(?:line|number|phone)\\s+of\\s+${plain}\\b`;
  return new RegExp(pattern, 'iu').test(said);
}

/** "Give ben's number to ava": the second person gets the line of the first. */
function holderIn({ id }: Tool, said: string, owner: string): string | undefined {
  if (id !== 'numbers_update') return undefined;
  const plain = owner.replace(/[^\p{L}\p{M} ]/gu, '.');
  const pattern = `\\b(?:give|assign|reassign|transfer|hand|move)\\s+(?:the\\s+)?${plain}['’]?s\\s+(?:line|number|phone)\\s+(?:over\\s+)?to\\s+(?!the\\b|an?\\b|our\\b|another\\b)(?<name>\\p{L}[\\p{L}'’-]+(?:\\s+(?!please\\b|pls\\b|now\\b)\\p{L}[\\p{L}'’-]+)?)\\s*(?:please|pls|now)?\\s*[.!]*$`;
  return new RegExp(pattern, 'iu').exec(said)?.groups?.name;
}

/** The amount that a product gives, in a list of its values: "500 sms per month". */
function amountIn(said: string): string | undefined {
  return /(?:^|[,:;])\s*(?<what>\d[\d.]*\s*(?:sms|texts?|messages?|minutes?|mins?|calls?|gb|mb)\b[^,:;.!?]{0,60})/iu
    .exec(said)
    ?.groups?.what?.trim();
}

/** "0110 has no owner, put it on Ava" */
const OWNERLESS =
  /\b(?:no|without|lacks?|missing|needs?)\s+(?:an?\s+|any\s+)?(?:owner|holder|subscriber|customer|user|person)\b|\b(?:orphan\w*|unassigned|ownerless|belongs\s+to\s+(?:no\s?body|no\s+one))\b/iu;

/** "Put 0101 on Starter": a number is given to a person, and put on a plan. */
export function isPutOn({ id }: Tool, said: string, person: string): boolean {
  if (OWNERLESS.test(said)) return false;
  const name = person.replace(/[^\p{L}\p{M}\d ]/gu, '.');
  const place = `(?:\\bput\\b.*\\bon(?:to)?|\\b(?:switch|change|migrate|convert|swap)\\b.*\\b(?:to|onto|on))`;
  return id === 'numbers_update' && new RegExp(`${place}\\s+(?:the\\s+)?${name}\\b(?!['’]s)`, 'iu').test(said);
}

/** "Subscribe 0101 to Starter": the package, and whose line gets it. */
function packageAfter(
  fields: readonly Field[],
  said: string,
  { number, person }: { number?: string | undefined; person?: string | undefined },
): Fields {
  const field = fields.find((one) => one.required && kindOf(one)?.noun === 'package');
  const owner = fields.find((one) => one.required && kindOf(one)?.noun === 'subscriber');
  if (!field || !owner || NAMES_PACKAGE.test(said)) return {};
  const name = /\b(?:to|onto|on)\s+(?:the\s+)?(\p{L}[\p{L}\d'’+-]*(?:\s+\p{Lu}[\p{L}\d+-]*)?)\s*(?:$|[,.;!?])/u.exec(
    said,
  )?.[1];
  const whose = name === person ? number : (number ?? person);
  // "Subscribe 0101 and 0103 to Starter": no person is named.
  if (name !== undefined && name === person && whose === undefined)
    return { [field.name]: name, [owner.name]: undefined };
  if (name === undefined || whose === undefined || whose === name) return {};
  const line = fields.find((one) => one.required && kindOf(one)?.noun === 'line');
  return { [field.name]: name, [owner.name]: whose, ...(line && { [line.name]: whose }) };
}

const NAMES_PACKAGE = /\b(?:package|plan|bundle|tariff)s?\b/i;

/** The account of a new subscriber ("under Acme"), or the one that gets another name. */
function accountIn({ id }: Tool, fields: readonly Field[], said: string, person: string | undefined): Fields {
  const renamed =
    id === 'account_update' ? (RENAMED.exec(said)?.groups?.name ?? accountNamed(said) ?? person) : undefined;
  if (renamed !== undefined) return { AccountId: renamed };
  const takes = id === NEW_SUBSCRIBER || id === 'subscriptions_features_add';
  const field = takes ? fields.find((one) => kindOf(one)?.noun === 'account') : undefined;
  const name =
    /\b(?:under|within|in|for|at|of|to(?=[^,.;!?]*:))\s+(?:the\s+)?(?:account\s+)?(?!the\b|an?\b|account\b|system\b|books\b|subscriber\b)(\p{L}[\p{L}\d&'’-]*(?:\s+\p{Lu}[\p{L}\d&'’-]*)*)(?:\s+account)?\s*(?:$|[,.;:!?]|as\b)/u.exec(
      said,
    )?.[1];
  return field && name !== undefined && !CARRIERS.has(name.toLowerCase()) ? { [field.name]: name } : {};
}

const RENAMED =
  /\baccount\s+(?:name\s+)?(?:of\s+|called\s+)?(?<name>(?!(?:name|to|of|called)\b)\p{L}[\p{L}\d&'’-]*(?:\s+(?!(?:to|as)\b)\p{L}[\p{L}\d&'’-]*){0,3})\s+(?:to|as|into)\s/iu;

/** Things of a number that are changed without giving it to the person whom the sentence names. */
const NOT_ASSIGNED = /\b(?:cnam|sim|route|portin)\b/;

/** "Port in +1… for Ben": the customer who gets the line. */
function isPortedFor({ id }: Tool, said: string, person: string | undefined): boolean {
  if (id !== 'numbers_portin' || person === undefined) return false;
  return new RegExp(
    `\\b(?:for|customer|subscriber|client)\\s+(?:(?:our|the|a|new|customer|subscriber|client)\\s+)*${person.replace(/[^\p{L}\p{M} ]/gu, '.')}(?!['’\\p{L}])`,
    'iu',
  ).test(said);
}

/** Operations that give a line its routes. */
const GIVES_ROUTES: ReadonlySet<string> = new Set(['numbers_provision', 'numbers_update']);
const BY_KIND = [
  [
    'VoiceRouteId',
    /(?<!\b(?:from|off|of|not)\s+)\b(?:the|our|that)\s+(?<name>(?:sip\s+|voice\s+)?trunk)\b(?!\s*[12]\b)/iu,
  ],
  ['MessageRouteId', /(?<!\b(?:from|off|of|not)\s+)\b(?:the|our|that)\s+(?<name>(?:sms|text|message)\s+route)\b/iu],
] as const;

/** A route that a sentence calls by its kind alone, "the sip trunk": surfaces find it where there is only one. */
function soleRoutes({ id }: Tool, said: string): Fields {
  if (!GIVES_ROUTES.has(id) || /\b(?:other|another|new|different)\s+(?:\p{L}+\s+)?(?:route|trunk)\b/iu.test(said))
    return {};
  return Object.fromEntries(
    BY_KIND.flatMap(([field, pattern]) => {
      const name = pattern.exec(said)?.groups?.name;
      return name === undefined ? [] : [[field, name.replace(/^voice\s+/iu, '')]];
    }),
  );
}

/** The carrier that a sentence names, for the field of the carrier that has the number now. */
function carrierIn(fields: readonly Field[], words: readonly Word[]): Fields {
  const field = fields.find(({ name }) => name === 'CurrentCarrierName');
  const name = field && carrierNamed(words);
  return field && name !== undefined ? { [field.name]: name } : {};
}

/** A carrier that is known, or the words after "from" and "carrier": "Lakeside Wireless", "mint". */
export function carrierNamed(words: readonly Word[]): string | undefined {
  const isName = (word: Word | undefined) =>
    word !== undefined && (CARRIERS.has(word.plain) || CARRIER_WORDS.has(word.plain) || isFree(word));
  const before = (at: number) =>
    words[at - 1]?.plain === 'is' || words[at - 1]?.plain === 'the' ? words[at - 2] : words[at - 1];
  const start = words.findIndex(
    (word, at) =>
      CARRIERS.has(word.plain) || (isFree(word) && ['from', 'carrier', 'provider'].includes(before(at)?.plain ?? '')),
  );
  if (start < 0) return undefined;
  const end = words.findIndex((word, at) => at > start && !isName(word));
  const name = words.slice(start, end < 0 ? undefined : end).slice(0, MAX_NAME_WORDS);
  return name.map(({ typed }) => typed.replace(/['’]s$/, '').replace(/^at-?t$/i, 'AT&T')).join(' ');
}

function isFree({ isUnknown, plain, things }: Word): boolean {
  return isUnknown && plain.length > 1 && !things.includes(PERSON) && !things.includes(FURTHER);
}

const CARRIERS: ReadonlySet<string> = new Set(carriers);
/** Words that belong to the name of a carrier behind another word. */
const CARRIER_WORDS: ReadonlySet<string> = new Set(
  'wireless mobile telecom telephone communications cellular networks fiber usa'.split(' '),
);

/** A caller name in its two fields. */
function callerName(fields: readonly Field[], name: string): Fields {
  const [first = '', ...rest] = name.split(' ');
  const parts = { CnamFirstName: first, ...(rest.length > 0 && { CnamLastName: rest.join(' ') }) };
  return Object.fromEntries(Object.entries(parts).filter(([part]) => fields.some((field) => field.name === part)));
}

const NEW_SUBSCRIBER = 'subscribers_create';

/** Members that name a record, in operations that create or rename it. */
export const NAME_FIELDS: readonly string[] = [
  ...['Name', 'PackageName', 'RouteName', 'FeatureName', 'AccountName', 'SubscriberName'],
];
