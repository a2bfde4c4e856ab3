import { FILTER_LISTS, TRAFFIC } from '../../../../tools/surfaces/guard.ts';
import type { GuidedAnswer } from '../../../assistant/guided/answers/answer.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { Actor } from '../../../lib/actor.ts';
import { type Fields, isRecord, textOf } from '../../../lib/json.ts';
import type { SlackContext } from '../context.ts';
import { filtersOf } from './filters.ts';
import { numbersNamed, resolvedInTime } from './references.ts';

/*
 * Callers that words name by what was shown: "unblock 0150 for Ben" means the number on his lists that ends so, and "block
 * that sender" the only one whose messages were shown.
 */

const MESSAGES = 'message_search_get';
const SHORT = /^[#…*]*\d{3,7}$/;

/** The answer with the whole numbers of such callers. A remark names digits that are on no list, and the form asks. */
export async function withListed(slack: SlackContext, guided: GuidedAnswer, actor: Actor): Promise<GuidedAnswer> {
  const { operation = '', input, isOfSender } = guided;
  const asked = FILTER_LISTS[operation];
  const tool = slack.tools.find(({ id }) => id === operation);
  if (!asked || !tool) return guided;
  const { [asked.entries]: entries, ...rest } = input;
  const named = textOf(input.SubscriberId);
  if (isOfSender && entries === undefined) {
    const from = await onlySender(slack, named, actor);
    return from === undefined ? guided : { ...guided, input: { ...input, [asked.entries]: [from] } };
  }
  const short = Array.isArray(entries) ? entries.map(textOf) : [];
  if (short.length === 0 || !short.some((one) => SHORT.test(one))) return guided;
  const listed = await onLists(slack, { tool, named, traffic: asked.traffic }, actor);
  // A line of the platform that is to be blocked is on no list yet.
  const meant = (one: string) => onlyEnding(listed, one) ?? (asked.adds ? ownLine(slack, one, actor) : undefined);
  const found = await Promise.all(short.map((one) => (SHORT.test(one) ? meant(one) : one)));
  if (found.every((one) => one !== undefined)) return { ...guided, input: { ...rest, [asked.entries]: found } };
  const told = `; no number on the lists of “${named}” ends in ${short.join(', ')}: write the whole number`;
  return {
    ...guided,
    input: rest,
    kind: 'form',
    remarks: `${told}${guided.remarks ?? ''}`,
    understood: `${guided.understood.replace(/\.$/, '')}${told}.`,
  };
}

function onlyEnding(numbers: readonly string[], digits: string): string | undefined {
  const [only, ...others] = numbers.filter((number) => number.endsWith(digits.replace(/\D/g, '')));
  return others.length === 0 ? only : undefined;
}

/** Returns the only line of the platform that ends in these digits. */
async function ownLine(slack: SlackContext, digits: string, actor: Actor): Promise<string | undefined> {
  const found = await numbersNamed(slack, digits, actor).catch(() => undefined);
  return onlyEnding(found?.hits.map(({ value }) => value) ?? [], digits);
}

/** The numbers on all lists of a customer's filters. */
async function onLists(
  slack: SlackContext,
  { tool, named, traffic }: { tool: Tool; named: string; traffic: string },
  actor: Actor,
): Promise<string[]> {
  const resolution = await resolvedInTime(slack, { tool, input: { SubscriberId: named }, actor });
  const read = TRAFFIC.find(({ name }) => name === traffic);
  if (resolution?.kind !== 'clear' || !read) return [];
  const filters = await filtersOf(slack, read.list, textOf(resolution.input.SubscriberId), actor);
  return [
    ...new Set(
      (filters ?? []).flatMap((filter) => [read.blocked, read.allowed].flatMap((list) => textsIn(filter[list]))),
    ),
  ];
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map((one: unknown) => textOf(isRecord(one) ? Object.values(one)[0] : one)) : [];
}

/** The sender of all messages that the only line of a customer received. Undefined if there are several. */
async function onlySender(slack: SlackContext, named: string, actor: Actor): Promise<string | undefined> {
  try {
    const [line, ...others] = (await numbersNamed(slack, named, actor))?.hits ?? [];
    if (!line || others.length > 0) return undefined;
    const performed = await slack.gate.perform(MESSAGES, { PhoneNumber: line.value }, actor);
    const rows = performed.kind === 'done' ? performed.value.Results : undefined;
    const received = (Array.isArray(rows) ? rows.filter(isRecord) : []).filter(isReceived);
    const [from, ...more] = new Set(received.map(({ From }) => textOf(From)));
    return more.length === 0 ? from : undefined;
  } catch (error) {
    slack.log('info', { error: String(error) }, 'the sender of a message could not be read');
    return undefined;
  }
}

function isReceived({ Direction }: Fields): boolean {
  return !/^out/i.test(textOf(Direction));
}
