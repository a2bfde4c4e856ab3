import type { GuidedAnswer } from '../../../assistant/guided/answer.ts';
import { act, numbersOf } from '../../../cards/actions.ts';
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
  const looking = slack.gate.preview(tool.id, input, actor).then(
    () => undefined,
    (error: unknown) => {
      const { face, message } = asSwitchboardError(error);
      slack.log('info', { operation: tool.id, error: String(error) }, 'a change cannot be offered');
      return face.code === 'invalid_input' ? slack.reworded(message.replace(/^\w+: /, '')) : undefined;
    },
  );
  return slack.web.inTime(looking);
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
  // The rest of a problem tells a caller which field to change.
  const [why = problem] = problem.split('. ');
  const text = `${why.replace(/\+\d{7,15}/g, (number) => formatPhone(number).national)}. Nothing was done.`;
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
