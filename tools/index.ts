import type { Tool } from '../src/catalogue/operation.ts';
import * as all from './all.ts';
import { groups } from './groups.ts';

const GROUPS = Object.keys(groups);

/** The place of a tool in its group: those that the group names come first, then the others by id. */
function place({ id, group }: Tool): number {
  const { order = [] } = groups[group] ?? {};
  return order.includes(id) ? order.indexOf(id) : order.length;
}

const listed = Object.values<Tool>(all).sort(
  (a, b) =>
    GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group) ||
    place(a) - place(b) ||
    (a.id < b.id ? -1 : Number(a.id > b.id)),
);

/** One call of the platform each, by group. */
export const operations = listed.filter((tool) => tool.kind === 'operation');

/** Several operations as one tool. */
export const workflows = listed.filter((tool) => tool.kind === 'workflow');

export const tools: readonly Tool[] = [...operations, ...workflows];
