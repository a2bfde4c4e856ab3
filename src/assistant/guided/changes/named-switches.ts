import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { Fields } from '../../../lib/json.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import type { Asked } from '../facts/stance.ts';

/*
 * A sentence that names a switch of a record sets this one: "turn SIP refer off on the trunk". The switch of the whole
 * record, which stops everything on it, is set only if no word of the sentence was left over.
 */

/** Fields that switch a whole record. */
const WHOLE = /^(?:Message|Call|Voice)?RouteEnabled$/;
const OFF = /\b(?:off|disabled?|deactivated?)\b/iu;
/** "Stop recording calls", "we no longer transcribe": before the words of the switch. */
const STOPS = String.raw`\b(?:stop|stopped|stops|quit|cease|end|no\s+longer|no\s+more|not|never|(?:do|does|should|must|is|are)nt)\b|n['’]t\b`;
const STARTS = String.raw`\b(?:start|starts|begin|resume|should|must)\b`;
/** Not the “on” of “on main sip trunk”. */
const ON =
  /\b(?:turn|switch|put|set|flip|have|should|must|needs?|be|goes?|want|leave|keep)(?:s|ed|ing)?\b[^.;!?]*\bon\b|\bon\s*[.!]*$|\b(?:enabled?|activated?)\b/iu;
/** Words of labels that every switch has. */
const GENERAL: ReadonlySet<string> = new Set([
  'enable',
  'enabled',
  'route',
  'routing',
  'message',
  'voice',
  'call',
  'calls',
  'apply',
  'to',
]);
const REMOVES = /\b(?:remov\w*|revok\w*|strip\w*|withdraw\w*|take|takes|taken|took|lose|loses|without|rid)\b/iu;

/** The answer with the only switch that the sentence names, in place of the one of the whole record. */
export function withNamedSwitch(
  guided: GuidedAnswer,
  { said: whole, facts }: Asked,
  tool: Tool | undefined,
): GuidedAnswer {
  // "Take 192.0.2.10 off the whitelist" switches nothing off.
  if (!isOfUpdate(guided, tool) || guided.rows) return guided;
  // "On Main SIP trunk" switches nothing on.
  const said = facts.details.routes.reduce(
    (text, { name }) => ['on the ', 'on our ', 'on '].reduce((left, on) => left.replaceAll(`${on}${name}`, ' '), text),
    whole,
  );
  const found = switchIn(said, tool);
  if (!found) return guided;
  const { field: only, isOn } = found;
  // "SIP" is a word of the switch, and no name of a record.
  const isOfLabel = (value: unknown) => typeof value === 'string' && wordsOf(only.label).includes(value.toLowerCase());
  const rest = without(guided.input, (key, value) => WHOLE.test(key) || isOfLabel(value));
  return told(guided, { ...rest, [only.name]: isOn }, `. ${only.label}: ${isOn ? 'on' : 'off'}`);
}

/** True if a sentence names exactly one switch of its own, and says which way. */
export function hasNamedSwitch(said: string, tool: Tool): boolean {
  const [only, ...others] = switchesIn(said, tool);
  // Those of a numbered part are read with it.
  if (only === undefined || others.length > 0 || /\d/.test(only.label)) return false;
  return OFF.test(said) || ON.test(said) || [STOPS, STARTS].some((words) => isBefore(words, only, said));
}

/** The only switch that a sentence names, and the way that it says. */
export function switchIn(said: string, tool: Tool): { field: Field; isOn: boolean } | undefined {
  const [field, ...others] = switchesIn(said, tool);
  if (!field || others.length > 0) return undefined;
  if (isOffIn(field, said)) return { field, isOn: false };
  return ON.test(said) || isOrdered(field, said) ? { field, isOn: true } : undefined;
}

/** True if a sentence has the words of a switch, whichever way. */
export function namesSwitch(said: string, tool: Tool): boolean {
  return switchesIn(said, tool).length > 0;
}

/** True if the words of the switch begin an order: "record calls of …". */
function isOrdered(field: Field, said: string): boolean {
  const order = new RegExp(
    String.raw`(?:^\W*|[,;:.!]\s*|\b(?:please|pls|and|to|also|should|must)\s+)${field.label}\b`,
    'iu',
  );
  return order.test(said) || isBefore(STARTS, field, said);
}

/** True if a sentence switches it off: "turn the recording off", "stop recording calls". */
function isOffIn(field: Field, said: string): boolean {
  return OFF.test(said) || isBefore(STOPS, field, said);
}

