import { fieldsOf } from '../../../catalogue/fields.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { listedIn } from '../../../language/records.ts';
import { type Actor, hasRole } from '../../../lib/actor.ts';
import { textOf } from '../../../lib/json.ts';
import { recordListMessage, sentencesMessage } from '../blocks/record-list.ts';
import type { StoredResult } from '../blocks/stored-result.ts';
import type { Message } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';

/** Rows whose other records are named. */
const MOST_NAMED = 25;

/** A list of records as sentences with their actions; undefined for an answer that is no such list. */
export async function recordList(
  slack: SlackContext,
  tool: Tool,
  result: StoredResult,
  actor: Actor,
): Promise<Message | undefined> {
  const offered = () => slack.tools.filter((one) => hasRole(actor, neededRole(one).ask));
  if (tool.kind === 'operation' && tool.sentences !== undefined && result.mismatched.length === 0)
    return sentencesMessage(result, tool.sentences, { input: result.read?.input ?? {}, tools: offered() });
  const listed = tool.kind === 'operation' ? listedIn(tool.id, result.value) : undefined;
  // Lines have many values each, which people compare in a table; an undocumented answer is shown as it came.
  if (listed === undefined || listed.kind.numbers === 'Number' || result.mismatched.length > 0) return undefined;
  const { kind, rows } = listed;
  const names = new Map<string, string>();
  for (const member of kind.refers ?? []) {
    const field = slack.tools.flatMap(fieldsOf).find(({ name }) => name === member);
    if (field === undefined) continue;
    for (const row of rows.slice(0, MOST_NAMED)) {
      const id = textOf(row[member]);
      const name = names.get(id) ?? (await slack.records.nameOf(field, id, actor).catch(() => undefined));
      if (name !== undefined) names.set(id, name);
    }
  }
  const changes = slack.tools.flatMap((one) => {
    const field = one.removes ?? (one.current?.keys.length === 1 ? one.current.keys[0] : undefined);
    const isOwn = field !== undefined && kind.id.includes(field) && one.risk !== 'read';
    return isOwn && hasRole(actor, neededRole(one).ask) ? [{ tool: one, field }] : [];
  });
  // What takes a record away stands last.
  changes.sort((one, other) => Number(one.tool.removes !== undefined) - Number(other.tool.removes !== undefined));
  return recordListMessage(result, { kind, rows, changes, nameOf: (id) => names.get(id) });
}
