import { TRAFFIC } from '../../../../tools/surfaces/guard.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { MAKES_NUMBER } from '../../../language/families.ts';
import { wordsOf } from '../../../language/sentence.ts';
import type { Fields } from '../../../lib/json.ts';
import { areBeside, type Value, values } from '../answers/thread-values.ts';
import { isOffer, type Meant, type Reading } from '../answers/topics.ts';
import { ofStepAfterPrice } from '../changes/price-steps.ts';
import { usernameIn } from '../changes/said-credentials.ts';
import { ofPin } from './inherited.ts';
import { partOfOffer } from './open-parts.ts';

/*
 * Messages that edit the open offer by a value of it alone: another text in quotation marks, a value of a list ("and use
 * PUT", "he is 9, child"), another receiver, a count. They are tried before anything else is looked up.
 */

const MAX_LENGTH = 200;

/** The open offer with the value that a message gives, or a note on it. Undefined for other messages. */
export function ofOfferEdit(text: string, open: string, now: number, reading: Reading): Meant | undefined {
  const offer = reading.of(open);
  const tool = reading.toolOf(offer.operation ?? '');
  if (!tool || !isOffer(offer, reading) || text.length > MAX_LENGTH || text.includes('?')) return undefined;
  const ofPrice = /^(?:packages|products)_update$/.test(tool.id) ? ofStepAfterPrice(text, open, offer) : undefined;
  if (ofPrice !== undefined) return { text, kind: 'unclear', isRead: true, note: ofPrice };
  return (
    // Four digits may be those of another line.
    (/\d{5}|\bpin\b/iu.test(text) ? ofPin(text, open, reading) : undefined) ??
    withQuoted(text, open, tool, reading) ??
    withCase(text, open, tool, reading) ??
    withChoice(text, open, tool, reading) ??
    (Object.keys(usernameIn(text, tool).input).length > 0 ? partOfOffer(text, [open], reading) : undefined) ??
    ofCountOf(text, open, tool) ??
    ofOtherAmount(text, open, now, reading)
  );
}

/** Words around a text that say that it is another one. */
const OF_TEXT: ReadonlySet<string> = new Set(
  'say says said saying read reads text message msg sms body name names called call title write wording word words content label new'.split(
    ' ',
  ),
);

/** The texts of an offer that the order has in its words, longest first. */
function textsOf(open: string, tool: Tool, reading: Reading): string[] {
  const { input } = reading.of(open);
  return fieldsOf(tool)
    .flatMap((field) =>
      /^(?:text|multiline)$/.test(field.kind) && typeof input[field.name] === 'string'
        ? [String(input[field.name])]
        : [],
    )
    .filter((value) => value !== '' && open.includes(value))
    .sort((one, two) => two.length - one.length);
}

