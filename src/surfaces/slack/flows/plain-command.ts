import { recordKinds } from '../../../../tools/surfaces/records.ts';
import type { GuidedAnswer } from '../../../assistant/guided/answers/answer.ts';
import { inputWith } from '../../../cards/line-actions.ts';
import type { Parsed } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { wordsOf as commandWords } from '../../../language/command-words.ts';
import { parseRows } from '../../../language/parse.ts';
import { wordsOf } from '../../../language/sentence.ts';
import { kindOf, lookups, referencesIn, unquoted } from '../../../language/typed-values.ts';
import { defined, type Fields, textOf } from '../../../lib/json.ts';
import { jsonText } from '../../../lib/text.ts';
import { withoutTypedSecrets } from '../../../lib/typed-secrets.ts';
import { escaped, small } from '../blocks/text.ts';
import { noticeLine } from '../blocks/turn.ts';
import type { SlackContext } from '../context.ts';
import type { Origin } from '../types.ts';
import { admitted, Reply } from './engine.ts';
import { showGuided } from './guided.ts';

/*
 * Commands whose words fit no operation, or no field of it, are read as plain words: "/numbers usage 0105",
 * "/packages update starter price 12", "/number 0101 why".
 */

/** `Field=value` or `Field=`, which only the syntax of commands has. */
const FIELD = /(?:^|\s)[A-Za-z][\w.]*=/;
const HAS_NUMBER = /\d{3}/;
const NOTHING = /^That names no number|was not understood|were not understood/i;

/**
 * The words of a command that say what it means, in the writer's words, with the noun of its group, or with the title of
 * its operation. Undefined if plain words are no clearer.
 *
 * @param tool the operation that the line begins with
 */
export function plainWords(slack: SlackContext, group: string, line: string, tool?: Tool): string | undefined {
  return plainAnswer(slack, group, line, tool)?.text;
}

/** Like `plainWords`, for words that ask for a change. */
export function plainOrder(slack: SlackContext, group: string, line: string): string | undefined {
  const { text, answer } = plainAnswer(slack, group, line) ?? {};
  return answer?.kind === 'form' || answer?.kind === 'question' ? text : undefined;
}

/** Like `plainWords`, where the line begins with a read: another name is no order to change something. */
export function plainRead(slack: SlackContext, group: string, line: string): string | undefined {
  const { text, answer } = plainAnswer(slack, group, line) ?? {};
  const tool = slack.tools.find(({ id }) => id === answer?.operation);
  return tool?.risk === 'read' ? text : undefined;
}

/**
 * The operation that a command with a slip of the keyboard asks for, with what it says filled in. Undefined if plain words
 * are no clearer.
 */
export function nearestOf(slack: SlackContext, group: string, line: string): { operation: string; input: Fields }[] {
  const { answer } = plainAnswer(slack, group, line) ?? {};
  if (answer?.operation === undefined) return [];
  const query = textOf(Object.values(answer.find?.input ?? {})[0]);
  const { input } = query === '' ? answer : slack.assistant.guide.withNumber(answer, query);
  return [{ operation: answer.operation, input }];
}

/** The operations that the first word of a line may mean, each with the numbers of the line. */
export function mayMean({ tools, groups }: SlackContext, group: string, line: string) {
  const [word = ''] = line.trim().toLowerCase().split(/\s+/);
  const { targets } = parseRows(group, line, tools);
  return (groups[group]?.unclear?.[word] ?? []).flatMap(({ operation, label, given }) => {
    const tool = tools.find(({ id }) => id === operation);
    return tool ? [{ operation, input: { ...inputOf(tool, targets), ...given }, ...defined({ label }) }] : [];
  });
}

/** The input with all the numbers, if the operation takes several. */
function inputOf(tool: Tool, numbers: readonly string[]): Fields {
  const [first, ...others] = numbers.map((number) => inputWith(tool, number));
  const takesAll = others.length === 0 || Object.values(first ?? {}).every(Array.isArray);
  if (first === undefined || !takesAll) return {};
  return Object.fromEntries(
    Object.entries(first).map(([name, value]) => [
      name,
      Array.isArray(value) ? [...value, ...others.flatMap((one) => one[name])] : value,
    ]),
  );
}

function plainAnswer(slack: SlackContext, group: string, line: string, tool?: Tool) {
  if (FIELD.test(line) || unquoted(line) !== line.trim()) return undefined;
  const { tools, assistant } = slack;
  // "List" and "routes" need the noun of the group; "block +1… for 0102" and "limit 0101" do not.
  const ofGroup = `${group.replace(/s$/, '')} ${line}`;
  const ofRecord = tool === undefined ? ofNamedRecord(slack, group, line) : undefined;
  if (ofRecord) return ofRecord;
  const hasNumber = HAS_NUMBER.test(line);
  const titled = tool ? [`${tool.title} ${withoutWords(tool, line)}`] : [];
  const clear = [...(hasNumber ? [line, ofGroup] : [ofGroup, line]), ...titled]
    .map((text) => ({ text, answer: assistant.guide.answer(withoutTypedSecrets(text).text) }))
    .filter(({ answer }) => isClear(slack, answer, line));
  // "Voice off 0101" asks for more than the card of 0101.
  const isSearch = ({ operation }: GuidedAnswer) =>
    lookups(tools, slack.groups).some((one) => [one.tool.id, one.find?.tool.id].includes(operation));
  const meant = clear.sort((a, b) => Number(isSearch(a.answer)) - Number(isSearch(b.answer)));
  const isOf = ({ operation }: GuidedAnswer) => operation === tool?.id;
  const isInGroup = ({ operation }: GuidedAnswer) => tools.find(({ id }) => id === operation)?.group === group;
  return (
    meant.find(({ answer }) => isOf(answer) && answer.remarks === undefined) ??
    meant.find(({ answer }) => isOf(answer)) ??
    // The words of a change ask for that change alone.
    (tool !== undefined && tool.risk !== 'read' ? undefined : meant.find(({ answer }) => isInGroup(answer))) ??
    (tool === undefined ? meant[0] : undefined)
  );
}