/** True if these words stand before the first word of the switch. */
function isBefore(words: string, { label }: Field, said: string): boolean {
  const [first = ''] = wordsOf(label);
  return new RegExp(
    String.raw`(?:${words})\s*(?:(?:the|all|any|our|be|being|get|sending|doing|${[...GENERAL].join('|')})\s+)*${wordFor(first)}`,
    'iu',
  ).test(said);
}

/** The switches whose words a sentence has. */
export function switchesIn(said: string, tool: Tool): Field[] {
  const named = fieldsOf(tool).filter(
    ({ name, label, kind }) => kind === 'boolean' && !WHOLE.test(name) && isNamed(label, said),
  );
  // "Transcribe recordings" says more than "record".
  const isPart = (one: Field, other: Field) =>
    wordsOf(other.label).length > wordsOf(one.label).length &&
    wordsOf(one.label).every((word) => wordsOf(other.label).some((longer) => longer.startsWith(stem(word))));
  return named.filter((one) => !named.some((other) => other !== one && isPart(one, other)));
}

const PARTS = /[,;:.!?]+(?:\s|$)|\s[–—-]+\s/u;
const LIMITS = /\b(?:not|never|no|keep|leave|only|except|but|if|unless|until|till|without|instead)\b|n['’]t\b/iu;

/** True for words in a part of their own behind the order, which says why: "turn off the route, maintenance". */
function isReason(word: string, said: string): boolean {
  const [order = '', ...others] = said.split(PARTS);
  const own = word.replace(/[“”]/gu, '');
  if (order.includes(own) || !(OFF.test(order) || ON.test(order))) return false;
  return others.some((part) => part.includes(own) && !LIMITS.test(part) && !OFF.test(part) && !ON.test(part));
}

/** The answer without values that words which were left over may speak against. */
export function withoutDoubted(guided: GuidedAnswer, { said }: Asked, tool: Tool | undefined): GuidedAnswer {
  const { input } = guided;
  const wordsLeft = (guided.wordsLeft ?? []).filter((word) => !isReason(word, said));
  if (!isOfUpdate(guided, tool) || wordsLeft.length === 0) return guided;
  const isGone = (key: string) => WHOLE.test(key);
  if (Object.keys(input).some(isGone))
    return told(guided, without(input, isGone), '. What is to be switched was not understood: choose it in the form');
  const lists = fieldsOf(tool).filter(({ name, kind }) => kind === 'choice' && name in input);
  if (lists.length === 0 || !wordsLeft.some((word) => REMOVES.test(word))) return guided;
  return told(
    guided,
    without(input, (key) => lists.some(({ name }) => name === key)),
    '. What is to be taken away was not understood: choose the new value in the form',
  );
}

function isOfUpdate({ kind }: GuidedAnswer, tool: Tool | undefined): tool is Tool {
  return tool !== undefined && /_update$/.test(tool.id) && (kind === 'form' || kind === 'question');
}

function wordsOf(label: string): string[] {
  return label
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && !GENERAL.has(word));
}

/** True if a sentence has all words of a label that say what it is. */
function isNamed(label: string, said: string): boolean {
  const text = said.toLowerCase();
  const own = wordsOf(label);
  return own.length > 0 && own.every((word) => new RegExp(`\\b${wordFor(word)}(?:e|s|es|ed|ing|ings)?\\b`).test(text));
}

/** Words of people for those of labels. */
const SAID: Readonly<Record<string, string>> = {
  notification: '(?:notification|notice|alert)',
  sms: '(?:sms|text)',
  email: '(?:e-?mail|mail)',
};

function wordFor(word: string): string {
  return SAID[word] ?? stem(word);
}

function stem(word: string): string {
  return word.replace(/e?s$|e$|(?<=\w{4})ing$/, '');
}

function without(input: Fields, isGone: (name: string, value: unknown) => boolean): Fields {
  return Object.fromEntries(Object.entries(input).filter(([name, value]) => !isGone(name, value)));
}

function told({ isReady: _, ...guided }: GuidedAnswer, input: Fields, remark: string): GuidedAnswer {
  return {
    ...guided,
    ...{ kind: 'form', input },
    understood: `${guided.understood.replace(/\.$/, '')}${remark}.`,
    remarks: `${guided.remarks ?? ''}${remark}`,
  };
}
