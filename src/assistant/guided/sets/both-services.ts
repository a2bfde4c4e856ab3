import type { GuidedAnswer } from '../answers/answer.ts';
import { isOffer, type Meant, type Reading } from '../answers/topics.ts';

/* Calls and texts of a line are two switches. "Turn off calls and texts on 0104" is both of them, and so is "and texts too". */

const CALLS = String.raw`(?:voice|(?:voice\s+)?call(?:s|ing)?)`;
const TEXTS = '(?:sms|mms|texts?|texting|messag(?:es?|ing))';
const BOTH = new RegExp(
  String.raw`\b(?:${CALLS}\s*(?:,|&|\/|and|plus|as\s+well\s+as|together\s+with)+\s*(?:the\s+|his\s+|her\s+|also\s+)?${TEXTS}|${TEXTS}\s*(?:,|&|\/|and|plus|as\s+well\s+as|together\s+with)+\s*(?:the\s+|his\s+|her\s+|also\s+)?${CALLS})\b`,
  'iu',
);
const SWITCHES = { VoiceEnabled: CALLS, MessageEnabled: TEXTS };

const PARTS = /\s*[,;]\s+|\s+(?:and|but|while|though|yet)\s+/iu;
const WAYS: readonly (readonly [isOn: boolean, said: RegExp])[] = [
  [false, /\b(?:off|disabled?|deactivated?|stop|cut|kill)\b/iu],
  // Not the “on” of “on 0104”.
  [
    true,
    /\b(?:enabled?|activated?)\b|\bon\b(?!\s+(?:(?:the|his|her|their)\s+)?(?:[#…*+(]*\d|\p{L}+['’]s\b|line|number|phone))/iu,
  ],
];

/** The way of each service, where a sentence switches one on and the other one off. Undefined for others. */
function oppositesIn(said: string): Record<keyof typeof SWITCHES, boolean> | undefined {
  const found: { VoiceEnabled?: boolean; MessageEnabled?: boolean } = {};
  for (const part of said.split(PARTS)) {
    const services = Object.entries(SWITCHES).filter(([, words]) => new RegExp(`\\b${words}\\b`, 'iu').test(part));
    const ways = WAYS.filter(([, words]) => words.test(part));
    const [service, way] = [services[0]?.[0], ways[0]?.[0]];
    if (services.length !== 1 || ways.length !== 1 || service === undefined || way === undefined) continue;
    found[service as keyof typeof SWITCHES] ??= way;
  }
  const { VoiceEnabled, MessageEnabled } = found;
  const isOpposite = VoiceEnabled !== undefined && MessageEnabled !== undefined && VoiceEnabled !== MessageEnabled;
  return isOpposite ? { VoiceEnabled, MessageEnabled } : undefined;
}

/** The change of both switches, where the sentence names both. */
export function withBothServices(guided: GuidedAnswer, said: string): GuidedAnswer {
  const { operation, input, kind } = guided;
  if (operation !== 'numbers_update' || (kind !== 'form' && kind !== 'question')) return guided;
  const opposites = oppositesIn(said);
  if (opposites) return { ...guided, input: { ...input, ...opposites } };
  const [value, ...others] = Object.keys(SWITCHES).flatMap((name) => (name in input ? [input[name]] : []));
  if (typeof value !== 'boolean' || others.length > 0 || !BOTH.test(said)) return guided;
  return { ...guided, input: { ...input, VoiceEnabled: value, MessageEnabled: value } };
}

const ADDS = new RegExp(
  String.raw`^\W*(?:(?:ok|okay|oh|yes|so|and|also|plus|please|pls|then)[\s,]+)*(?:(?:the|his|her|their|turn\s+off|turn\s+on|switch\s+off|switch\s+on|same\s+(?:for|with))\s+)*(?<service>${CALLS}|${TEXTS})(?:[\s,]+(?:too|also|as\s+well|off|on|please|pls|then))*[\s.!]*$`,
  'iu',
);

/** "And texts too" after an order that switches calls: both switches. Undefined for other messages. */
export function ofOtherSwitch(text: string, last: string, reading: Reading): Meant | undefined {
  const service = ADDS.exec(text)?.groups?.service;
  const answer = reading.of(last);
  if (service === undefined || answer.operation !== 'numbers_update' || !isOffer(answer, reading)) return undefined;
  const [own, ...others] = Object.entries(SWITCHES).filter(([name]) => name in answer.input);
  if (own === undefined || others.length > 0 || new RegExp(`^${own[1]}$`, 'iu').test(service)) return undefined;
  // "And turn on texts" after calls are switched off is a further order.
  const isOn = /\bon\b/iu.test(text) ? true : /\boff\b/iu.test(text) ? false : undefined;
  const line = answer.find?.input.Query ?? answer.input.Number;
  if (isOn !== undefined && answer.input[own[0]] !== isOn)
    return typeof line === 'string'
      ? { text: `turn ${isOn ? 'on' : 'off'} ${service} on ${line}`, kind: 'read', open: last }
      : undefined;
  const full = last.replace(new RegExp(String.raw`\b${own[1]}\b`, 'iu'), (said) => `${said} and ${service}`);
  return full === last ? undefined : { text: full, kind: 'adds', before: last };
}
