import type { Change } from '../catalogue/change.ts';
import { markedNames } from '../catalogue/json-schema.ts';
import type { Tool } from '../catalogue/operation.ts';
import { changeOf } from '../ledger/action.ts';
import type { Action } from '../ledger/ledger.ts';
import { visible } from '../lib/text.ts';
import { type ChangeLine, changeLine, changeText, fromTo, memberText, partyText } from './card.ts';

/* The rows of a question that say what changes, for whom, and what stays. */

/** One member of what will be sent, never shortened. A value may have several lines. */
export interface AskedRow {
  label: string;
  value: string;
  /** Part of the list of a batch, which a page shows as a table. */
  isList?: boolean;
  /** Words about what will be sent, which are not sent themselves. */
  isText?: boolean;
  /** A member that changes, or an address that something leads to. */
  isChange?: boolean;
  /** An id or another value that people read only if they want to. */
  isDetail?: boolean;
}

/** Lines of one customer that a change names; the list of the rows has all of them. */
const MOST_OF = 5;

/** Lists values that change with their owner, results, and values sent unchanged. */
export function changeRows(tool: Tool | undefined, action: Pick<Action, 'known' | 'consent'>): AskedRow[] {
  const change = changeOf(action);
  if (change === undefined) return [];
  const files = filesOf(tool);
  const several = new Set(change.rows.map(({ of }) => of)).size > 1;
  const lines = change.rows.map((row) => ({ ...changeLine(row, change.names, files), target: row.of }));
  const rows = several
    ? [...new Set(lines.map(({ what }) => what))].map((what) => ({
        label: what,
        value: byCustomer(
          lines.filter((line) => line.what === what),
          change.names,
        ),
      }))
    : lines.map((line) => ({ label: line.what, value: changeText(line) }));
  return [
    ...rows.map((row) => ({ ...row, isChange: true as const })),
    ...change.leads.map(({ what, to, from }) => ({
      label: visible(what),
      value: from === undefined ? visible(to) : fromTo(visible(from), visible(to)),
      isChange: true as const,
    })),
    ...keptRows(change),
  ];
}

/**
 * One member that changes for several lines: a line of text for each customer and change, such as "Ava Stone · Acme
 * Mobile, 3 lines (+1…, +1…, +1…): 90 → 300". Every customer is named. Numbers that are sent themselves, such as those
 * of receivers, are one line.
 */
export function byCustomer(lines: readonly (ChangeLine & { target: string })[], names: Change['names']): string {
  const groups = new Map<string, { who: string; value: string; targets: string[] }>();
  for (const line of lines) {
    const isLine = line.target.startsWith('+');
    const who = (isLine ? names[line.target]?.name : line.of) ?? '';
    const text = changeText(line, who);
    const value = text === line.target ? '' : text;
    const key = JSON.stringify([who, value]);
    const group = groups.get(key) ?? { who: visible(who), value, targets: [] };
    if (isLine) group.targets.push(line.target);
    groups.set(key, group);
  }
  return [...groups.values()]
    .map(({ who, value, targets }) => {
      // A message is sent to the number that its row is about.
      const isOwn = value !== '' && targets.length === 1 && value.startsWith(targets[0] ?? '');
      const whose = isOwn ? '' : whoText(who, targets, value === '' ? 'numbers' : 'lines');
      return [whose, value].filter((text) => text !== '').join(': ');
    })
    .join('\n');
}

function whoText(who: string, targets: readonly string[], noun = 'lines'): string {
  if (targets.length === 0) return who;
  const named = targets.slice(0, MOST_OF).join(', ') + (targets.length > MOST_OF ? ', …' : '');
  const count = targets.length === 1 ? named : `${targets.length} ${noun} (${named})`;
  return who === '' ? count : `${who}, ${count}`;
}

/** Lists values sent unchanged, as the platform replaces the whole record. Values that differ name their record. */
function keptRows({ keeps, names }: Change): AskedRow[] {
  const values = new Map<string, Map<string, string[]>>();
  for (const kept of keeps) {
    const { of, what, value } = kept;
    const same = values.get(visible(what)) ?? new Map<string, string[]>();
    const text = memberText(kept, value, names);
    values.set(visible(what), same.set(text, [...(same.get(text) ?? []), of]));
  }
  const lines = [...values].flatMap(([what, same]) =>
    [...same].map(([text, of]) => (same.size > 1 ? `${what}, ${partiesText(of, names)}: ${text}` : `${what}: ${text}`)),
  );
  if (lines.length < 2) return lines.map((value) => ({ label: 'Stays as it is', value, isText: true }));
  return [{ label: `${lines.length} others stay as they are`, value: lines.join('; '), isText: true, isDetail: true }];
}

function partiesText(of: readonly string[], names: Change['names']): string {
  return of.every((one) => one.startsWith('+'))
    ? whoText('', of)
    : [...new Set(of)].map((one) => partyText(one, names)).join(', ');
}

/** The names of a tool's members that hold files. */
export function filesOf(tool: Tool | undefined): ReadonlySet<string> {
  return new Set(tool ? markedNames(tool.input, 'input', 'attachment') : []);
}
