import type { GuidedAnswer } from '../../../assistant/guided/answers/answer.ts';
import { takesNumbers } from '../../../assistant/guided/answers/fill.ts';
import { act, numbersOf } from '../../../cards/actions.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { keysOf } from '../../../gate/change.ts';
import { formatPhone } from '../../../language/show.ts';
import type { Actor } from '../../../lib/actor.ts';
import { asSwitchboardError } from '../../../lib/errors.ts';
import type { Fields } from '../../../lib/json.ts';
import { buttonsOf } from '../blocks/fitting.ts';
import { actions, type Block, escaped, type Message, say, small } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';

/* Checks a change in plain words against the record's state, so that a problem shows before a form or question. */

/** Says why a change cannot be done, such as that the line is active already. Undefined if it can. */
export async function problemOf(
  slack: SlackContext,
  tool: Tool,
  input: Fields,
  actor: Actor,
): Promise<string | undefined> {
  const looking = slack.gate.check(tool.id, input, actor).then(
    () => undefined,
    (error: unknown) => {
      const { face, message } = asSwitchboardError(error);
      slack.log('info', { operation: tool.id, error: String(error) }, 'a change cannot be offered');
      return face.code === 'invalid_input' ? slack.reworded(message.replace(/^\w+: /, '')) : undefined;
    },
  );
  return slack.web.inTime(looking);
}

/** A change of several lines without those that cannot be changed, and why each of them cannot. */
export interface Apart {
  input: Fields;
  problems: readonly string[];
  /** True if no line is left. */
  isNone: boolean;
}

/**
 * Removes from a change of several lines those that prevent it, such as one that is on hold already.
 *
 * @returns undefined if it has one line alone, or if no line is in the way
 */
export async function apartOf(
  slack: SlackContext,
  tool: Tool,
  input: Fields,
  actor: Actor,
): Promise<Apart | undefined> {
  const list = fieldsOf(tool).find((field) => takesNumbers(field) && Array.isArray(input[field.name]));
  const rows: unknown = list && input[list.name];
  if (!list || !Array.isArray(rows) || rows.length < 2 || rows.length > MAX_APART) return undefined;
  const looked = await Promise.all(
    rows.map(async (row: unknown) => ({
      row,
      problem: await problemOf(slack, tool, { ...input, [list.name]: [row] }, actor),
    })),
  );
  const left = looked.filter(({ problem }) => problem === undefined).map(({ row }) => row);
  const problems = looked.flatMap(({ problem }) => problem ?? []);
  return problems.length === 0
    ? undefined
    : { input: { ...input, [list.name]: left }, problems, isNone: left.length === 0 };
}

/** The customers of the lines of an input, of a list of customers with their lines. */
export function ofLines(customer: string | undefined, input: Fields): string | undefined {
  const lines = numbersOf([input]).map((phone) => formatPhone(phone).national);
  return customer
    ?.split(/, (?=[^,]* · )/)
    .filter((one) => lines.some((line) => one.includes(line)))
    .join(', ');
}

/** Says that a line is left out of a change of several, and why. */
export function leftOut(problem: string): Block {
  return say('ℹ️ ', `${shortProblem(problem)}. It is left out.`);
}

/** Most lines that are looked at one by one. */
const MAX_APART = 20;

/** The first sentence of a problem, with numbers as people write them. The rest tells a caller which field to change. */
export function shortProblem(problem: string): string {
  const [why = problem] = problem.replace(/\.$/, '').split('. ');
  return why.replace(/\+\d{7,15}/g, (number) => formatPhone(number).national);
}

/** The other change of the same line that its state leaves, such as an activation. Undefined if there is none. */
export async function otherOf(
  slack: SlackContext,
  { orElse, ...answer }: GuidedAnswer,
  input: Fields,
  actor: Actor,
): Promise<{ tool: Tool; answer: GuidedAnswer } | undefined> {
  const tool = slack.tools.find(({ id }) => id === orElse?.operation);
  const number = Object.values(input).find((value) => typeof value === 'string' && value.startsWith('+'));
  if (!tool || !orElse || typeof number !== 'string') return undefined;
  const other = slack.assistant.guide.withNumber({ ...answer, ...orElse }, number);
  return (await problemOf(slack, tool, other.input, actor)) === undefined ? { tool, answer: other } : undefined;
}

/** Why values cannot go with those that the record has now, such as a throttle above its limit. */
export async function conflictOf(
  slack: SlackContext,
  tool: Tool,
  input: Fields,
  actor: Actor,
): Promise<string | undefined> {
  if (tool.current?.whole === undefined || !tool.input.safeParse(input).success) return undefined;
  // A form in which no value is filled in yet is no conflict.
  const keys = keysOf(tool);
  if (Object.keys(input).every((name) => keys.includes(name))) return undefined;
  return (await problemOf(slack, tool, input, actor))?.replace(/^is needed/, 'A limit is needed');
}

/** Says why there is nothing to change. */
export function nothingToDo(customer: string | undefined, problem: string, input: Fields): Message {
  const text = `${shortProblem(problem)}. Nothing was done.`;
  const whose = customer === undefined ? [] : [`${customer}\n`];
  const [phone, ...others] = numbersOf([input]);
  const look = phone === undefined || others.length > 0 ? [] : [actions('look', ...buttonsOf([act('look', phone)]))];
  return { text: escaped(text), blocks: [say('ℹ️ ', ...whose, text), ...look] };
}

/** Says that a line is not of the person whom the words name beside it. */
export function otherHolder(beside: string | undefined, customer: string | undefined): Block[] {
  const [first = ''] = beside?.split(' ') ?? [];
  // An order or a subscription is known by its line: "subscription of (201) 555-0105".
  const isOwner = customer === undefined || !/^\p{Ll}+ of /u.test(customer);
  if (!beside || !isOwner || customer?.toLowerCase().includes(first.toLowerCase())) return [];
  // A line that was typed as a whole was not looked up.
  const isKnown = customer !== undefined && /\p{L}/u.test(customer);
  if (!isKnown) return [small(escaped(`Not taken: ${beside}. Whose line this is was not looked up.`))];
  return [small(escaped(`Not taken: ${beside}. This line is of ${shortName(customer) ?? customer}.`))];
}

/** A customer or a line without the account and the address: "Ava Stone · (201) 555-0101". */
export function shortName(label: string | undefined): string | undefined {
  const [name, ...others] = label?.split(' · ') ?? [];
  const phone = others.find((part) => /^\(?\+?[\d() -]{7,}$/.test(part));
  return phone === undefined ? name : `${name} · ${phone}`;
}
