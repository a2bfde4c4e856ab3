import { namesIn } from '../facts/unknown-names.ts';

/*
 * "Ben has a new email … and wants his line paused": the second part of a report is an order, and "his line" is that of
 * the customer whom the first part names. Read as one sentence, "line paused" is a list of the paused lines.
 */

const DEEDS: readonly (readonly [state: RegExp, deed: string])[] = [
  [/^(?:reactivated|restored|revived)/iu, 'reactivate'],
  [/^(?:activated|unparked|resumed|unpaused|unfrozen|un-?suspended|taken\s+off\s+hold|off\s+hold)/iu, 'take off hold'],
  [/^(?:cancell?ed|terminated|disconnected|closed)/iu, 'cancel'],
  [/^/u, 'park'],
];
const STATE = String.raw`(?:put\s+)?(?<state>paused|parked|suspended|frozen|on\s+(?:hold|pause|ice)|cancell?ed|terminated|disconnected|closed|reactivated|restored|activated|unparked|resumed|unpaused|unfrozen|taken\s+off\s+hold|off\s+hold)`;
const LINE = String.raw`(?:(?:number|line)\s+)?[#…*]*(?:\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}|\d{4})`;
const WISH = new RegExp(
  String.raw`(?<=[\p{L}\d])(?:\s*[,;.]+\s*(?:(?:and|so|but)\s+)?|\s+(?:and|so|but)\s+)(?:(?:s?he|they|(?:the\s+)?(?:customer|cust|client))\s+)?(?:now\s+|also\s+|just\s+)?(?:wants?|wanted|needs?|would\s+like|asks?\s+(?:for|to\s+have)|asked\s+(?:for|to\s+have)|wishes)\s+(?:to\s+have\s+)?(?<what>(?:his|her|their|the)\s+(?:\p{L}+\s+)?(?:line|number|service|phone|sim)|${LINE}|it)\s+(?:to\s+be\s+)?${STATE}\b`,
  'iu',
);
const AGAINST = /["“„?]|\b(?:not|never|if|whether|know|why|dont|doesnt)\b|n['’]t\b/iu;
const MOST_REPORT = 160;

/** "0103 should be on hold", "0107 has to go back into service": a state that a line is to have. */
const MUST_BE = new RegExp(
  String.raw`^(?<head>\W*(?:(?:please|pls|plz|so|ok|okay|and|hey|hi|hello|fyi|also)[\s,]+)*)(?<line>${LINE})\s+(?:should|must|shall|(?:has|needs?|ought|is\s+supposed|wants?)\s+to)\s+(?:(?:now|really|actually|still)\s+)?(?:be|go)\s+(?:back\s+)?(?:${STATE}|(?<live>active|live|(?:back\s+)?(?:on|in(?:to)?)\s+(?:service|line)|online))(?=\s*(?:$|[,.;!]|\b(?:please|pls|plz|from|until|till|til|for|on|as|starting|today|tomorrow|now|asap|again)\b))`,
  'iu',
);

function withRequiredState(text: string): string {
  const { head = '', line, state = '', live } = MUST_BE.exec(text)?.groups ?? {};
  if (line === undefined) return text;
  const deed = DEEDS.find(([pattern]) => pattern.test(state))?.[1] ?? 'park';
  const order =
    live !== undefined
      ? `turn ${line} back on`
      : deed === 'take off hold'
        ? `take ${line} off hold`
        : `${deed} ${line}`;
  return text.replace(MUST_BE, () => `${head}${order}`);
}

/** The sentence with the wish in its second part as an order. Any other sentence as it is. */
export function withWishedState(sentence: string): string {
  const text = AGAINST.test(sentence) ? sentence : withRequiredState(sentence);
  const found = AGAINST.test(text) ? null : WISH.exec(text);
  if (!found || found.index > MOST_REPORT) return text;
  const { what = '', state = '' } = found.groups ?? {};
  const before = text.slice(0, found.index + 1);
  const [name] = namesIn({ rest: before.replace(/\S+@\S+/gu, ' ') });
  const [line] = /(?<![\w+-])\d{4}(?![\w-])/u.exec(before) ?? [];
  const whose = /\d/u.test(what) ? what : (line ?? (name === undefined ? what : `${name}'s line`));
  const deed = DEEDS.find(([pattern]) => pattern.test(state))?.[1] ?? 'park';
  const order = deed === 'take off hold' ? `take ${whose} off hold` : `${deed} ${whose}`;
  return text.replace(found[0], () => `. ${order}`);
}
