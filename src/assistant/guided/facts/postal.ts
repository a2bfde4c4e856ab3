import { isUsState, stateNames } from '../../../../tools/shared/us-addresses.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import type { Fields } from '../../../lib/json.ts';

/*
 * Postal addresses of accounts and of port-in orders, in their parts. They are taken out of a sentence before it is read,
 * because their words and digits ask for nothing: "Park Ave", "97204".
 */

/** An address in a sentence. */
export interface Postal {
  /** Its parts, by the names of the fields' members. */
  parts: Readonly<Partial<Record<'Street1' | 'Street2' | 'City' | 'State' | 'Zip' | 'Country', string>>>;
  /** The words of the sentence that are its parts. */
  texts: readonly string[];
  /** The addresses that it is given for. */
  kinds: readonly ('billing' | 'mailing')[];
}

const SUFFIX =
  '(?:st|street|ave|avenue|rd|road|blvd|boulevard|ln|lane|dr|drive|way|ct|court|pl|place|hwy|highway|pkwy|parkway|sq|square|ter|terrace|cir|circle|trail|loop|row)\\b\\.?';
const WORD = String.raw`(?:\p{L}[\p{L}.'’-]*|\d+(?:st|nd|rd|th))`;
const UNIT = String.raw`(?:(?:apt|apartment|unit|suite|ste|floor|fl|room)\b\.?\s*#?\s*[\p{L}\d-]{1,6}|#\s*\w{1,6})`;
const CITY = String.raw`(?!(?:and|for|on|from|with|name|admin|account|zip|state|country|please)\b)\p{L}[\p{L}.'’-]*(?:\s+\p{L}[\p{L}.'’-]*){0,2}?`;
/** Two letters or a name of a state; any other name only after a comma. */
const STATE = String.raw`(?:\s*,?\s+(?<state>\p{L}{2}|${stateNames.map((name) => name.replaceAll(' ', String.raw`\s+`)).join('|')})(?!\p{L})|\s*,\s*(?<stateName>\p{L}{4,}(?:\s+\p{L}{4,})?))`;
const ANY_STATE = STATE.replace(/\?<\w+>/g, '?:');
const ZIP = String.raw`(?<![\w-])\d{5}(?:-\d{4})?(?![\w-])`;
const COUNTRY = String.raw`(?:USA?|U\.S\.A?\.|United\s+States(?:\s+of\s+America)?|Canada|Mexico)`;
const NUMBER = String.raw`(?<![\d-])\d{1,5}[A-Z]?`;
/** A street by its last word, or the words from a house number to the city, state and ZIP of the same address. */
const STREETS = [
  String.raw`(?<street>[Pp]\.?\s?[Oo]\.?\s*[Bb]ox\s+\d{1,6})`,
  String.raw`(?<street>${NUMBER}\s+(?:${WORD}\s+){1,4}?${SUFFIX})`,
  String.raw`(?<street>${NUMBER}\s+${WORD}(?:\s+${WORD}){0,3})(?=\s*,\s*(?:${UNIT}\s*,\s*)?${CITY}${ANY_STATE}\s+${ZIP})`,
];
const WRITTEN = STREETS.map(
  (street) =>
    new RegExp(
      String.raw`${street}(?:\s*,?\s*(?<unit>${UNIT}))?(?:\s*,?\s*(?<city>${CITY})${STATE}(?:\s*,?\s*(?<zip>${ZIP})|(?=\s*(?:$|[,.;!?]))))?(?:\s*,?\s*(?<country>${COUNTRY})(?![\p{L}]))?`,
      'iu',
    ),
);

const IS = String.raw`(?:\s+(?:of|for|on)\s+[^,.;!?]{1,90}?)?\s*(?:(?:was|is)\s+(?:wrong|incorrect)[\s,]+)?(?:[,;]\s*(?=it\b|it['’]?s\b|that\b))?(?:(?:is|was|now|it['’]?s|it|that['’]?s|that|code|should\s+be|must\s+be|to|as)\s+)*[:=]?\s*`;
const STREET_VALUE = String.raw`${NUMBER}\s+${WORD}(?:\s+(?!(?:and|city|state|zip|please|pls|not|sorry|instead)\b)${WORD}){0,4}`;
/** A part with its name before it: "zip 97209", "the country is USA". */
const NAMED = [
  ['Street1', String.raw`[Ss]treet(?:\s+(?:name|address|number|line))?`, STREET_VALUE],
  ['Zip', String.raw`[Zz][Ii][Pp](?:\s*[Cc]ode)?`, ZIP],
  ['City', '[Cc]ity', String.raw`\p{Lu}[\p{L}.'’-]*(?:\s+\p{Lu}[\p{L}.'’-]*){0,2}`],
  ['State', '[Ss]tate', String.raw`\p{Lu}{2}(?!\p{L})|\p{Lu}\p{L}{3,}`],
  ['Country', '[Cc]ountry', COUNTRY],
].map(
  ([part = '', name = '', value = '']) =>
    [part, new RegExp(String.raw`\b(?:${name})${IS}(?<value>${value})(?!\p{L})`, 'u')] as const,
);

