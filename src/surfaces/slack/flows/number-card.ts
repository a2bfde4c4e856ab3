import { menuStates } from '../../../../tools/groups.ts';
import { headlineOf, type Open } from '../../../cards/card.ts';
import { lineCard } from '../../../cards/line.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { stateMark } from '../../../language/show.ts';
import { lookups } from '../../../language/typed-values.ts';
import { type Actor, hasRole } from '../../../lib/actor.ts';
import { type Fields, isRecord, textOf } from '../../../lib/json.ts';
import { withheldIn } from '../../../platform/dialect/activation.ts';
import { orderOf } from '../../../platform/dialect/orders.ts';
import { readOrElse } from '../../../store/key-values.ts';
import { qrButtons } from '../blocks/esim.ts';
import { draw } from '../blocks/fitting.ts';
import { fixButton } from '../blocks/found.ts';
import { moreActions, type NumberFacts, phoneField, type Step, stepButtons, stepsFor } from '../blocks/steps.ts';
import { cut, type Element, escaped, header, type Message } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { SLACK_ACTOR } from '../types.ts';
import { hasGuard } from './guard.ts';

/** Makes the action id of a fix unique beside the steps, which are numbered from 0. */
const FIX_POSITION = 9;
/** Slack accepts 50 blocks in a message. */
const MAX_BLOCKS = 50;

/** The reader of a card. */
export interface CardReader {
  /** Chooses the buttons; undefined for a card without buttons. */
  actor?: Actor;
  /** Handle of the stored answer; empty for a card without buttons; undefined while the answer is incomplete. */
  handle?: string;
  /** True for a card in place of a change: no button is the first one. */
  isInstead?: boolean;
}

/**
 * The card of a looked-up number; undefined for other operations. While the answer is incomplete, names and
 * Switchboard's own history are not read yet.
 */
export async function cardOf(
  slack: SlackContext,
  job: { tool: Tool; input: Fields },
  value: Fields,
  { actor, handle, isInstead = false }: CardReader,
): Promise<Message | undefined> {
  const field = lookupField(slack, job.tool);
  const asked = field && job.input[field];
  if (typeof asked !== 'string') return undefined;
  const { gate } = slack;
  const phone = numberOf(value) ?? asked;
  const history = gate.history(SLACK_ACTOR);
  const isWhole = handle !== undefined;
  const [recent, watches, inbound, uses, waiting] = await Promise.all([
    isWhole ? readOrElse(gate.actions.about(phone, 30, { whole: true }), []) : [],
    readOrElse(history.watched(), []),
    isWhole ? readOrElse(history.lastMessage(phone), undefined) : undefined,
    isWhole && actor ? slack.records.usedBy(value, actor) : [],
    readOrElse(history.waitingFor(phone), []),
  ]);
  const orders = [...new Set(recent.flatMap((action) => orderOf(action) ?? []))];
  const reports = new Map(
    await Promise.all(orders.map(async (id) => [id, await readOrElse(history.order(id), undefined)] as const)),
  );
  const record = mainRecord(value);
  const number = { state: textOf(record.Status), watched: watches.some((watch) => watch.phone === phone), record };
  const reader = handle === '' ? undefined : actor;
  const card = lineCard({
    phone,
    value,
    uses,
    recent: recent.map((action) => ({ action, tool: gate.tool(action.operation) })),
    inbound,
    waiting,
    reportOf: (id) => reports.get(id),
    timeZone: gate.timeZone,
  });
  const { first, next } = stepsUnder(slack, number, reader, card.open?.operation);
  const buttons = stepButtons({
    phone,
    value,
    fix: card.open && reader && fixOf(slack, card.open, reader, !isInstead),
    codes: handle && reader ? codesOf(value, handle, reader) : [],
    first,
  });
  const drawn = draw(card, { buttons, head: [header(headlineOf(card))] });
  const blocks = [...drawn.blocks, ...moreActions(phone, next, handle)];
  return { text: cut(escaped(headlineOf(card)), 300), blocks: blocks.slice(0, MAX_BLOCKS) };
}

/** The button of the eSIM's code, for operators. A line out of service has no use for it. */
function codesOf(value: Fields, handle: string, actor: Actor): Element[] {
  const isActive = stateMark(mainRecord(value).Status) === '●';
  return isActive && hasRole(actor, 'operator') ? qrButtons(handle, withheldIn(value).slice(0, 1)) : [];
}

/** The button of a fix, for people who may ask for it. */
function fixOf(slack: SlackContext, fix: Open, actor: Actor, isFirst: boolean): Element | undefined {
  const tool = slack.tools.find(({ id }) => id === fix.operation);
  if (!tool || !hasRole(actor, neededRole(tool).ask)) return undefined;
  return fixButton(fix, FIX_POSITION, tool.risk === 'read', isFirst ? { style: 'primary' } : {});
}

/** The number in a looked-up record, as the platform spells it. */
function numberOf(value: Fields): string | undefined {
  for (const part of Object.values(value)) {
    if (!isRecord(part)) continue;
    const found = Object.values(part).find((text) => typeof text === 'string' && /^\+\d{7,15}$/.test(text));
    if (typeof found === 'string') return found;
  }
  return undefined;
}

/** The record that has the number's state; empty for an answer without one. */
function mainRecord(value: Fields): Fields {
  return Object.values(value).find((part): part is Fields => isRecord(part) && 'Status' in part) ?? {};
}

/** The phone field of an operation that is the lookup of its group. */
export function lookupField({ tools, groups }: SlackContext, tool: Tool): string | undefined {
  return lookups(tools, groups).find((lookup) => lookup.tool.id === tool.id)?.field;
}

/**
 * Steps that a number offers to this person: some as buttons (`first`), and all operations by group (`next`). None for a
 * shared card.
 *
 * @param fixes the operation of a fix that already has a button
 */
export function stepsUnder(
  slack: SlackContext,
  number: NumberFacts,
  actor: Actor | undefined,
  fixes?: string,
): { first: Step[]; next: { group: string; tools: Tool[] }[] } {
  const allowed = slack.tools.filter((tool) => actor !== undefined && hasRole(actor, neededRole(tool).ask));
  const fitting = allowed.filter(
    (tool) => phoneField(tool) && lookupField(slack, tool) === undefined && isInMenu(tool, number.state),
  );
  const next = Object.entries(slack.groups).map(([name, { title }]) => ({
    group: title,
    tools: fitting.filter((tool) => tool.group === name),
  }));
  const first = Object.values(slack.groups).flatMap((group) => stepsFor(allowed, group.next ?? [], number));
  return {
    first: first.filter(({ tool, isGuard }) => tool.id !== fixes && !(isGuard && !hasGuard(slack.tools))),
    next: next.filter(({ tools }) => tools.length > 0),
  };
}

/** True if an operation fits a number in this state; the state may be unknown. */
function isInMenu({ id }: Tool, state: string): boolean {
  const states = menuStates[id];
  return states === undefined || (states.length > 0 && (state === '' || states.some((one) => state.startsWith(one))));
}
