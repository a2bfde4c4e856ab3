import { menuGuarded, menuServices, menuStates, type NextStep } from '../../tools/groups.ts';
import { hasData } from '../../tools/shared/line.ts';
import { eventOperations } from '../../tools/surfaces/events.ts';
import type { Field } from '../catalogue/field-types.ts';
import { fieldsOf, soleMember } from '../catalogue/fields.ts';
import { fieldProblems } from '../catalogue/input.ts';
import { neededRole, type Tool } from '../catalogue/operation.ts';
import { stateMark } from '../language/show.ts';
import { kindOf, lookups } from '../language/typed-values.ts';
import { type Actor, hasRole } from '../lib/actor.ts';
import { type Fields, recordOf, textOf } from '../lib/values.ts';
import { readFlag } from '../platform/dialect/readings.ts';
import { withheldIn } from '../platform/dialect/redact.ts';
import { act } from './actions.ts';
import { type CardAction, LABELS, type Open } from './card.ts';

/* Offers for a number the step that puts its trouble right, the next steps that fit it, and all operations for it. */

/** The reader of a number's card, which decides its offers. */
export interface LineReader {
  /** Left out if no role is known. */
  actor?: Actor | undefined;
  tools: readonly Tool[];
  groups: Readonly<Record<string, { title: string; lookup?: string; find?: string; next?: readonly NextStep[] }>>;
  /** True if the form of all filters of a number can be opened. */
  hasGuard: boolean;
  /** The stored answer, of which details and the eSIM's code are shown; empty for none. */
  handle?: string | undefined;
}

/** Facts about a number that decide which steps fit it. */
interface NumberFacts {
  phone: string;
  /** Status as the platform spells it; empty if unknown. */
  state: string;
  watched?: boolean;
  /** The number's record. */
  record?: Fields;
  /** The account of the number. A distributor with several accounts must name one. */
  account?: string | undefined;
}

/**
 * Returns the actions for a number, the most wanted first; the menu of all operations, and the details of the answer,
 * are last.
 *
 * @param open the step that puts right what is wrong
 */
export function lineActions(
  { value, phone, open, watched }: { value: Fields; phone: string; open: Open | undefined; watched: boolean },
  { actor, tools, groups, hasGuard, handle }: LineReader,
): CardAction[] {
  const source = `${handle}|0`;
  const answer = handle ? [act('page', source), act('share', source)] : [];
  if (actor === undefined) return answer;
  const allowed = tools.filter((tool) => hasRole(actor, neededRole(tool).ask));
  // The record that has the number's state; empty for an answer without one.
  const record =
    Object.values(value)
      .map(recordOf)
      .find((part) => 'Status' in part) ?? {};
  const account = Object.values(value)
    .map((part) => textOf(recordOf(part).AccountId))
    .find((id) => id !== '');
  const number = { phone, state: textOf(record.Status), watched, record, account };
  const wanted = Object.values(groups).flatMap(({ next = [] }) => next);
  const steps = stepActions(
    allowed,
    wanted.filter(({ operation, form }) => operation !== open?.operation && (form !== 'guard' || hasGuard)),
    number,
  );
  const fixing = allowed.find(({ id }) => id === open?.operation);
  const fix = open && fixAction(open, fixing);
  // A line out of service has no use for the code of its eSIM.
  const hasCode =
    handle && stateMark(record.Status) === '●' && hasRole(actor, 'operator') && withheldIn(value).length > 0;
  return [
    ...(fix ? [{ ...fix, style: 'primary' as const }] : []),
    ...steps.slice(0, 2),
    ...(hasCode ? [act('qr', source)] : []),
    ...steps.slice(2),
    ...menuAction(allowed, groups, number),
    ...answer,
  ];
}

/** The wanted steps that exist in the catalogue and fit this number. */
export function stepActions(tools: readonly Tool[], wanted: readonly NextStep[], number: NumberFacts): CardAction[] {
  return wanted.flatMap((step): CardAction[] => {
    const tool = tools.find(({ id }) => id === step.operation);
    const { label = tool?.title ?? '', given = {}, atOnce = false, form, guide, states, watched, has } = step;
    const { phone, account, record } = number;
    const isWatched = watched === undefined || number.watched === undefined || watched === number.watched;
    const isKnown = has === undefined || textOf(record?.[has]) !== '';
    const isInState = states === undefined || states.some((prefix) => number.state.startsWith(prefix));
    const fits = isWatched && isKnown && isInState;
    if (!tool || !fits || !hasService(tool, record) || !hasHolder(tool, record)) return [];
    if (form === 'guard') return [act('guard', phone, { label })];
    if (guide !== undefined) return [act('guide', `${guide}|${phone}`, { label })];
    const owner = account !== undefined && 'AccountId' in tool.input.shape ? { AccountId: account } : {};
    const value = `${tool.id}|${JSON.stringify({ ...inputWith(tool, phone), ...owner, ...given })}`;
    return [act(atOnce ? 'run' : 'fill', value, { label })];
  });
}