/** The order with another text in the place of one that it has. Undefined if it would be read as another order. */
function withText(open: string, old: string, text: string, reading: Reading): Meant | undefined {
  const at = open.lastIndexOf(old);
  const isQuoted = /["“„]\s*$/.test(open.slice(0, at));
  const full = `${open.slice(0, at)}${isQuoted ? text : `"${text}"`}${open.slice(at + old.length)}`;
  const [before, after] = [reading.of(open), reading.of(full)];
  const isPlaced = after.operation === before.operation && Object.values(after.input).includes(text);
  return isPlaced ? { text: full, kind: 'corrects', before: open } : undefined;
}

/** "Should say “…”": the text in quotation marks takes the place of the offered one, and no word of it is read. */
function withQuoted(text: string, open: string, tool: Tool, reading: Reading): Meant | undefined {
  const [quoted, ...others] = [...text.matchAll(/["“„](?<inner>[^"“”„]+)["”“]/gu)];
  if (!quoted || others.length > 0) return undefined;
  const [old, ...more] = textsOf(open, tool, reading);
  const rest = text.replace(quoted[0], ' ');
  if (!areBeside(rest, OF_TEXT) || old === undefined || more.length > 0) return undefined;
  return withText(open, old, quoted.groups?.inner?.trim() ?? '', reading);
}

const CASE = /\b(?:lower|upper|small|capital)[\s-]*(?:case|letters?)?\b|\bcap(?:s|itals?)\b/iu;

/** "Lower case please, reception": the offered text in another case. */
function withCase(text: string, open: string, tool: Tool, reading: Reading): Meant | undefined {
  const found = CASE.exec(text);
  if (!found) return undefined;
  for (const old of textsOf(open, tool, reading)) {
    const at = text.toLowerCase().indexOf(old.toLowerCase());
    const said = at < 0 ? undefined : text.slice(at, at + old.length);
    const rest = text.replace(found[0], ' ').replace(said ?? '', ' ');
    if (!areBeside(rest, new Set(['all', 'in', 'with', 'letters', 'the']))) continue;
    const isLower = /^(?:lower|small)/iu.test(found[0]);
    const next = said ?? (isLower ? old.toLowerCase() : old.toUpperCase());
    if (next !== old) return withText(open, old, next, reading);
  }
  return undefined;
}

/** Words that name how a value of a list is meant. */
const OF_CHOICE: ReadonlySet<string> = new Set(
  'use using via method mode level type format auth authentication callback request requests'.split(' '),
);
/** Values of a field for a method, which the platform's lists name in part. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The values that a field may have. */
function choicesOf({ choices, known = [] }: Field): readonly string[] {
  const all = choices ?? known;
  const areMethods = !choices && all.length > 0 && all.every((one) => METHODS.includes(one));
  return areMethods ? [...new Set([...all, ...METHODS])] : all;
}

/** Of several fields that take a value, the one of what the offer changes: the method of its address. */
function fieldFor(fields: readonly Field[], text: string, input: Fields): Field | undefined {
  const isCallback = /\bcallbacks?\b/iu.test(text);
  const own = fields.filter(({ name }) => name.startsWith('Callback') === isCallback);
  const beside = own.filter(({ name }) => Object.keys(input).some((one) => one !== name && name.startsWith(one)));
  const [only, ...others] = own.length > 1 && beside.length > 0 ? beside : own;
  return others.length === 0 ? only : undefined;
}

/** "And use PUT": a value of a list of the offer. One that is a verb of orders needs a word for its field, or capitals. */
function withChoice(text: string, open: string, tool: Tool, reading: Reading): Meant | undefined {
  const { input, unitless } = reading.of(open);
  // “MB” is the unit of an amount that was said.
  if (unitless) return undefined;
  const tokens = text.match(/[\p{L}\d_-]+/gu) ?? [];
  const fields = fieldsOf(tool).filter(({ name }) => !/[2-9]$/.test(name));
  const found = tokens.flatMap((token) => {
    const choice = fields.flatMap(choicesOf).find((one) => one.toLowerCase() === token.toLowerCase());
    return choice === undefined ? [] : [{ token, choice }];
  });
  const [only, ...others] = found;
  if (!only || others.length > 0 || isFilter(tool)) return undefined;
  const { token, choice } = only;
  const field = fieldFor(
    fields.filter((one) => choicesOf(one).includes(choice)),
    text,
    input,
  );
  if (!field || input[field.name] === choice) return undefined;
  const isCued = tokens.some((one) => OF_CHOICE.has(one.toLowerCase()));
  const isShouted = token.length > 1 && token === token.toUpperCase();
  if (wordsOf(token.toLowerCase()).some(({ acts }) => acts.length > 0) && !isCued && !isShouted) return undefined;
  if (tokens.length > 1 && !isCued && !isShouted) return undefined;
  if (/\bnot\b|n['’]t\b/iu.test(text) || !areBeside(text.replace(token, ' '), OF_CHOICE)) return undefined;
  const bare = text.trim().replace(/^(?:and|also|plus|then)\s+/iu, '');
  reading.join(`, ${bare}`, { operation: tool.id, input: { [field.name]: choice }, left: [] });
  const kind = input[field.name] === undefined ? 'adds' : 'corrects';
  const told = field.choices ?? field.known ?? [];
  const note = told.includes(choice) ? {} : { note: `Only ${told.join(' and ')} are documented for it` };
  return { text: `${open.replace(/[\s.!]+$/, '')}, ${bare}`, kind, before: open, ...note };
}

/** True for a filter, whose levels are read by the words for them. */
function isFilter({ id }: Tool): boolean {
  return TRAFFIC.some(({ create, update }) => create === id || update === id);
}

const REPORT =
  /^\W*(?:(?:no|wait|actually|sorry|oh|ah|hm+|ok|okay|but|well)[\s,.!]+)*(?:s?hes?|they|theyre|its?|(?:the|her|his|their)\s+\p{L}+|customer|client)(?:['’](?:s|re))?\s+[^,;.!"“]{1,50}[,;.!–-]+\s*(?:so\s+|then\s+|better\s+|rather\s+)*(?<rest>\p{L}[^,;!?]{1,30})$/iu;

/** "He is 9, child": the correction by the value behind the report of why. Undefined for other messages. */
export function withoutReport(text: string, open: string, reading: Reading): string | undefined {
  const rest = REPORT.exec(text)?.groups?.rest;
  if (rest === undefined || rest.trim().split(/\s+/).length > 3) return undefined;
  const value = `no, ${rest}`;
  return partOfOffer(value, [open], reading) ? value : undefined;
}

const COUNTS = 'one two three four five six seven eight nine ten'.split(' ');
const COUNT = new RegExp(
  String.raw`^\W*(?:(?:no+|ok|okay|wait|oh|actually|sorry|and|well|please|pls|hm+)[\s,.!]+)*(?:(?:make|take|do|get|need|want|order|we|i|it|that|them|better|rather|just|only)\s+)*(?<count>\d{1,2}|a\s+few|several|${COUNTS.join('|')})(?:\s+(?:of\s+(?:them|those|these|it)|lines?|numbers?|more|is|are|will|would|enough|plenty|fine|ok|okay|do|be|please|pls|instead|then))*[\s.!]*$`,
  'iu',
);

/** "Make it two" of an order that makes one number: a note that the offer stays, and on how to make more. */
function ofCountOf(text: string, open: string, { id }: Tool): Meant | undefined {
  const count = MAKES_NUMBER.has(id) ? COUNT.exec(text)?.groups?.count?.toLowerCase() : undefined;
  if (count === undefined) return undefined;
  const isOne = count === 'one' || count === '1';
  const note = isOne
    ? `It makes one number, as you say. “${open}” is as it was`
    : `It makes one number at a time, and not ${count}: send it again for each further one. “${open}” is as it was`;
  return { text, kind: 'unclear', isRead: true, note };
}

const LIMIT = 'numbers_data_usage_set';
const LINES: ReadonlySet<Value['kind']> = new Set(['number', 'digits', 'person']);
const FURTHER = /^\W*(?:(?:ok|okay|oh)[\s,]+)*(?:and|also|plus|then)\s+/iu;

/** "And ben's line with 3 gb" after limits for other lines: the same change with its own amount. */
function ofOtherAmount(text: string, open: string, now: number, reading: Reading): Meant | undefined {
  if (reading.of(open).operation !== LIMIT || !FURTHER.test(text)) return undefined;
  const said = values(text, now);
  const [who, ...others] = said.filter(({ kind }) => LINES.has(kind));
  const [amount, ...more] = said.filter(({ kind }) => kind === 'amount');
  if (!who || !amount || others.length + more.length > 0 || said.length > 2) return undefined;
  if (open.toLowerCase().includes(who.text.toLowerCase())) return undefined;
  const rest = text
    .replace(who.text, ' ')
    .replace(amount.text, ' ')
    .replace(/['’]s\b/gu, ' ');
  if (!areBeside(rest, new Set(['gets', 'get', 'at', 'limit', 'cap', 's']))) return undefined;
  const full = `set the data limit of ${who.text} to ${amount.text}`;
  return reading.of(full).operation === LIMIT ? { text: full, kind: 'again', before: open } : undefined;
}

const GETS_TOO =
  /^\W*(?:(?:hm+|oh|ok|okay|and|actually|well|so|wait)[\s,]+)*(?<who>\S(?:[^,;.!?]{0,40}\S)?)\s+(?:(?:should|must|shall|can|could|needs?|wants?|has|have)\s+)?(?:(?:to|also)\s+)*(?:gets?|receives?|have|needs?|wants?|be\s+sent|see)\s+(?:it|this|that|one|the\s+same|(?:the|this|that)\s+(?:text|message|sms|one))\b(?<also>[\s,]+(?:as\s+well|too|also))?[\s.!]*$/iu;

/** "Ben should get it as well": the same order for one more, in words that repeat it. Undefined for other messages. */
export function asFurtherOne(text: string, now: number): string | undefined {
  const { who, also } = GETS_TOO.exec(text)?.groups ?? {};
  if (who === undefined || (also === undefined && !/\balso\b/iu.test(text))) return undefined;
  const [one, ...others] = values(who, now).filter(({ kind }) => LINES.has(kind));
  return one && others.length === 0 ? `same for ${one.text}` : undefined;
}

const NOT_FROM =
  /[\s,]+(?:and\s+)?(?:but\s+)?not\s+(?<role>from|to)\s+(?<one>[#…*]*\+?[\d\p{L}][\d\p{L}-]*)(?=\s*(?:$|[,.;!]))/iu;

/** "From 0101 not from 0103" of an order where 0103 is the receiver: the message without what is not so anyway. */
export function withoutOtherRole(text: string, open: string): string | undefined {
  const { role, one } = NOT_FROM.exec(text)?.groups ?? {};
  if (
    role === undefined ||
    one === undefined ||
    !new RegExp(String.raw`\b${role}\s`, 'iu').test(text.replace(NOT_FROM, ''))
  )
    return undefined;
  const isInRole = new RegExp(String.raw`\b${role}\s+(?:\p{L}+\s+){0,2}?[#…*]*${one.replace(/\W/g, '')}`, 'iu').test(
    open,
  );
  return isInRole ? undefined : text.replace(NOT_FROM, '');
}
