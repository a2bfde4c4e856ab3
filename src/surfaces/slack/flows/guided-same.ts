import { valueText } from '../../../cards/card.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { keysOf } from '../../../gate/change.ts';
import { choiceText } from '../../../language/member-words.ts';
import { formatPhone } from '../../../language/show.ts';
import type { Actor } from '../../../lib/actor.ts';
import { type Fields, textOf } from '../../../lib/json.ts';
import { isSame } from '../../../platform/dialect/readings.ts';
import type { SlackContext } from '../context.ts';
import { readCurrent } from './current.ts';

/* A change of a line to values that it has already, such as the route on which it is: no form is offered for it. */

const OF_A_LINE = 'numbers_update';
const PORTS_IN = 'numbers_portin';
/** A line that has left, or is going to. */
const GONE = /out|cancel|disconnect|delete|release/i;

/** Says that a number which is to be ported in is a line here. Undefined if it is none, or if that cannot be read. */
async function oursAlready(slack: SlackContext, phone: unknown, actor: Actor): Promise<string | undefined> {
  if (typeof phone !== 'string') return undefined;
  const reading = slack.gate.perform('numbers_get', { PhoneNumber: phone }, actor).catch(() => undefined);
  const read = await slack.web.inTime(reading);
  const state = read?.kind === 'done' ? textOf(read.value.Status) : '';
  if (state === '' || GONE.test(state)) return undefined;
  return `${formatPhone(phone).national} is a line here already (${state}): a port-in brings a number from another carrier`;
}

/** Says that the line has each of these values already. Undefined if it does not, or if that cannot be read. */
export async function alreadySo(
  slack: SlackContext,
  { tool, input }: { tool: Tool; input: Fields },
  actor: Actor,
): Promise<string | undefined> {
  if (tool.id === PORTS_IN) return oursAlready(slack, input.PortInNumber, actor);
  if (tool.id !== OF_A_LINE) return undefined;
  const keys = keysOf(tool);
  const given = fieldsOf(tool).filter(({ name }) => input[name] !== undefined && !keys.includes(name));
  if (given.length === 0) return undefined;
  const now = await slack.web.inTime(readCurrent(slack, { tool, input, actor }).catch(() => undefined));
  if (!now || !given.every(({ name }) => isSame(now[name], input[name]))) return undefined;
  const textOf = (name: string, value: unknown) =>
    (typeof value === 'string' ? slack.directory.nameOf(value) : undefined) ??
    choiceText(name, value) ??
    valueText(value);
  const values = given.map(({ name, label }) => `${label} ${textOf(name, input[name])}`);
  return `That is so already: ${values.join(', ')}`;
}
