import type { GuidedAnswer } from '../answers/answer.ts';
import { LINE } from '../facts/line-pattern.ts';
import { isName } from './complaints.ts';
import type { Plainer } from './plain-words.ts';

/*
 * An order to switch something off is never read as one to switch it on, and never as a look-up. "Turn of" lacks a letter.
 * "She wants texts off", "no more texts for Ben" and "doesn't want data anymore" are orders of the customer.
 */

const SERVICE = '(?:voice|calls?|calling|sms|texts?|texting|messages?|messaging|data|internet)';
const ITS = String.raw`(?:(?:his|her|their|the|any|my|all|incoming|outgoing|of)\s+)*`;
/** Words that may follow "off" at once, but not "of". */
const BEHIND_OFF = String.raw`(?=\s*(?:$|[,.;!?]|\b(?:for|on|at|pls|please|plz|now|today|again|but|and|asap|completely|thanks|thx)\b))`;

const VERB_OF =
  /(?<!\b(?:a|an|the|this|that|my|our|his|her|their|its|sim|esim|number|plan|line|carrier|each|every|whose|in)\s+)\b(?<verb>(?:turn|switch|shut)(?:e?d|ing|e?s)?)\s+of\b(?!\s+(?:phrase|events))/giu;
const SERVICE_OF = new RegExp(String.raw`\b(?<what>${SERVICE})\s+(?<verb>(?:turn|switch)ed\s+)?of${BEHIND_OFF}`, 'giu');

