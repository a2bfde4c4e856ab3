import { jsonText } from '../../../lib/text.ts';

/*
 * Single quotation marks around words are those of a text, like double ones: nothing in them is read as an order or a name.
 */

/** A quoted run of several words. An apostrophe inside a word ends none, and "kids'" begins none. */
const SINGLE =
  /(?<=^|[\s:(])['‘](?!(?:em|til|till|cause|bout|n|round)\b)(?=[\p{L}\d])(?<text>(?:[^'‘’"“”„\n]|['’](?=\p{L})){3,600})['’](?=$|[\s.,;!?)])/giu;

export function withDoubleQuotes(text: string): string {
  return text.replace(SINGLE, (whole, ...found) => {
    const { text: inner = '' } = found.at(-1) as Record<string, string>;
    return inner.trim().includes(' ') ? `"${inner}"` : whole;
  });
}

/** A short run in quotation marks: a name, a number, a code. */
const SHORT = /(?<=^|[\s:(,])["“„'‘](?<name>[^"“”„'‘’\n]{1,60})["”“'’](?=$|[\s.,;:!?)]|['’]s\b)/gu;
/** `Send "Ava Stone" a text: …`: the person before the text is its receiver. */
const RECEIVER =
  /(?<=\b(?:send|text|message|tell|msg|sms)\s+)["“„](?<name>[^"“”„]{1,60})["”“](?=\s*(?:(?:a|an|the|this)\s+(?:\w+\s+)?(?:text|message|msg|sms|note)\b|that\b|saying\b|:))/iu;

/**
 * Answers a sentence whose quotation marks stand around a name, such as `assign 0110 "Ava Stone"`, as if they were not
 * there. A quotation that is taken as it stands, such as the text of a message, keeps them.
 *
 * @param read answers a sentence; it is called again only for quotations that were not taken
 */
export function withoutNameQuotes<A extends Told>(text: string, read: (text: string) => A): A {
  const said = text.replace(RECEIVER, '$<name>');
  const answer = read(said);
  const [, untaken = ''] = (answer.remarks ?? '').split('Not taken:');
  const lost = new Set<string>();
  const plain = said.replace(SHORT, (whole, name: string) => {
    if (!includes(untaken, name)) return whole;
    lost.add(name);
    return name;
  });
  if (lost.size === 0) return answer;
  const again = read(plain);
  const { remarks: _, understood: __, ...taken } = again;
  const isTaken = again.isUnclear !== true && [...lost].some((name) => includes(jsonText(taken), name));
  return isTaken ? again : answer;
}

interface Told {
  understood: string;
  remarks?: string;
  isUnclear?: true;
}

function includes(text: string, name: string): boolean {
  return text.toLowerCase().includes(name.trim().toLowerCase());
}