/**
 * The answer to a line that names a record of its group beside a number: "/packages give starter 0103". Without the noun
 * of the group behind it, the name would be read as that of a person.
 */
function ofNamedRecord({ tools, assistant }: SlackContext, group: string, line: string) {
  const noun = group.replace(/s$/, '');
  const kind = recordKinds.find((one) => one.noun === noun && one.names.length > 0 && one.numbers === undefined);
  const names = namesIn(line);
  const name = names.join(' ');
  const at = line.toLowerCase().indexOf(name) + name.length;
  if (kind === undefined || names.length === 0 || at < name.length || !HAS_NUMBER.test(line)) return undefined;
  const text = `${line.slice(0, at)} ${noun}${line.slice(at)}`;
  const answer = assistant.guide.answer(withoutTypedSecrets(text).text);
  const tool = tools.find(({ id }) => id === answer.operation);
  const fits = (tool ? fieldsOf(tool) : []).some((field) => {
    const of = kindOf(field);
    const given = textOf(answer.input[field.name]).toLowerCase();
    // "Remove starter 0103" ends the subscription to it.
    return of === kind ? given === name : given !== '' && kind.id.some((id) => of?.refers?.includes(id));
  });
  return fits ? { text, answer } : undefined;
}

/** False for an answer that says no more than the command itself. */
function isClear({ tools, groups }: SlackContext, answer: GuidedAnswer, line: string): boolean {
  const { kind, operation, input, about, find, understood } = answer;
  if (NOTHING.test(understood)) return false;
  if (kind === 'help') return about !== undefined || operation === undefined;
  const fields = Object.keys(input);
  const isOwnSearch = lookups(tools, groups).some(({ find: search }) => {
    if (!search || operation !== search.tool.id || fields.some((field) => field !== search.field)) return false;
    // A search without a criterion is refused.
    if (fields.length === 0) return find === undefined;
    return [line.trim(), withoutWords(search.tool, line)].includes(textOf(input[search.field]));
  });
  if (isOwnSearch) return false;
  // A title before the writer's words may hide what they say.
  const carried = `${jsonText([input, find, answer.each, answer.guideInput])}${understood}`;
  const said = withoutTypedSecrets(line).text;
  // A name that is told as not taken says no more than the command.
  const { understood: _, remarks: __, wordsLeft: ___, ...taken } = answer;
  const named = jsonText(taken).toLowerCase();
  return (
    digitsIn(said).every((digits) => carried.includes(digits)) && namesIn(said).every((name) => named.includes(name))
  );
}

/** The runs of digits of a line. */
function digitsIn(line: string): string[] {
  return [...line.matchAll(/\d{3,}/g)].map(([digits]) => digits);
}

/** The words of a line that no sentence has, in lower case: a name, which an answer must not drop. */
function namesIn(line: string): string[] {
  return wordsOf(line).flatMap(({ isUnknown, plain }) =>
    isUnknown && /^\p{L}{3,}$/u.test(plain) ? [plain.toLowerCase()] : [],
  );
}

/** A line without the words of its operation, whose last `get` may be left out. */
export function withoutWords(tool: Tool, line: string): string {
  const words = commandWords(tool).map((word, i) => `${i === 0 ? '' : '[\\s_/-]+'}${word}`);
  const last = words.at(-1)?.endsWith('get') ? `(?:${words.pop()})?` : '';
  return line.replace(new RegExp(`^\\s*${words.join('')}${last}\\b`, 'i'), '').trim();
}

/**
 * True for a line of no operation: an unknown one, or a read of a record whose name consists of everyday words, such as
 * "list all".
 */
export function fitsNone(parsed: Parsed, line: string): boolean {
  if (parsed.kind === 'problem') return true;
  if (parsed.kind !== 'call' || parsed.tool.risk !== 'read') return false;
  const name = referencesIn(parsed.tool, parsed.input).find(({ text }) => line.trim().endsWith(text));
  const words = wordsOf(name?.text ?? '');
  // Digits have no words.
  return words.length > 0 && words.every(({ isUnknown }) => !isUnknown);
}

/** True for a read of one record that the line spells out and names: "get data". The words may be those of a sentence. */
export function namesOne(parsed: Parsed, line: string): boolean {
  return parsed.kind === 'call' && parsed.tool.id.endsWith('_get') && /^\S*\bget\s+\S/i.test(line.trim());
}

/**
 * Answers a command that was read as plain words, with what its writer may use.
 *
 * @param reason the reason for the approvers that the command gave, which no offer carries
 */
export async function answerPlain(slack: SlackContext, text: string, origin: Origin, reason?: string): Promise<void> {
  const reply = new Reply(slack, origin, { replaces: true });
  const member = await admitted(slack, origin, 'viewer', reply);
  if (!member) return;
  const { actor, zone } = member;
  const { guided, notices } = slack.assistant.aside({ text, writer: actor, zone });
  await showGuided(slack, guided, { text, origin, actor, replaces: true });
  const left = `Not taken: the reason “${reason}”. Write it in the form.`;
  if (reason !== undefined) await reply.add({ text: escaped(left), blocks: [small(escaped(left))] });
  for (const notice of notices) await reply.add({ text: notice.text, blocks: [noticeLine(notice)] });
}
