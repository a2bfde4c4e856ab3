import { KIND_WORDS } from '../../../../tools/shared/choice-words.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { MAKES_NUMBER } from '../../../language/families.ts';
import { choiceText } from '../../../language/member-words.ts';
import { knownAs } from '../../../language/vocabulary.ts';
import type { Fields } from '../../../lib/json.ts';
import { BoundedMap } from '../../../lib/lists.ts';
import { newNameIn, peopleIn } from './names.ts';
import { productOf } from './services.ts';
import type { Asked } from './stance.ts';

/*
 * Values of a field's list of values that a sentence says: "make Ben a manager", "voip number, only sms", "type sip". The
 * words are those of the operation's own fields, and those that people have for them on cards.
 */

/** The values that a sentence gives, and those that no field gets because the sentence says several. */
export interface Said {
  input: Fields;
  unclear: readonly string[];
  /** The words of the sentence that say the values. */
  used: readonly string[];
}

/** Fields whose value says what is done, and units of amounts. Families and amounts give them. */
const DEEDS: ReadonlySet<string> = new Set([
  'StatusChange',
  'FilterMode',
  'About',
  'Only',
  'ThrottleSpeed',
  'ValueUnit',
]);
/** Of fields with numbers, the first one is meant. */
const SECOND = /[2-9]$/;
/** Fields of the number at another carrier: "his mobile number" says what it is there, and "as mvno" what it becomes here. */
const ELSEWHERE: ReadonlySet<string> = new Set(['TargetPortinClassification', 'TargetClassification']);
const KINDS = Object.keys(KIND_WORDS);

/** Expressions for the values of the catalogue, and of late those for words of sentences. */
const made = new BoundedMap<string, RegExp>(5000);

/** An expression that is made once: every sentence is compared with all values of an operation. */
function patternFor(source: string, flags = 'iu'): RegExp {
  const key = `${flags}/${source}`;
  const found = made.get(key);
  if (found) return found;
  const pattern = new RegExp(source, flags);
  made.set(key, pattern);
  return pattern;
}

export function saidIn(tool: Tool, { said, facts, clauses }: Pick<Asked, 'said' | 'facts' | 'clauses'>): Said {
  const { message, leftOut, details, quoted } = facts;
  // The words of names are no values: "Acme Mobile".
  const all = fieldsOf(tool).flatMap(({ choices, known = [] }) => choices ?? known);
  const isChoice = (name: string) => all.some((choice) => choice.toLowerCase() === name.toLowerCase());
  const people = clauses
    .flatMap(({ words }) => peopleIn(words))
    .filter((name) => /^\p{Lu}/u.test(name) && !isChoice(name));
  const names = [...people, ...details.records.map(({ name }) => name)];
  const others = [message, details.name, details.customer, newNameIn(said), ...leftOut, ...quoted, ...names];
  const unnamed = others.reduce<string>((text, one) => (one ? text.replaceAll(one, ' ') : text), said);
  // The products of a new package are not its type.
  const plain = tool.id === 'packages_create' ? unnamed.replace(OF_PRODUCT, ' ') : unnamed;
  const input: Record<string, unknown> = {};
  const unclear: string[] = [];
  const used: string[] = [];
  const isCallback = /\b(?:callback|receipts?|delivery\s+reports?)\b/iu.test(plain);
  const fields = fieldsOf(tool).filter(
    ({ name }) =>
      (isCallback || !name.startsWith('Callback')) && !DEEDS.has(name) && !ELSEWHERE.has(name) && !SECOND.test(name),
  );
  // A kind of line that the operation does not make.
  if (!fields.some(({ choices = [], known = [] }) => KINDS.some((kind) => [...choices, ...known].includes(kind)))) {
    const kind = fieldsOf(tool).find(({ choices = [] }) => KINDS.some((one) => choices.includes(one)));
    const [only, ...more] = kind
      ? KINDS.filter((one) => wordsFor(one).some((words) => new RegExp(words, 'iu').test(plain)))
      : [];
    if (kind && only !== undefined) {
      if (more.length === 0 && kind.choices?.includes(only)) input[kind.name] = only;
      else unclear.push(only, ...more);
      used.push(only, ...more);
    }
  }
  for (const field of fields) {
    const product = details.services && MAKES_NUMBER.has(tool.id) && productOf(details.services, field.choices ?? []);
    if (product !== undefined) {
      input[field.name] = product;
      used.push(details.services?.words ?? '', ...(/\bfull\b/iu.exec(said) ?? []));
      continue;
    }
    const found = saidOf(field, plain, tool);
    const [only, ...others] = found;
    if (only !== undefined && others.length === 0) {
      input[field.name] = only;
      const all = field.choices ?? field.known ?? [];
      const words = [...wordsFor(only), ...lastWord(only, all), ...peoplesWords(field, only)].map(
        (one) => `${PLAIN}${one}`,
      );
      const patterns = [...words.map((one) => patternFor(one)), ...asVerb(only)];
      used.push(...patterns.flatMap((one) => one.exec(plain)?.[0] ?? []), ...(PLAIN_ONE.exec(plain) ?? []));
    } else unclear.push(...found);
  }
  return { input, unclear, used };
}