/** A text in which "turn of" and "texts of" are "off", as no other words go on from there. */
export function withOff(typed: string): string {
  const text = withOwnService(withServiceOff(typed));
  if (!/\bof\b/iu.test(text) || /["“„]/u.test(text)) return text;
  return text.replace(VERB_OF, '$<verb> off').replace(SERVICE_OF, '$<what> $<verb>off');
}

const POLITE_START = String.raw`(?<=^\W*(?:(?:please|pls|plz|hi|hey|ok|okay|so|and|can|could|would|you|u|we|i|need|want|to|should|must|just|now)[\s,]+)*)`;
const OF_A_LINE = String.raw`\s+(?=(?:on|for|of)\s)`;
const SWITCHED: readonly (readonly [pattern: RegExp, act: string])[] = [
  [
    String.raw`(?:block|stop|disable|bar|cut(?:\s+off)?|kill|suspend|shut\s+(?:off|down))\s+(?:(?:all|the|any)\s+)*(?<what>texting|messaging|sms|calling)`,
    'off',
  ],
  [
    String.raw`(?:pause|hold|freeze|mute)\s+(?:(?:all|the|any)\s+)*(?<what>voice|calls|calling|sms|texts|texting|messages|messaging)`,
    'off',
  ],
  [
    String.raw`(?:resume|unpause|unfreeze|unmute|restart|restore)\s+(?:(?:all|the|any)\s+)*(?<what>voice|calls|calling|sms|texts|texting|messages|messaging)`,
    'on',
  ],
].map(([pattern, act]) => [new RegExp(`${POLITE_START}${pattern}${OF_A_LINE}`, 'iu'), act ?? ''] as const);

const OWN_SERVICE = new RegExp(
  String.raw`${POLITE_START}(?:cut(?:\s+off)?|shut(?:\s+(?:off|down))?|turn\s+off|switch\s+off|kill|end|cancel|terminate|disconnect|disable|stop)\s+(?:(?<line>${LINE})|(?<name>\p{L}[\p{L}-]+))['’]s\s+(?<what>voice|calls?|calling|sms|texts?|texting|messages?|messaging|data|internet)(?:\s+(?:service|access|usage))?(?:\s+off)?(?=\s*(?:$|[,.;!]|\b(?:at|after|above|beyond|once|on|for|pls|please|now|today|again|asap)\b))`,
  'iu',
);
const AT_AMOUNT =
  /^\s+(?:at|after|above|beyond)\s+(?<amount>\d+(?:[.,]\d+)?\s*(?:gb|gigs?|g|mb|megs?|m)?)(?=\s*(?:$|[,.;!]|\b(?:pls|please|now|today)\b))/iu;

/** "Cut off 0105's data at 5 gb", "kill Ben's texts": a part of the line ends, and never the line. */
function withOwnService(text: string): string {
  const found = OWN_SERVICE.exec(text);
  const { line, name, what = '' } = found?.groups ?? {};
  if (!found || /["“„?]|\b(?:not|never|unless|if|filters?)\b/iu.test(text) || (name !== undefined && !isName(name)))
    return text;
  const [before, after] = [text.slice(0, found.index), text.slice(found.index + found[0].length)];
  const owner = line ?? `${name}'s line`;
  const at = /^(?:data|internet)$/iu.test(what) ? AT_AMOUNT.exec(after) : null;
  if (at) return `${before}set the data limit of ${line ?? name} to ${at.groups?.amount}${after.slice(at[0].length)}`;
  return `${before}turn off ${what} on ${owner}${after}`;
}

/** "Block texting on all globex lines", "pause texts on 0103" switch the service off, and block no number. */
function withServiceOff(text: string): string {
  const isOther = /["“„?]|\bfrom\b|\bto\b|\bfilters?\b|\bcontacts?\b/iu.test(text);
  if (isOther) return text;
  const found = SWITCHED.find(([pattern]) => pattern.test(text));
  return found ? text.replace(found[0], `turn ${found[1]} $<what> `) : text;
}

const WHO = String.raw`(?:(?:(?:the|our|my|this)\s+)?(?:customer|cust|cx|client|subscriber|user|caller|he|she|they)(?:\s+(?:on|of|with)\s+(?<own>${LINE}))?|(?<line>${LINE})|(?<name>(?!(?:i|we|you|it|and|but|or|so|who|which|what|that|if|please|can|could)\b)\p{L}[\p{L}'’-]+(?:\s+(?!wants?|needs?|does|do|no|would|asks?|asked|is|has)\p{L}[\p{L}'’-]+)?))`;
const ENDS = String.raw`(?<end>(?:\s+(?:any\s?more|any\s+longer|at\s+all|altogether|completely))*)(?=\s*(?:$|[,.;!]|\b(?:for|on|but|and|please|pls|plz|now|today|asap|thanks|thx)\b))`;
const WANTS = String.raw`(?:wants?|needs?|would\s+like|['’]d\s+like|asks?\s+for|asked\s+for|requests?|requested|likes?)`;
const STARTS = String.raw`(?<start>^\W*(?:(?:ok|okay|so|hi|hey|please|pls|and|because|bc)[\s,]+)*|[,.;!]\s*(?:and\s+|so\s+)?)`;

const WISHES: readonly RegExp[] = [
  String.raw`${WHO}\s+${WANTS}\s+(?:to\s+have\s+)?${ITS}(?<what>${SERVICE})\s+(?:to\s+be\s+)?(?:(?:turned|switched|shut|put)\s+)?off`,
  String.raw`(?:(?:can|could|may|please|pls)\s+)?(?:${WHO}\s+)?(?:please\s+)?(?:get|gets|have|has|need)\s+${ITS}(?<what>${SERVICE})\s+(?:turned|switched|shut)\s+off`,
  String.raw`${WHO}\s+${WANTS}\s+no\s+(?:more|further)\s+${ITS}(?<what>${SERVICE})`,
  String.raw`${WHO}\s+no\s+longer\s+${WANTS}\s+${ITS}(?<what>${SERVICE})`,
  String.raw`${WHO}\s+(?:(?:does|do)\s*(?:n['’]?t|not))\s+(?:want|need|like)\s+(?:(?:to\s+have|any|more|further)\s+)*${ITS}(?<what>${SERVICE})`,
  String.raw`no\s+(?:more|further)\s+(?<what>${SERVICE})(?=\s+(?:for|on|at\s+all)\b)`,
].map((pattern) => new RegExp(`${STARTS}${pattern}${ENDS}`, 'iu'));

const STATES = String.raw`(?:on|ok|okay|fine|alone|as\s+(?:is|it\s+is|they\s+are|before)|(?:keeps?\s+)?working)`;
const SERVICES = String.raw`${SERVICE}(?:(?:\s*,\s*|\s+(?:and|&)\s+)${SERVICE}){0,2}`;
/** "But calls still on", "calls only", "keep the calls" name the service that stays. */
const STAYS = new RegExp(
  String.raw`[\s,;.]*\b(?:but\s+|and\s+|just\s+)?(?:(?:keep|leave)\s+${ITS}(?<kept>${SERVICES})(?:\s+${STATES})?|only\s+(?<only>${SERVICES})|${ITS}(?<stay>${SERVICES})\s+(?:(?:can|should|must|to|still|are|is|both)\s+)*(?:only|stays?|remains?|still|${STATES})(?:\s+${STATES})?)(?=\s*(?:$|[,.;!]|\bon\b|\bfor\b))`,
  'iu',
);

const ASKS = /^(?!\W*(?:can|could|may)\b).*\?\s*$/isu;
const LAST_LINE = new RegExp(String.raw`^\s*,\s*(?:on\s+|for\s+)?(?=${LINE})`, 'iu');
const ON_LINE = new RegExp(String.raw`\bon\s+(?=${LINE})`, 'iu');
const CLEARLY_ON = /\b(?:on|back|again|enable\w*|activat\w*|restor\w*|allow\w*|give|start|want\w*|need\w*)\b/iu;

const VERB = '(?<verb>(?:turn|switch|shut|put)(?:\\s+(?:on|off))?|disable|enable|activate|deactivate|stop|cut)';
const NAMED_LINE = new RegExp(
  String.raw`^(?<start>\W*(?:(?:please|pls|plz|can|could|you|u|we|ok|so|and|just|hi|hey)[\s,]+)*)${VERB}\s+${ITS}(?<what>${SERVICES})(?<way>\s+(?:on|off))?\s+(?:for|of)\s+(?:the\s+)?(?<name>\p{L}[\p{L}-]+(?:\s+(?!please|pls|plz|now|today|asap|until|till|from)\p{L}[\p{L}-]+)?)(?=\s*(?:$|[,.;!]|\b(?:please|pls|plz|now|today|asap|until|till)\b))`,
  'iu',
);

/** "Turn off texts for ava" switches a service of her line. */
export function withLineOfName(text: string): string {
  const { start = '', verb = '', what, way = '', name } = NAMED_LINE.exec(text)?.groups ?? {};
  const isOther = /["“„?]|\b(?:guardian|filters?|from|incoming|outgoing|inbound|outbound)\b/iu.test(text);
  const isSwitch = way !== '' || !/^(?:turn|switch|shut|put)$/iu.test(verb);
  if (what === undefined || isOther || !isSwitch || !isName(name)) return text;
  const act = /^(?:disable|deactivate|stop|cut)$/iu.test(verb) ? 'turn off' : verb;
  return text.replace(
    NAMED_LINE,
    () => `${start}${act} ${what}${way === '' || act === verb ? way : ''} for ${name}'s line`,
  );
}

/** The sentence about services that nothing changes, with its mark in front. */
export function staysText(kept: string): string {
  const isOne = /^(?:data|internet|voice|sms)$/iu.test(kept);
  return `. ${kept.replace(/^./u, (first) => first.toUpperCase())} ${isOne ? 'stays as it is' : 'stay as they are'}`;
}

/** The wish of a customer to have a service switched off, as an order. */
export function offWish(text: string): Plainer & { beside?: string } {
  const found = WISHES.map((pattern) => pattern.exec(text)).find((match) => match !== null);
  const { what, start = '', line, own = line, name } = found?.groups ?? {};
  if (!found || what === undefined || ASKS.test(text)) return { text, told: [] };
  const before = text.slice(0, found.index) + start;
  const after = text.slice(found.index + found[0].length);
  const stays = STAYS.exec(after);
  const kept = stays?.groups?.kept ?? stays?.groups?.only ?? stays?.groups?.stay;
  const rest = stays ? after.slice(0, stays.index) + after.slice(stays.index + stays[0].length) : after;
  const isNamed = new RegExp(LINE, 'u').test(before + rest);
  const behind = rest.replace(LAST_LINE, ' on ');
  const whose = name === undefined ? '' : ` on ${name}'s line`;
  const target = isNamed ? '' : own === undefined ? whose : ` on ${own}`;
  return {
    text: `${before}turn off ${what}${target}${behind}`,
    told: kept === undefined ? [] : [staysText(kept)],
    ...(isNamed && name !== undefined && { beside: name }),
  };
}

/** The answer without a switch that only the "on" before a line says: "turn texts on 0103". */
export function withoutGuessedOn(guided: GuidedAnswer, said: string): GuidedAnswer {
  const names = Object.entries(guided.input).flatMap(([name, value]) =>
    /^(?:Message|Voice)Enabled$/.test(name) && value === true ? [name] : [],
  );
  if (guided.operation !== 'numbers_update' || names.length === 0) return guided;
  if (!ON_LINE.test(said) || CLEARLY_ON.test(said.replace(ON_LINE, ' '))) return guided;
  const remark = '. Whether it is to be on or off was not understood: choose it in the form';
  const { isReady: _, ...rest } = guided;
  return {
    ...rest,
    kind: 'form',
    input: Object.fromEntries(Object.entries(guided.input).filter(([name]) => !names.includes(name))),
    understood: `${guided.understood.replace(/\.$/, '')}${remark}.`,
    remarks: `${guided.remarks ?? ''}${remark}`,
  };
}