/**
 * The step that puts right what is wrong. Undefined if its operation is not offered. A read runs at once, and a change
 * whose values are all known is asked about at once; for any other its form opens with the fields that are
 * left to choose.
 */
export function fixAction({ does, operation, input, needs }: Open, tool: Tool | undefined): CardAction | undefined {
  if (tool === undefined) return undefined;
  // The form says the rest.
  const [first = ''] = does.split(/\.(?:\s|$)/);
  const label = operation === eventOperations.correctOrder.operation ? LABELS.orderFix : first;
  const isWhole = needs.length === 0 && fieldProblems(tool, input, ANY_TIME).length === 0;
  const id = tool.risk === 'read' || isWhole ? 'run' : 'fill';
  const asks = id === 'fill' && needs.length > 0 ? `|${needs.join(',')}` : '';
  return act(id, `${operation}|${JSON.stringify(input)}${asks}`, label === '' ? {} : { label });
}

/** No day of an input is over at this time. */
const ANY_TIME = new Date(0);

/** The menu of all operations that take a number and fit its state. */
function menuAction(
  allowed: readonly Tool[],
  groups: LineReader['groups'],
  { phone, state, record }: NumberFacts,
): CardAction[] {
  const found = new Set(lookups(allowed, groups).map(({ tool }) => tool.id));
  const fitting = allowed.filter(
    (tool) =>
      phoneField(tool) &&
      !found.has(tool.id) &&
      !menuGuarded.test(tool.id) &&
      // The state may be unknown.
      (menuStates[tool.id]?.some((one) => state === '' || state.startsWith(one)) ?? true) &&
      hasService(tool, record) &&
      hasHolder(tool, record),
  );
  const options = Object.entries(groups).map(([name, { title }]) => ({
    group: title,
    choices: fitting
      .filter(({ group }) => group === name)
      .map(({ id, title: label }) => ({ label, value: `${id}|${phone}` })),
  }));
  const filled = options.filter(({ choices }) => choices.length > 0);
  return filled.length === 0 ? [] : [act('moreSteps', phone, { options: filled })];
}

/** False if an operation is for a service that the line does not have, or that is switched off. */
export function hasService({ id }: Tool, record: Fields = {}): boolean {
  const service = menuServices[id];
  if (service === 'sms') return readFlag(record.MessageEnabled) !== false;
  return service === undefined || hasData(record);
}

/** False if an operation is for the subscriber of a line that has none. */
function hasHolder(tool: Tool, record: Fields | undefined): boolean {
  if (record?.AssignedSubscriberId === undefined || textOf(record.AssignedSubscriberId) !== '') return true;
  return fieldsOf(tool).every((field) => !field.required || kindOf(field)?.noun !== 'subscriber');
}

/** The required field of an operation that a phone number fills. */
export function phoneField(tool: Tool): Field | undefined {
  return fieldsOf(tool).find((field) => field.required && holdsPhone(field));
}

/** The input of an operation with the number in its field: in the first one that `given` leaves open. */
export function inputWith(tool: Tool, phone: string, given: Fields = {}): Fields {
  const fields = fieldsOf(tool);
  const isOpen = (field: Field) => field.required && holdsPhone(field) && given[field.name] === undefined;
  const field = fields.find(isOpen) ?? fields.find(holdsPhone);
  if (!field) return {};
  // A list beside a customer has the numbers of others: the contacts of a filter.
  const owner = fields.find((one) => one.required && kindOf(one)?.noun === 'subscriber');
  if (owner && field.kind !== 'phone') return { [owner.name]: phone };
  const member = soleMember(field)?.name;
  const value = field.kind === 'phone' ? phone : field.kind === 'list' ? [phone] : [{ [member ?? 'Number']: phone }];
  return { [field.name]: value };
}

function holdsPhone(field: Field): boolean {
  if (field.kind === 'phone') return true;
  if (field.kind === 'list') return field.items?.kind === 'phone';
  return field.kind === 'rows' && soleMember(field)?.kind === 'phone';
}