const OF_PRODUCT = /\b(?!(?:a|an|the|new|its|this)\b)\p{L}+\s+(?:products?|items?|add-?ons?)\b/giu;

function saidOf(field: Field, said: string, tool: Tool): string[] {
  const all = field.choices ?? (field.kind === 'text' ? field.known : undefined) ?? [];
  if (all.length === 0) return [];
  const label = labelOf(field);
  const named = all.filter((choice) => isNamed(choice, label, said));
  if (named.length > 0) return named;
  const open =
    field.choices === undefined ? patternFor(`\\b${label}${IS}(?<value>\\p{L}[\\p{L}\\d+-]{1,30})`) : undefined;
  const other = open?.exec(said)?.groups?.value;
  if (other !== undefined && knownAs(other.toLowerCase()) === undefined) return [other];
  const told = open && patternFor(`\\b${label}${TOLD}`).exec(said)?.groups?.value;
  if (told) return [told];
  const found = all.filter((choice) => isSaid(choice, all, field, said, tool));
  // "From voip to iot": the last one is what it gets.
  const last = found.length > 1 ? found.filter((choice) => isAfterTo(choice, said)) : [];
  return last.length === 1 ? last : found;
}

const IS = String.raw`\s*(?:(?:is|as|to|of|should\s+be|must\s+be)\b|[:=])?\s*`;

/** A value behind its label, which may be any word: "of type voicemail", "type: voice". */
const TOLD = String.raw`(?:\s*[:=]\s*|\s+(?:is\s+|as\s+)?)(?<value>(?!(?:of|for|the|an?|that|which|this|is|as|to|in|on|and|or|should|what)\b)\p{L}[\p{L}\d+-]{1,30})(?=\s*(?:$|[,.;!]|\b(?:for|on|to|in|and|with|at|please|pls)\b))`;

/** "type" for "Feature type". */
function labelOf({ label }: Field): string {
  return escaped(
    label
      .replace(/\s*\(.*\)|\s+\d+$/g, '')
      .split(' ')
      .at(-1)
      ?.toLowerCase() ?? label,
  );
}

/** "Type sip", "role: manager" */
function isNamed(choice: string, label: string, said: string): boolean {
  return wordsFor(choice).some((words) =>
    patternFor(`\\b${label}${IS}(?:an?\\s+)?${words}|${words}\\s+${label}(?=\\s*(?:$|[,.;!?]))`).test(said),
  );
}

function isSaid(choice: string, all: readonly string[], field: Field, said: string, tool: Tool): boolean {
  if (/^none$/i.test(choice)) return saysNone(field, said);
  if (tool.title.toLowerCase().split(/\W+/).includes(choice.toLowerCase())) return isSet(choice, said);
  const [first = ''] = choice.toLowerCase().split(/\W+/);
  // A verb is a value only as the platform writes it: "PUT".
  const isVerb = (knownAs(first)?.acts.length ?? 0) > 0 && !knownAs(first)?.things.length;
  if (isVerb) return asVerb(choice).some((pattern) => pattern.test(said));
  return [...wordsFor(choice), ...lastWord(choice, all), ...peoplesWords(field, choice)].some((words) =>
    patternFor(words).test(said),
  );
}