/** The words for an address, right before it. */
const CALLED = String.raw`(?:(?:the|her|his|their|its|our|with|and|current|new)\s+)*(?:(?:billing|mailing|postal|company|business)\s+)*(?:(?:and|&)\s+mailing\s+)?add?ress(?:es)?`;
/** In a list of values, an address is one of them: its name alone would ask for a change of it. */
const IN_LIST = new RegExp(String.raw`(?:\s*[,;.]\s+|\s+and\s+|\s+with\s+)${CALLED}${IS}\uE000`, 'iu');
const HOLDS = /\baccounts?\b|\bport\w*\b|\bcustomer\b|\btransfer\w*\b|\bJNUOID-|\border\b|\badd?ress|\bcompany\b/iu;
/** One address for both: "mailing is the same", "same for mailing", "for both", "use it for mailing too". */
const SAME_ADDRESS = String.raw`(?:(?:use\s+(?:it|that|this)|(?:it['’]?s\s+|is\s+)?(?:the\s+)?same(?:\s+(?:add?ress|one))?)\s+(?:for|as|on)\s+(?:the\s+|its\s+|their\s+)?)`;
const TWO = String.raw`(?:(?:billing\s+(?:and|&)\s+)?mailing|(?:mailing\s+(?:and|&)\s+)?billing|both|either)(?:\s+(?:add?ress(?:es)?|of\s+them))?`;
const SAME = new RegExp(
  String.raw`[,;]?\s*(?:and\s+)?(?:\b(?:mailing|billing)(?:\s+add?ress)?\s+(?:is\s+)?(?:the\s+)?same\b(?:\s+as\s+(?:billing|mailing))?|\b${SAME_ADDRESS}${TWO}\b|(?:\bfor|,)\s+both\s*(?=$|[,.;!]))(?:\s+(?:too|also|as\s+well))?`,
  'iu',
);

/** Takes an address or named parts of one out of a sentence. */
export function takePostal(text: string): { rest: string; postal?: Postal } {
  if (!HOLDS.test(text) && !/\bzip\b|\bcountry\b/i.test(text)) return { rest: text };
  const found = WRITTEN.map((pattern) => pattern.exec(text)).find((one) => one !== null && isWhole(one));
  const { street, unit, city, stateName, state = stateName, zip, country } = found?.groups ?? {};
  const parts: Record<string, string> = {};
  const put = (name: string, value: string | undefined) => {
    if (value !== undefined) parts[name] = value.trim();
  };
  for (const [name, value] of Object.entries({ Street1: street, Street2: unit, City: city, State: state, Zip: zip }))
    put(name, value);
  put('Country', country);
  let rest = found ? text.replace(found[0], '\uE000') : text;
  for (const [name, pattern] of NAMED) {
    // "Sorry, the zip is 97209" corrects the one before.
    const match = pattern.exec(rest);
    const value = match?.groups?.value;
    put(name, value);
    if (match && value !== undefined) rest = rest.replace(match[0], `${match[0].slice(0, -value.length)} `);
  }
  const isSame = SAME.test(rest);
  if (Object.keys(parts).length === 0 && !isSame) return { rest: text };
  const isMailing = /\bmailing\b/iu.test(rest) || isSame;
  const isBilling = /\bbilling\b/iu.test(rest) || !isMailing || isSame;
  const kinds = [...(isBilling ? ['billing' as const] : []), ...(isMailing ? ['mailing' as const] : [])];
  rest = rest.replace(SAME, ' ').replace(IN_LIST, ' ').replaceAll('\uE000', ' ');
  return { rest, postal: { parts, texts: Object.values(parts), kinds } };
}

/** Digits and words are an address only with a known last word of a street, or with a city behind them. */
function isWhole({ groups = {} }: RegExpExecArray): boolean {
  // "0111 port is wrong, correct one is 60602" has two letters before a ZIP code, and no state.
  const { state = '' } = groups;
  if (state.length === 2 && state !== state.toUpperCase() && !isUsState(state)) return false;
  return groups.zip !== undefined || new RegExp(`\\b${SUFFIX}$|\\bbox\\s`, 'iu').test(groups.street ?? '');
}

/** The address in the fields of an operation: its groups of address parts, and single parts. */
export function postalIn(fields: readonly Field[], postal: Postal | undefined): Fields {
  if (postal === undefined) return {};
  const groups = fields.filter(
    ({ kind, fields: own }) => kind === 'group' && own?.some(({ name }) => name === 'Street1'),
  );
  const single = fields.find(({ name }) => name === 'ZipCode');
  const filled = groups
    .filter(({ name }) => groups.length === 1 || postal.kinds.some((kind) => name.toLowerCase().startsWith(kind)))
    .map((group): [string, Fields] => {
      const known = Object.entries(postal.parts).filter(([part]) => group.fields?.some(({ name }) => name === part));
      return [group.name, Object.fromEntries(known)];
    });
  return {
    ...Object.fromEntries(filled.filter(([, parts]) => Object.keys(parts).length > 0)),
    ...(single && groups.length === 0 && postal.parts.Zip !== undefined && { [single.name]: postal.parts.Zip }),
  };
}
