import { phonesIn } from '../../platform/dialect/phone.ts';

/** The plain values in a sentence. */
export interface Facts {
  /** Full numbers, E.164, in order. */
  numbers: string[];
  /** Ids with a prefix of capital letters: JNUOID-…. */
  ids: string[];
  /** The serial of a SIM. */
  iccid: string | undefined;
  /** Last digits: "ending in 0103". */
  digits: string | undefined;
  /** ISO dates. */
  dates: string[];
  /** A text in quotation marks. */
  quoted: string | undefined;
  email: string | undefined;
  /** A volume of data: 5 GB. */
  volume: { value: number; unit: 'MB' | 'GB' } | undefined;
  areaCode: string | undefined;
  /**
   * True if all numbers and last digits are one list: only commas, "and" and the like are between them, and nothing
   * before them excludes them. "Cancel 0103, not 0104" and "cancel 0103, she calls from 0104" are no such list.
   */
  isOneList: boolean;
  /** The sentence with a word in place of each value that says what it is, so that "text 201…" fits as "text number". */
  rest: string;
}

const MAX_TEXT = 2_000;
const ID = /\b[A-Z]{2,7}-[0-9a-z][0-9a-z-]{3,48}\b/gi;
const PREFIX =
  /^(?:AID|TSUID|SUID|MRID|CRID|JNUOID|JNOID|TNOID|TMID|PRID|PKID|PID|WID|WAID|WG|FEID|FAID|CFID|MFID|SUB|NID|TNID|PIID|JCID|TCID)-/i;

/** Words of sentences that may end in an amount. */
const AMOUNT = /\b(?:limit|cap|allowance|threshold|quota)s?\b/i;

/** In place of a number. It cannot be typed. */
const MARK = '\u0001';
/** Last digits of a number. */
const DIGITS = /(?<![\w+-])\d{4}(?![\w-])/g;
/** Text between two numbers of one list. */
const BETWEEN = /^(?:[\s,;&+/#…*().]|\b(?:and|also|plus|as\s+well\s+as|both|the|numbers?|lines?|ending|in|with)\b)*$/i;
/** Words right before numbers that are not meant. */
const EXCLUDES =
  /\b(?:not|except(?:\s+for)?|excluding|besides|keep(?:ing)?|instead\s+of|rather\s+than|other\s+than|unlike|back\s+(?:on|at)|(?:calls?|calling)\s+from|reached?\s+(?:on|at)|contact\s+(?:is|on|at))\s+(?:the\s+|number\s+|line\s+|for\s+|ending\s+|in\s+|her\s+|his\s+|their\s+)*[#…*(]*$/i;

/** Takes the plain values out of a sentence. */
export function readFacts(text: string): Facts {
  let rest = text.slice(0, MAX_TEXT);
  const take = (pattern: RegExp, word = ''): string[] => {
    const found = [...rest.matchAll(pattern)].map((match) => match[1] ?? match[0]);
    rest = rest.replace(pattern, ` ${word} `);
    return found;
  };
  const [quoted] = take(/["“„]([^"“”„]{1,1600})["”“]/g, 'saying');
  const ids = [...new Set((rest.match(ID) ?? []).filter((id) => PREFIX.test(id)))];
  for (const id of ids) rest = rest.replaceAll(id, /^JNUOID-/i.test(id) ? ' order ' : ' ');
  const [email] = take(/\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b/g);
  const [iccid] = take(/\b(\d{18,21}F?)\b/gi);
  const dates = take(/\b\d{4}-\d{2}-\d{2}\b/g);
  const [volume] = take(/\b(\d{1,6}(?:\.\d+)?\s*(?:gb|mb|gigs?|megs?))\b/gi, 'data');
  // An amount without its unit: "raise the data limit of 0101 to 9000". Last digits that begin with 0 stay.
  if (AMOUNT.test(rest)) take(/\bto\s+[1-9]\d{0,5}(?=\s*(?:$|[,.;!?]))/gi, 'to data');
  const numbers = phonesIn(rest);
  const isOneList = areOneList(withoutNumbers(rest, numbers, MARK));
  rest = withoutNumbers(rest, numbers, ' number ');
  const [areaCode] = take(/\barea(?:\s*code)?\s*(\d{3})\b/gi, 'area').concat(
    take(/\b(\d{3})\s+area(?:\s*code)?\b/gi, 'area'),
    take(/\b(?:an?|any|new|some|free)\s+(\d{3})\s+(?=numbers?\b)/gi, 'area'),
    take(/(?<=\bnew\s(?:[^,.;!?]+\s)?)in\s+(\d{3})(?=\s*(?:$|[,.;!?]))/gi, 'area'),
  );
  const [digits] = take(
    /(?:\bending(?:\s+in|\s+with|\s+on)?|\bends(?:\s+in|\s+with)?|\blast\s+(?:four\s+)?digits(?:\s+are)?|\bnumber|\bline|…|\.{3}|\*+)\s*#?(\d{3,7})\b/gi,
  );
  return { numbers, ids, iccid, digits, dates, quoted, email, volume: volumeOf(volume), areaCode, isOneList, rest };
}

/** True if the marks and last digits in a sentence are one list. */
function areOneList(text: string): boolean {
  const [before = '', ...others] = text.replace(DIGITS, MARK).split(MARK);
  if (others.length === 0) return true;
  // The text after the last one is not compared.
  return !EXCLUDES.test(before) && others.slice(0, -1).every((between) => BETWEEN.test(between));
}

/** The sentence with a word in place of each number, however it is written. */
function withoutNumbers(text: string, numbers: readonly string[], word: string): string {
  if (numbers.length === 0) return text;
  return text.replace(/\+?\(?\d[\d\s().-]{5,18}\d/g, (written) => {
    const digits = written.replace(/\D/g, '');
    return numbers.some((number) => number.endsWith(digits.slice(-10)) || digits.endsWith(number.slice(-10)))
      ? word
      : written;
  });
}

function volumeOf(text: string | undefined): Facts['volume'] {
  const [, value = '', unit = ''] = /^([\d.]+)\s*([gm])/i.exec(text ?? '') ?? [];
  return value === '' ? undefined : { value: Number(value), unit: unit.toLowerCase() === 'g' ? 'GB' : 'MB' };
}