/** A verb as the platform writes it, or as what the record does: "forwards to". */
function asVerb(choice: string): RegExp[] {
  const word = escaped(choice);
  return [
    patternFor(`(?<![\\p{L}\\d])${word}(?![\\p{L}\\d])`, 'u'),
    patternFor(`(?<!\\p{L})${word}(?:s|ing)(?:\\s+(?:all\\s+|the\\s+)*(?:calls?|it|them|everything))?\\s+to\\b`),
  ];
}

/** "No auth", "without authentication" */
function saysNone({ label }: Field, said: string): boolean {
  const words = [...said.matchAll(/\b(?:no|without(?:\s+any)?)\s+(?<what>\p{L}{4,})/giu)].map(({ groups }) =>
    (groups?.what ?? '').toLowerCase(),
  );
  return words.some((word) =>
    label
      .toLowerCase()
      .split(' ')
      .some((one) => one.startsWith(word)),
  );
}

const PLAIN = '(?:(?:normal|regular|plain|ordinary|simple|standard)\\s+)?';
const ONE = '(?:subscriber|user|person|customer)';
const PLAIN_ONE = new RegExp(`\\b${PLAIN.slice(0, -1)}${ONE}s?\\b`, 'iu');

/** A word that the operation is called by is a value only where it stands for one: "as a subscriber", "normal subscriber". */
function isSet(choice: string, said: string): boolean {
  const word = escaped(choice);
  return [
    `\\b(?:as|to|be|is)\\s+(?:an?\\s+)?${PLAIN}${word}(?=\\s*(?:$|[,.;!?]))`,
    `[,;:]\\s*(?:an?\\s+)?${PLAIN}${word}(?=\\s*(?:$|[,.;!?]))`,
    `\\b${PLAIN.slice(0, -1)}(?:${word}|${ONE})s?(?=\\s*(?:$|[,.;!?]))`,
  ].some((pattern) => patternFor(pattern).test(said));
}

const END = String.raw`(?![\p{L}\d]|\s+(?:e-?mail|mail|name|password|phone|pin)\b)`;

/** Expressions for a value of one word or several, in their order: "Account Admin", and in any order: "only sms". */
function wordsFor(choice: string): string[] {
  const words = choice.split(/[\s_+-]+/).map(escaped);
  const orders = words.length === 2 ? [words, [...words].reverse()] : [words];
  return orders.map((order) => inOrder(order, '[\\s_+/,&-]*(?:and\\s+)?'));
}

function inOrder(words: readonly string[], between: string): string {
  return `(?<![\\p{L}\\d])${words.join(between)}${END}`;
}

/** "An admin" for "Account Admin". */
function lastWord(choice: string, all: readonly string[]): string[] {
  const last = choice.split(' ').at(-1) ?? '';
  const isOwn =
    choice.includes(' ') && all.filter((one) => one.toLowerCase().includes(last.toLowerCase())).length === 1;
  return isOwn ? [`(?<![\\p{L}\\d])${escaped(last)}${END}`] : [];
}

/** "Internet phone" for "voip". They are one name: of "voice and data, sim 8901…" no two words are. */
function peoplesWords({ name }: Field, choice: string): string[] {
  const text = choiceText(name, choice);
  const words = text?.slice(0, text.lastIndexOf(' ('));
  return words === undefined || words === '' ? [] : [inOrder(words.split(' ').map(escaped), '[\\s_-]+')];
}

function isAfterTo(choice: string, said: string): boolean {
  return wordsFor(choice).some((words) => patternFor(`\\b(?:to|into|as)\\s+(?:an?\\s+)?${words}`).test(said));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^\x24{}()|[\]\\]/g, '\\$&');
}
