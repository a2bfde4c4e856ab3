import { kindOf } from '../../../../tools/shared/line.ts';
import type { GuidedAnswer } from '../../../assistant/guided/answers/answer.ts';
import { unreadText } from '../../../assistant/guided/answers/finder.ts';
import { toldToAdd, withMore } from '../../../assistant/guided/answers/more.ts';
import { rowsOn, rowsTold } from '../../../assistant/guided/answers/present-rows.ts';
import { MEMBER_TOLD, memberOn } from '../../../assistant/guided/changes/group-members.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { Actor } from '../../../lib/actor.ts';
import { type Fields, isRecord, textOf } from '../../../lib/json.ts';
import { phonesIn } from '../../../platform/dialect/phone.ts';
import type { SlackContext } from '../context.ts';
import { readCurrent } from './current.ts';
import { numbersNamed } from './references.ts';

/* Values of an offer that need a read: the sum of a limit and what is added to it, and an account that a name means. */

/** The answer without its search, if the name that it searches is that of an account, and of no subscriber. */
export function withoutAccountSearch(
  answer: GuidedAnswer,
  taken: readonly { text: string; value: string }[],
): GuidedAnswer {
  const query = Object.values(answer.find?.input ?? {})[0];
  const isAccount = taken.some(({ text, value }) => text === query && value.startsWith('AID-'));
  if (!isAccount) return answer;
  const { find: _find, ...rest } = answer;
  return rest;
}

/** The input with what the words add to the present value or list, and the sentence that says so. */
export async function withSum(
  slack: SlackContext,
  { tool, answer, input }: { tool: Tool; answer: GuidedAnswer; input: Fields },
  actor: Actor,
): Promise<{ input: Fields; note?: string }> {
  if (answer.members) return memberOn(answer.members, input, await groupOf(slack, input, actor));
  if (!answer.adds && !answer.rows) return { input };
  const reading = readCurrent(slack, { tool, input, actor }).catch(() => undefined);
  if (answer.rows) return rowsOn(answer.rows, input, await slack.web.inTime(reading));
  if (!answer.adds) return { input };
  return withMore(tool, answer.adds, input, await slack.web.inTime(reading));
}

/** The note on an amount that is added to the present value, for an answer that asks first which record is meant. */
export function stillToAdd({ adds }: GuidedAnswer): string[] {
  return adds ? [`${toldToAdd(adds).replace(/^\p{Ll}/u, (first) => first.toUpperCase())}.`] : [];
}

/** The workgroup of an input, with its members. Undefined if it cannot be read in time. */
async function groupOf(slack: SlackContext, { WorkgroupId }: Fields, actor: Actor): Promise<Fields | undefined> {
  const reading = slack.gate.perform('workgroups_get', { WorkgroupId }, actor).catch(() => undefined);
  const read = await slack.web.inTime(reading);
  return read?.kind === 'done' && isRecord(read.value) ? read.value : undefined;
}

/** The remarks without the one about an amount that is added or about a member, which `withSum` says with what is so. */
export function withoutSum({ adds, rows, members, remarks: all }: GuidedAnswer): string | undefined {
  if (members) return all?.replace(MEMBER_TOLD, '') || undefined;
  const remarks = rows && all !== undefined ? all.replace(rowsTold(rows), '') || undefined : all;
  if (!adds || remarks === undefined) return remarks;
  const rest = remarks.replace(`; ${toldToAdd(adds)}`, '');
  return rest === '' ? undefined : rest;
}

/** The answer where a search by words that may name nothing finds nothing. Undefined for any other answer. */
export async function unreadGuess(
  slack: SlackContext,
  { isGuess, input, remarks = '' }: GuidedAnswer,
  actor: Actor,
): Promise<Pick<GuidedAnswer, 'understood' | 'isUnread'> | undefined> {
  const query = textOf(input.Query);
  if (!isGuess || query === '') return undefined;
  const found = await numbersNamed(slack, query, actor).catch(() => undefined);
  return found?.hits.length === 0 ? { understood: `${unreadText(query)}${remarks}.`, isUnread: true } : undefined;
}

/** The answer about what an account has, if the name of a search is one of an account and of no customer. */
export async function ofAccountNamed(slack: SlackContext, guided: GuidedAnswer, actor: Actor): Promise<GuidedAnswer> {
  const { orAccount, isList: _list, find: _find, ...rest } = guided;
  if (!orAccount) return guided;
  const { name, noun, ...meant } = orAccount;
  const finding = slack.records.accountNamed(name, actor, noun).catch(() => undefined);
  if ((await slack.web.inTime(finding)) === undefined) return guided;
  const nearest = rest.nearest?.filter(({ operation }) => operation !== meant.operation);
  return { ...rest, ...meant, ...(nearest && { nearest }) };
}

/** The second list of an account whose name the words have. None for the name of a customer. */
export async function furtherOf(slack: SlackContext, guided: GuidedAnswer, actor: Actor): Promise<GuidedAnswer[]> {
  const { name, further } = guided.orAccount ?? {};
  if (name === undefined || further === undefined) return [];
  const finding = slack.records.accountNamed(name, actor).catch(() => undefined);
  return (await slack.web.inTime(finding)) === undefined ? [] : [{ kind: 'lookup', ...further }];
}

/** The input with the kind of its line as `Type`, where the operation requires one and the words name none. Reads the line. */
export async function withTypeOfLine(
  slack: SlackContext,
  { tool, input, labels }: { tool: Tool; input: Fields; labels: ReadonlyMap<string, string> },
  actor: Actor,
): Promise<Fields> {
  const field = fieldsOf(tool).find(({ name, required }) => name === 'Type' && required);
  const [phone] = phonesIn(labels.get(textOf(input.TNID)) ?? '');
  if (!field || phone === undefined || input.Type !== undefined) return input;
  const reading = slack.gate.perform('numbers_get', { PhoneNumber: phone }, actor).catch(() => undefined);
  const read = await slack.web.inTime(reading);
  const kind = read?.kind === 'done' && isRecord(read.value) ? kindOf(read.value) : '';
  const Type = field.choices?.find((choice) => choice.toLowerCase() === kind);
  return Type === undefined ? input : { ...input, Type };
}
