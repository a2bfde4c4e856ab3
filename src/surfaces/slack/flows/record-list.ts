import { type RecordKind, references } from '../../../../tools/surfaces/records.ts';
import { inputOf, isOfLines, recordsCard, sentencesCard } from '../../../cards/list.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { neededRole } from '../../../catalogue/offered.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { listedIn } from '../../../language/records.ts';
import { type Actor, hasRole } from '../../../lib/actor.ts';
import { type Fields, textOf } from '../../../lib/json.ts';
import { listMessage } from '../blocks/found.ts';
import type { StoredResult } from '../blocks/result.ts';
import type { Message } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';

/* Answers that are lists: each row in a sentence, with what its reader can do with it. */

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
  const { sentences } = tool;
  if (sentences !== undefined && Array.isArray(result.value[sentences.of]) && result.mismatched.length === 0)
    return listMessage(
      sentencesCard(result.value, sentences, {
        input: result.read?.input ?? {},
        tools: offered(),
        nameOf: (id) => knownName(slack, id),
        handle: result.id,
      }),
      { reworded: slack.reworded },
    );
  const listed = tool.kind === 'operation' ? listedIn(tool.id, result.value) : undefined;
  // An undocumented answer is shown as it came.
  if (listed === undefined || result.mismatched.length > 0) return undefined;
  const { kind, rows } = listed;
  // Chosen members of lines are compared in a table.
  if (isOfLines(kind) && rows.some(({ Status }) => Status === undefined)) return undefined;
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
  const list = recordsCard(
    result.value,
    { kind, rows, offered: actionsOn(kind, rows[0] ?? {}, offered()), nameOf: (id) => names.get(id) },
    result.id,
  );
  return listMessage(list, { reworded: slack.reworded });
}

/** Actions beside each record of a list. */
const MOST_ACTIONS = 2;

/** The changes of one record of a list, and its details where fewer are offered. Those that remove it come last. */
function actionsOn(kind: RecordKind, row: Fields, offered: readonly Tool[]): Tool[] {
  const fitting = offered.filter((one) => one.kind === 'operation' && inputOf(one, kind, row) !== undefined);
  const isRemoval = ({ removes }: Tool) => removes !== undefined;
  const changes = fitting.filter(({ risk }) => risk !== 'read');
  const details = references.find(({ noun }) => noun === kind.noun)?.read?.operation;
  const read = changes.length < MOST_ACTIONS ? fitting.filter(({ id }) => id === details) : [];
  return [...changes.filter((one) => !isRemoval(one)), ...read, ...changes.filter(isRemoval)];
}

/** The name of a record, or of the customer of a line, as far as this process has read it. */
function knownName({ directory }: SlackContext, id: string): string | undefined {
  const label = directory.nameOf(id);
  // A line is known by its customer: "Ava Stone · (201) 555-0101 · Acme Mobile".
  const [name, ...others] = label?.split(' · ') ?? [];
  return id.startsWith('+') && others.length === 0 ? undefined : name;
}
