import { changeLines, changeText } from '../../../cards/values.ts';
import type { Change } from '../../../catalogue/operation.ts';
import { formatPhone } from '../../../language/show.ts';
import { withheldIn } from '../../../platform/dialect/activation.ts';
import { IDS } from '../ids.ts';
import type { StoredResult } from './stored-result.ts';
import { actions, type Block, button, cut, escaped, lines, type Message, rich, say, small } from './text.ts';

const MOST_CHANGES = 40;

/**
 * What was changed, one member a line: "Caller first name  none → Bob". Rows of several lines name each.
 *
 * @param isPart true if other lines were asked for too, for which nothing was done
 */
export function changedLines(change: Change | undefined, most: number, isPart = false): Block[] {
  if (change === undefined || change.rows.length === 0) return [];
  const { changes, more } = changeLines(change, most);
  const targets = new Set(change.rows.map(({ of }) => of));
  const several = targets.size > 1 || (isPart && !targets.has(''));
  const rows = changes.map((line) => [
    rich.bold(several ? `${line.what}, ${line.of}` : line.what),
    rich.text(`  ${cut(changeText(line), 500)}`),
  ]);
  return [lines(rows), ...(more > 0 ? [small(escaped(`… ${more} more changes`))] : [])];
}

/**
 * The answer to a change of a record that is done: what changed, before and after. "Details" shows the whole answer.
 * Undefined for a new record, whose ids people need, and for an answer that says more than that it was done.
 */
export function changedMessage(result: StoredResult): Message | undefined {
  const { id, title, change, value, partly, mismatched, notes } = result;
  if (!change || change.rows.length === 0 || change.rows.some(({ of }) => of === '')) return undefined;
  if (partly || mismatched.length > 0 || value.Warning !== undefined || value.Resolved !== undefined) return undefined;
  if (withheldIn(value).length > 0) return undefined;
  const of = new Set(change.rows.map((row) => row.of));
  const [one = ''] = of;
  const about = of.size === 1 && one.startsWith('+') ? [' ', rich.code(formatPhone(one).e164)] : [];
  const customer = change.concerns.join(', ');
  return {
    text: escaped(`✅ ${title}: done`),
    blocks: [
      say('✅ ', rich.bold(title), ...about, ': done'),
      ...(customer === '' ? [] : [say(rich.bold('Customer'), `  ${cut(customer, 500)}`)]),
      ...changedLines(change, MOST_CHANGES),
      ...(notes.length > 0 ? [small(escaped(notes.join(' ')))] : []),
      ...(id === undefined
        ? []
        : [
            actions(
              `result:${id}`,
              button(IDS.page, 'Details', `${id}|0`),
              button(IDS.share, 'Share', `${id}|0`),
              button(IDS.json, 'JSON', `${id}|0`),
            ),
          ]),
    ],
  };
}
