import { references } from '../../../../tools/surfaces/records.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { listedIn, recordHit } from '../../../language/records.ts';
import type { Shown, ShownRecord } from '../../../language/shown.ts';
import { lookups } from '../../../language/typed-values.ts';
import type { Actor } from '../../../lib/actor.ts';
import { type Fields, isRecord, textOf } from '../../../lib/json.ts';
import type { SlackContext } from '../context.ts';

/* The records that an answer in plain words shows. They are kept for the next message of the conversation. */

/** Messages of one conversation whose records are kept. */
const MAX_KEPT = 20;
/** The lines that are watched. */
const WATCHES = 'numbers_watches';

/** The records of an answer. Undefined for one that shows none, such as a total or a period. */
export async function shownIn(
  slack: SlackContext,
  { tool, input, value }: { tool: Tool; input: Fields; value: Fields },
  actor: Actor,
): Promise<Shown | undefined> {
  const all = lookups(slack.tools, slack.groups);
  if (all.some(({ find }) => find?.tool.id === tool.id))
    return Array.isArray(value.Numbers)
      ? { noun: 'line', records: value.Numbers.filter(isRecord).map(lineOf) }
      : undefined;
  const lookup = all.find((one) => one.tool.id === tool.id);
  if (lookup) {
    const [own, holder] = [value.Number, value.Subscriber].map((one) => (isRecord(one) ? one : {}));
    const line = { ...own, Number: input[lookup.field], Customer: holder?.Name };
    const beside = await slack.records.usedBy(value, actor).catch(() => []);
    return {
      noun: 'line',
      records: [lineOf(line)],
      beside: beside.filter(({ id }) => id !== '').map(({ noun, name }) => ({ noun, name })),
    };
  }
  if (tool.id === WATCHES && Array.isArray(value.Results)) {
    const lines = value.Results.filter(isRecord).map(({ PhoneNumber }) => ({ name: textOf(PhoneNumber) }));
    return { noun: 'line', records: lines };
  }
  const listed = listedIn(tool.id, value);
  if (listed) {
    const { kind, rows } = listed;
    if (kind.names.length === 0 || kind.numbers !== undefined) return undefined;
    return {
      noun: kind.noun,
      records: rows.map((row) => ({ name: recordHit(kind, row).label.split(' · ')[0] ?? '' })),
    };
  }
  const read = references.find((one) => one.read?.operation === tool.id);
  const names = read && [value, ...Object.values(value).filter(isRecord)].map((one) => read.nameOf(one));
  const name = names?.find((one) => one !== undefined);
  return read && name !== undefined ? { noun: read.noun, records: [{ name }] } : undefined;
}

function lineOf({ Number: number, Customer: holder, Account: account, Status: state }: Fields): ShownRecord {
  return {
    name: textOf(number),
    ...(textOf(holder) !== '' && { holder: textOf(holder) }),
    ...(textOf(account) !== '' && { account: textOf(account) }),
    ...(/^cancel/i.test(textOf(state)) && { isCancelled: true }),
  };
}

/** Keeps what the answer to a message showed, for the conversations that it belongs to. */
export function keepShown({ memory }: SlackContext, keys: readonly string[], text: string, shown: Shown): void {
  for (const key of new Set(keys))
    memory.shown.set(key, [...(memory.shown.get(key) ?? []), { text, shown }].slice(-MAX_KEPT));
}
