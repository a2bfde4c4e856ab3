import { TRAFFIC, type Traffic } from '../../../tools/surfaces/guard.ts';
import type { GuidedAnswer } from '../../assistant/guided/answers/answer.ts';
import { rowsOn } from '../../assistant/guided/answers/present-rows.ts';
import { firstSettings, settingsOn } from '../../assistant/guided/filters/present-filter.ts';
import { currentIn } from '../../catalogue/current.ts';
import type { Tool } from '../../catalogue/operation.ts';
import type { Gate } from '../../gate/gate.ts';
import { type Fields, isRecord, textOf } from '../../lib/json.ts';
import type { CallIo } from './io.ts';
import { withNamedRecords } from './names.ts';

/* Changes of a filter that need what it has now, at a terminal: the words of the command go to those that the filter has. */

/** A change with its filter, and what is said above its command. */
interface OnPresent {
  tool: Tool;
  input: Fields;
  note?: string;
  /** True if nothing can be done, which the note says. */
  isNothing?: true;
}

/** The change of the filter that an answer means, with what stays of its lists. Undefined for an answer that needs no read. */
export async function onPresentFilter(
  tool: Tool,
  answer: GuidedAnswer,
  { io, gate }: { io: CallIo; gate: Gate },
): Promise<OnPresent | undefined> {
  const { input, words, softer, addsNotices } = answer;
  const traffic = TRAFFIC.find(({ update }) => update === tool.id);
  if (!traffic || (words === undefined && softer === undefined && !addsNotices)) return undefined;
  const whose = textOf(input.FilterId ?? input.SubscriberId);
  const list = io.tools.find(({ id }) => id === traffic.list);
  if (whose === '' || !list) return { tool, input, note: `Name the line or the customer of the ${traffic.noun}.` };
  const read = await withNamedRecords(
    { tool: list, input: /^[+\d]/.test(whose) ? { Phone: whose } : { SubscriberId: whose } },
    io,
  );
  const performed = await gate.perform(list.id, read.input, io.actor);
  if (performed.kind !== 'done') return undefined;
  const rows = Array.isArray(performed.value.Results) ? performed.value.Results.filter(isRecord) : [];
  const [only, ...others] = rows;
  if (!only) return firstOf(traffic, { tool, answer, whose, read: read.input, note: read.notes[0] }, io);
  if (others.length > 0)
    return {
      tool,
      input,
      isNothing: true,
      note: `${whose} has ${rows.length} ${traffic.noun}s: name the line, so that the present list is kept.`,
    };
  const { FilterId, SubscriberId = input.SubscriberId } = only;
  const changed = settingsOn(traffic, only, { ...input, SubscriberId, FilterId }, answer);
  const isSame = softer !== undefined && changed.FilterMode === undefined;
  return isSame
    ? {
        tool,
        input: changed,
        isNothing: true,
        note: `The ${traffic.noun} of ${whose} has no such level beside its own.`,
      }
    : { tool, input: changed };
}

/** The change of a list of a record, with the entries that it has now. Undefined for an answer that needs no read. */
export async function onPresentRows(
  tool: Tool,
  { input, rows }: GuidedAnswer,
  { io, gate }: { io: CallIo; gate: Gate },
): Promise<OnPresent | undefined> {
  if (!rows || !tool.current) return undefined;
  const named = await withNamedRecords({ tool, input }, io);
  const read = tool.current.input(named.input);
  const performed = read && (await gate.perform(tool.current.read, read, io.actor).catch(() => undefined));
  const present = performed?.kind === 'done' ? currentIn(tool, performed.value, named.input) : undefined;
  return { tool, ...rowsOn(rows, named.input, present) };
}

/** The first filter of a line or a customer, for a change that makes one. */
function firstOf(
  { create, noun, ...traffic }: Traffic,
  asked: { tool: Tool; answer: GuidedAnswer; whose: string; read: Fields; note: string | undefined },
  io: CallIo,
): OnPresent {
  const { tool, answer, whose, read } = asked;
  const { FilterId: _, SubscriberId = whose, ...settings } = answer.input;
  const first = firstSettings({ create, noun, ...traffic }, settings, answer.words);
  const made = io.tools.find(({ id }) => id === create);
  const none = `${whose} has no ${noun}`;
  if (!first || !made)
    return { tool, input: answer.input, isNothing: true, note: `${none}, so there is nothing to change.` };
  const Phone = read.Phone === undefined ? {} : { Phone: read.Phone };
  return { tool: made, input: { SubscriberId, ...Phone, ...first }, note: `${none} yet, so this makes the first one.` };
}
