import { wordsOf } from '../../../language/sentence.ts';
import { phonesIn } from '../../../platform/dialect/phone.ts';
import { readFacts } from '../facts/facts.ts';
import { peopleIn, withPeople } from '../facts/names.ts';
import { newCustomerIn } from '../facts/new-customer.ts';
import { isPlanName } from '../facts/plans.ts';
import { withLastDigits } from '../facts/stance.ts';

/* The values of a message as they are written, which a later message of its thread may replace or mean. */

/** All that a correction may have besides its value. */
export const BESIDE: ReadonlySet<string> = new Set(
  "have has scratch strike sorry no nope nah oops whoops ups wait actually i we you mean meant said wanted want wrong one line number not that this my bad mistake rather hmm hm oh ah uh correction make it its is should be been for to on of at the other instead please pls plz thanks thank better but and was typo by with ending in customer thats know ok okay well use take argh damn too also as both number's different till until from let's lets do go change set only just back iccid sim serial imei email address mail or his wife husband son daughter mom dad mother father brother sister kid yeah yes again same thing more hey lol him her them put try right correct after all haha".split(
    ' ',
  ),
);

/** A value in a text, as it is written. */
export interface Value {
  kind: 'number' | 'digits' | 'id' | 'serial' | 'speed' | 'area' | 'person' | 'amount' | 'day' | 'quoted' | 'address';
  text: string;
}

export function sameText(one: string, other: string): boolean {
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/['’]s$/, '')
      .replace(/^[#…*]+/, '');
  return plain(one) === plain(other);
}

const LIST = /(?<![\d+.-]|\d )(?!89)\d{4}(?: +\d{4}){1,5}(?![\d.-]| \d)/g;

/** The values of a text as they are written. */
export function values(said: string, now: number): Value[] {
  // "0101 0103 0105" is a list of lines.
  const text = said.replace(LIST, (list) => list.replace(/ +/g, ', '));
  const facts = readFacts(text, now);
  const quoted = [...text.matchAll(/["“„][^"“”„]{1,1600}["”“]/g)].map(
    ([one]): Value => ({ kind: 'quoted', text: one }),
  );
  const bare = quoted.reduce((rest, one) => rest.replace(one.text, ' '), text);
  const numbers = [...bare.matchAll(/\+?\(?\d[\d\s()./-]{5,18}\d/g)]
    .filter(([one]) => phonesIn(one).length > 0)
    .map(([one]): Value => ({ kind: 'number', text: one }));
  const digits = facts.mentions.flatMap(({ isWhole, text: one }): Value[] =>
    isWhole ? [] : [{ kind: 'digits', text: one }],
  );
  const areas = [
    ...bare.matchAll(
      /(?<![\d+().-]|\d\s)\d{3}(?!\d|[\s.-]?\d|\s*(?:gb|mb|k|[km]bps|[km]bits?|gig|meg|usd|dollars?|days?|hours?)\b)/gi,
    ),
  ].map(([one]): Value => ({ kind: 'area', text: one }));
  const amounts = facts.volumes.map(({ text: one }): Value => ({ kind: 'amount', text: one }));
  const days = facts.times.flatMap(({ day, text: one }): Value[] =>
    day && bare.includes(one) ? [{ kind: 'day', text: one }] : [],
  );
  const addresses = [facts.email, facts.url].flatMap((one): Value[] =>
    one === undefined ? [] : [{ kind: 'address', text: one }],
  );
  const speeds = [...bare.matchAll(/\b\d{1,4}\s*-?(?:[km]b(?:ps|its?(?:\/s)?)|k)\b/gi)].map(
    ([one]): Value => ({ kind: 'speed', text: one }),
  );
  const serials = facts.iccid === undefined ? [] : [{ kind: 'serial' as const, text: facts.iccid }];
  const ids = facts.ids.map((one): Value => ({ kind: 'id', text: one }));
  // The name of a new customer is taken out before a sentence is read.
  const customer = newCustomerIn(text)?.name;
  const people = (customer === undefined ? namesIn(facts.rest) : [customer]).map(
    (one): Value => ({ kind: 'person', text: one }),
  );
  return [
    ...quoted,
    ...numbers,
    ...digits,
    ...areas,
    ...amounts,
    ...speeds,
    ...days,
    ...addresses,
    ...serials,
    ...ids,
    ...people,
  ];
}

/** "What plan is ava on" */
const IS_ON = /(?<=\b(?:what|which)\s+\p{L}+)\s+(?:is|does|has)\s+(?=\p{L}+\s+(?:on|have|got|use)\b)/giu;

/** True if a text has only words that may be beside the value of a correction. `more`: further such words. */
export function areBeside(text: string, more: ReadonlySet<string> = new Set()): boolean {
  return text
    .toLowerCase()
    .split(/[^\p{L}\d'’]+/u)
    .every((word) => word === '' || BESIDE.has(word.replace(/['’]/g, '')) || more.has(word));
}

/** True for a text that says nothing but one value: "no wait, make it Friday". */
export function isOnly({ text: one }: Value, text: string): boolean {
  return areBeside(text.replace(one, ' '));
}

function namesIn(rest: string): string[] {
  const parts = rest.split(/[,;.!?]+(?:\s|$)/);
  const names = parts.flatMap((part) => peopleIn(withPeople(wordsOf(withLastDigits(part.replace(IS_ON, ' of '))))));
  return names.filter(
    (name) =>
      !/^(?:s?hes|theyre|thats|its|done|ok)$/i.test(name) &&
      !isPlanName(name) &&
      !name.split(' ').every((word) => BESIDE.has(word.toLowerCase())),
  );
}
