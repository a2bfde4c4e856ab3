import { capital, DESK } from '../facts/workgroup-names.ts';
import type { Plainer } from './plain-words.ts';

/*
 * The words behind "rename … to" are a name as a whole: "Legacy eSIM" is no type of a product, and "closed today" no
 * period. It is read as one in quotation marks, and so is the text of an announcement.
 */

const HEAD = String.raw`^(?<head>\W*(?:(?:please|pls|plz|so|ok|okay|and|also|just|hey|hi|can|could|would|you|u|we|i|need|want|to|no|wait|actually|sorry)\b[\s,]+)*)`;
const END = String.raw`(?<end>\s*(?:[,;–-]\s*(?:s?he|they|it|because|since|cuz|as|so|that|the|not|please|pls|plz|thanks|thx)\b[^"“]*|\s(?:please|pls|plz|thanks|thx|because|since|cuz|asap|instead)\b[^"“]*)?[\s.!]*)$`;
const GIVEN = String.raw`(?<name>(?!(?:the|an?|her|his|their|its|it|that|this|what|something|nothing|another|match|be)\b)[\p{L}\d][^"“”„,;!?\n]{0,79}?)`;
const RENAMES = new RegExp(
  String.raw`${HEAD}(?<order>(?:rename|relabel|retitle|rebrand)\s+(?<what>[^"“”;!?]{1,60}?)\s+(?:to|as|into)\s+|(?:change|set|update)\s+(?:the\s+)?(?:description|title)\s+(?:of|for|on)\s+(?<other>[^"“”;!?]{1,60}?)\s+(?:to|as)\s+)${GIVEN}${END}`,
  'iu',
);
const ANNOUNCEMENT = String.raw`(?:announcement|greeting|welcome\s+(?:message|text))(?:\s+text)?`;
const ANNOUNCES = new RegExp(
  String.raw`${HEAD}(?<order>(?:(?:change|set|update|new|replace|make)\s+)(?:the\s+|our\s+)?(?:(?<which>[^"“”;,!?]{1,40}?)(?:['’]s)?\s+)?${ANNOUNCEMENT}(?:\s+(?:of|for|on)\s+(?<whose>[^"“”;,!?]{1,40}?))?\s*(?:\b(?:to|as|say|saying)\b\s*:?|[:=]|(?=["“]))\s*)(?:["“](?<quoted>[^"“”]{1,300})["”]|(?<text>[\p{L}\d][^"“”\n]{0,299}?))[\s.!]*$`,
  'iu',
);

/** "Front desk announcement should say we are closed", "front desk greeting: we are closed" */
const SHOULD_SAY = new RegExp(
  String.raw`${HEAD}(?<order>(?:the\s+|our\s+)?(?<which>(?!(?:the|our)\b)[^"“”;,!?]{1,40}?)(?:['’]s)?\s+${ANNOUNCEMENT}(?:\s+(?:of|for|on)\s+(?<whose>[^"“”;,!?]{1,40}?))?\s*(?:\s(?:should|must|has\s+to|needs\s+to|shall)\s+(?:now\s+)?(?:say|be|read|become)\b\s*:?|[:=])\s*)(?:["“](?<quoted>[^"“”]{1,300})["”]|(?<text>[\p{L}\d][^"“”\n]{0,299}?))[\s.!]*$`,
  'iu',
);

/** "Have the front desk say “we are closed”" */
const LET_SAY = new RegExp(
  String.raw`${HEAD}(?<order>(?:have|let|make)\s+(?:the\s+|our\s+)?(?<which>${DESK})\s+(?:say|tell\s+(?:the\s+)?callers)\s*:?\s*)(?:["“](?<quoted>[^"“”]{1,300})["”]|(?<text>[\p{L}\d][^"“”\n]{0,299}?))[\s.!]*$`,
  'iu',
);

/** The order with the name that it gives in quotation marks. Any other sentence as it is. */
export function withWholeName(text: string): string {
  const announced = [ANNOUNCES, SHOULD_SAY, LET_SAY].map((said) => said.exec(text)).find((found) => found)?.groups;
  const said = announced?.quoted ?? announced?.text;
  if (announced && said !== undefined) {
    const of = [announced.which, announced.whose].map((one) =>
      one?.replace(/\b(?:the|our)\b|\bworkgroup(?:['’]s)?\b/giu, '').trim(),
    );
    const name = of.find((one) => one !== undefined && one !== '');
    const named = name === undefined ? '' : ` ${capital(name)}`;
    return `change the workgroup${named}, announcement "${said.trim()}"`;
  }
  const found = RENAMES.exec(text)?.groups;
  const { head = '', order = '', name, end = '' } = found ?? {};
  // A line is renamed by its caller name, and an account by its name.
  if (
    name === undefined ||
    /^(?:it|this|that|them)$/iu.test(found?.what ?? '') ||
    order.toLowerCase().includes(` ${name.toLowerCase()} `) ||
    /\d{4}|\b(?:caller|cnam|account|line)\b/iu.test(order) ||
    !needsMarks(name, order)
  )
    return text;
  return `${head}${order.replace(/^(?:relabel|retitle|rebrand)\b/iu, 'rename')}"${name.trim()}"${end}`;
}

/** True for a name with words that other rules may take, or that repeats the old name. */
function needsMarks(name: string, order: string): boolean {
  const words = name.toLowerCase().split(/[\s-]+/u);
  return (
    words.length > 1 &&
    (/[^\p{L}\s]/u.test(name) ||
      words.length > 2 ||
      words.some(
        (word) =>
          TAKEN.has(word) ||
          (word.length > 2 && new RegExp(`\\b${word.replace(/[^\p{L}\d]/gu, '.')}\\b`, 'iu').test(order)),
      ))
  );
}

/** Words of values and periods, which other rules read. */
const TAKEN: ReadonlySet<string> = new Set(
  'inbound outbound incoming outgoing night day main backup esim sim voip mvno iot voice sms mms data text texts call calls monthly month weekly daily today tomorrow tonight now yesterday week weekend year monday tuesday wednesday thursday friday saturday sunday unlimited business premium standard active off on new old plan package basic product route trunk admin manager'.split(
    ' ',
  ),
);

const OF_REFUSED = new RegExp(
  String.raw`${HEAD}(?<left>(?:do\s*n['’]?o?t|do\s+not|never|no\s+need\s+to)\s+\p{L}+\s+(?<what>(?:the|our|this|that)\s+[^,;.!?"“]{2,40}?))\s*[,;.–-]+\s*(?:(?:but|just|only|instead|rather|please|pls)\s+)*(?<deed>\p{L}+)\s+(?:it|that|that\s+one)\b(?<rest>.*)$`,
  'isu',
);

/** "Don't delete the product, just rename it": "it" is the product of the first part. */
export function withOwnObject(text: string): Plainer {
  const { head = '', left = '', what = '', deed = '', rest = '' } = OF_REFUSED.exec(text)?.groups ?? {};
  if (
    deed === '' ||
    !/^(?:rename|relabel|change|update|disable|pause|stop|park|suspend|hold|hide|deactivate|activate|edit|move)$/iu.test(
      deed,
    )
  )
    return { text, told: [] };
  return { text: `${head}${deed} ${what}${rest}`, told: [`; left out, as you say: “${left.trim()}”`] };
}
