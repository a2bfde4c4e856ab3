import { type Guide, guides } from '../../../../tools/surfaces/flows.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { type Fields, textOf } from '../../../lib/json.ts';

/** The guide that a line starts, and the rest of the line. */
export function guideIn(group: string, text: string): { guide: Guide; rest: string } | undefined {
  const line = text.trim();
  for (const guide of guides) {
    const pattern = new RegExp(`^${guide.words.split(' ').join('[\\s_/-]+')}(?:\\s+|$)`, 'i');
    const match = guide.group === group ? pattern.exec(line) : null;
    if (match) return { guide, rest: line.slice(match[0].length).trim() };
  }
  return undefined;
}

/** The guide whose orders this operation corrects, if the values name an order. */
export function correctionOf(tools: readonly Tool[], tool: Tool, values: Fields): Guide | undefined {
  return guidesFor(tools).find(({ correct, key }) => correct.operation === tool.id && textOf(values[key]) !== '');
}

/** The guides whose operations are all available. */
export function guidesFor(tools: readonly Tool[]): Guide[] {
  return guides.filter(({ check, submit, follow }) =>
    [check, submit, follow].every(({ operation }) => tools.some((tool) => tool.id === operation)),
  );
}
