import { wordsOf } from '../../../language/sentence.ts';
import { isOffer, type Meant, type Reading, type Topic } from '../answers/topics.ts';

/*
 * "Not the line, just the subscription" after an offer: the deed is right, and what it is done to is another record. The
 * offer is taken back in any case, since the message speaks against it.
 */

const NOUN = String.raw`(?:(?:port(?:[\s-]?in)?\s+)?order|port(?:[\s-]?in)?|(?:whole\s+)?(?:line|number)|subscription|plan|package|bundle|sim(?:\s+card)?|account|customer|subscriber|(?:message\s+|call\s+|voice\s+)?(?:filter|route)|caller\s+(?:name|id)|(?:data\s+)?limit|webhook|product|item|feature)`;
const THE = String.raw`(?:(?:the|her|his|their|its|that|this|our|whole|entire)\s+)*`;
const LEAD = String.raw`^\W*(?:(?:no+|nope|nah|wait|sorry|oops|oh|hm+|ok|actually|argh|stop|hold\s+on|please|pls|i\s+(?:said|meant?)|(?:that['’]?s|thats)\s+(?:wrong|not\s+it))[\s,.!:–-]+)*`;
const ONLY = String.raw`(?:(?:but|just|only|rather|it['’]?s|its|i\s+meant?|mean|i\s+said|end|cancel|remove|do|take)\s+)*`;
const END = String.raw`(?:[\s,]+(?:please|pls|plz|instead|thanks?|that['’]?s\s+all|off))*[\s.!]*$`;
const NOT_FIRST = new RegExp(
  String.raw`${LEAD}(?:not|leave|keep|don['’]?t\s+(?:touch|cancel|change|end|remove))\s+${THE}(?<not>${NOUN})(?:\s+(?:itself|alone|as\s+(?:it\s+)?is))?[\s,;.–—-]+${ONLY}${THE}(?<other>${NOUN})${END}`,
  'iu',
);
const NOT_LAST = new RegExp(
  String.raw`${LEAD}${ONLY}${THE}(?<other>${NOUN})(?:\s+i\s+(?:meant?|said|wanted))?[\s,;–—-]+(?:and\s+|but\s+)?(?:not|keep|leave)\s+${THE}(?<not>${NOUN})(?:\s+(?:itself|alone))?${END}`,
  'iu',
);

const OF_PACKAGES = /^(?:subscription|plan|package|bundle)$/iu;

/** The deed of the open offer for the record that a message names in place of another one. Undefined for other messages. */
export function ofOtherObject(
  text: string,
  open: string,
  { line, person }: Topic,
  reading: Reading,
): Meant | undefined {
  const { not, other } = (NOT_FIRST.exec(text) ?? NOT_LAST.exec(text))?.groups ?? {};
  const before = reading.of(open);
  if (not === undefined || other === undefined || not === other || !isOffer(before, reading)) return undefined;
  // "Put 0105 on Starter", and then "not the line, just the package", is about the package already.
  if (OF_PACKAGES.test(other) && /^subscriptions_/.test(before.operation ?? ''))
    return {
      text: open,
      kind: 'again',
      before: open,
      note: `It is about the ${other} alone, and leaves the ${not} as it is`,
    };
  const whom = line ?? person;
  const verbs = wordsOf(open)
    .filter(({ acts, isPast }) => acts.length > 0 && !isPast)
    .map(({ plain }) => plain);
  const orders = [...new Set([...verbs, 'cancel', 'change'])].flatMap((verb) =>
    whom === undefined ? [`${verb} the ${other}`] : [`${verb} the ${other} of ${whom}`],
  );
  const full = orders.find((order) => {
    const own = reading.of(order);
    return isOffer(own, reading) && own.operation !== before.operation && own.isInstead !== true;
  });
  return full === undefined
    ? {
        text,
        kind: 'back',
        before: open,
        note: `What is to be done with “the ${other}” was not understood: write it in full`,
      }
    : { text: full, kind: 'read', gone: open };
}
