import { type Fields, isRecord, joined, scalarText, type Words, words } from '../lib/values.ts';
import { quoted } from '../platform/dialect/phone.ts';
import { isSame } from '../platform/dialect/readings.ts';
import { batchedBy } from './change.ts';
import { currentIn, recordIn } from './compare.ts';
import type { Finding, Tool, Trace } from './operation.ts';

/** Maximum number of records that one reading reads. */
const MOST = 20;
/** Largest number of members that a finding names. */
const NAMED = 5;

/**
 * The tool, with a rule that reads an unknown outcome where its definition has none: the record is compared with what was
 * sent, if the operation may be repeated and its record can be read.
 */
export function withReadBack(tool: Tool): Tool {
  if (tool.reconcile || !tool.current || !tool.resend) return tool;
  const reconcile = (input: Fields, trace: Trace) => readBack(tool, input, trace);
  // A spread would make the schemas.
  return Object.freeze(Object.assign(Object.create(null, Object.getOwnPropertyDescriptors(tool)), { reconcile }));
}

/** One record that the call should have changed. */
interface Target {
  /** Its number or id. */
  name: string;
  input: Fields;
  /** The entry of the list that names it, if the call names several. */
  row?: unknown;
}

async function readBack(tool: Tool, input: Fields, trace: Trace): Promise<Finding> {
  const targets = targetsOf(tool, input);
  if (targets === undefined) return { outcome: 'unknown', saw: 'the call names no record that can be read' };
  const looked = await Promise.all(targets.map((target) => lookAt(tool, target, trace)));
  const saw = joined(
    looked.map((one) => one.saw),
    '; ',
  );
  if (looked.some(({ found }) => found === 'unknown')) return { outcome: 'unknown', saw };
  const done = looked.filter(({ found }) => found === 'done');
  if (done.length === 0) return { outcome: 'not_done', saw };
  if (done.length === looked.length) return { outcome: 'done', result: input, saw };
  const list = batchedBy(tool)?.list ?? '';
  const rows = (some: typeof looked) => some.map(({ target }) => target.row);
  const failed = looked.filter(({ found }) => found === 'not_done');
  return { outcome: 'partly', result: { [list]: rows(done), FailedChange: rows(failed) }, saw };
}

/** The records that a call names, one by one; undefined if they cannot be read. */
function targetsOf(tool: Tool, input: Fields): Target[] | undefined {
  const { list, row } = batchedBy(tool) ?? {};
  const entries: unknown = list === undefined ? undefined : input[list];
  if (list === undefined || row === undefined || !Array.isArray(entries)) {
    const [key = ''] = tool.current?.keys ?? [];
    return tool.current?.input(input) === undefined ? undefined : [{ name: scalarText(input[key]), input }];
  }
  if (entries.length > MOST) return undefined;
  return entries.map((entry: unknown) => ({
    name: isRecord(entry) ? scalarText(entry[row]) : '',
    input: { ...input, [list]: [entry] },
    row: entry,
  }));
}

async function lookAt(
  tool: Tool,
  target: Target,
  trace: Trace,
): Promise<{ target: Target; found: 'done' | 'not_done' | 'unknown'; saw: Words }> {
  const { current } = tool;
  const { name, input } = target;
  const others = await trace.about(name);
  if (current === undefined || others.some(({ operation }) => operation === tool.id)) {
    return { target, found: 'unknown', saw: words`another call has changed ${quoted(name)} since` };
  }
  const answer = await trace.call(current.read, current.input(input) ?? {});
  const record = recordIn(tool, answer, input) ?? {};
  const now = currentIn(tool, answer, input);
  const sent = Object.keys(input).filter((field) => input[field] !== undefined && !current.keys.includes(field));
  const left = current.replaces ? Object.keys(now).filter((field) => input[field] === undefined) : [];
  const differing = [...sent.filter((field) => field in now && !isSame(input[field], now[field])), ...left];
  const isNothing = (value: unknown) => value === null || value === undefined || value === '';
  // A value that was removed and that the record does not have is as it was sent.
  const hidden = sent.filter(
    (field) => !(field in now) && !(isNothing(input[field]) && isNothing(record[current.members?.[field] ?? field])),
  );
  const shows = words`${current.read} shows for ${quoted(name)}`;
  if (differing.length > 0) {
    const values = differing.slice(0, NAMED).map((field) => words`${field} ${quoted(JSON.stringify(now[field]))}`);
    return { target, found: 'not_done', saw: words`${shows} ${joined(values, ', ')}` };
  }
  if (hidden.length > 0) {
    return { target, found: 'unknown', saw: words`${shows} no ${hidden.slice(0, NAMED).join(', ')} to compare` };
  }
  return { target, found: 'done', saw: words`${shows} the values that were sent` };
}
