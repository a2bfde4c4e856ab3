import { guides } from '../../../../tools/surfaces/flows.ts';
import { type Guide, orderEnd } from '../../../../tools/surfaces/guides/guide.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { type Fields, objectIn, textOf } from '../../../lib/json.ts';

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

/** The values that a button gives a guide: fields, or a text that names a number or an order. */
export function guideValues(guide: Guide, given: string): Fields {
  return objectIn(given) ?? guide.reads(given) ?? (given === '' ? {} : { [guide.names.field]: given });
}

/** The guide whose orders this operation corrects, if the values name an order. */
export function correctionOf(tools: readonly Tool[], tool: Tool, values: Fields): Guide | undefined {
  return guidesFor(tools).find((guide) => {
    const end = orderEnd(guide);
    return end?.correct.operation === tool.id && textOf(values[end.key]) !== '';
  });
}

/** The guides whose operations are all available. */
export function guidesFor(tools: readonly Tool[]): Guide[] {
  return guides.filter((guide) => operationsOf(guide).every((operation) => tools.some(({ id }) => id === operation)));
}

function operationsOf(guide: Guide): string[] {
  const runs = guide.steps.flatMap(({ run }) => (run ? [run.operation] : []));
  const end = orderEnd(guide);
  return end ? [...runs, end.follow.operation] : runs;
}
