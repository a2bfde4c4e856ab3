import { isChange, type Tool } from '../../catalogue/operation.ts';
import type { Fields } from '../../lib/json.ts';
import { type GuidedAnswer, help } from './answer.ts';
import { aboutOf, ruleOf } from './rules.ts';
import type { Meant } from './thread.ts';

/** The answer to a message that its thread explains, with a sentence that says how it was read. */
export function inThread(
  { text, kind, before = '', word }: Meant,
  alone: (text: string) => GuidedAnswer,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer {
  if (kind === 'alone') return alone(text);
  if (kind === 'cost') return costOf(alone(before), toolOf) ?? alone(text);
  if (kind === 'back') {
    const tool = toolOf(alone(before).operation ?? '');
    const isOffer = tool !== undefined && tool.risk !== 'read';
    const told = `“${before}” is taken back: its offer is withdrawn, and by itself it did nothing`;
    return isOffer ? { ...help(told), withdraws: true as const } : alone(text);
  }
  const guided = alone(text);
  const told =
    kind === 'refers'
      ? `; “${word?.said}” is read as ${word?.means}, which you named before`
      : kind === 'adds'
        ? `; it goes on with “${before}”`
        : kind === 'again' || kind === 'corrected'
          ? `; read as “${text}”${kind === 'again' ? ', like the message before' : ''}`
          : `; read as “${text}”. It takes the place of “${before}”, which is withdrawn`;
  return {
    ...guided,
    ...(kind === 'corrects' && { withdraws: true as const }),
    understood: guided.understood === '' ? '' : `${guided.understood.replace(/\.$/, '')}${told}.`,
    remarks: `${guided.remarks ?? ''}${told}`,
  };
}

/** The cost of a change in an earlier message. Undefined if that message asked for none. */
function costOf(
  { operation = '', input }: GuidedAnswer,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer | undefined {
  const tool = toolOf(operation);
  if (!tool || !isChange(tool)) return undefined;
  const cost = statedCost(tool, input);
  const why =
    cost === undefined
      ? `"${tool.title}" has no cost of its own that is documented. Its confirmation says what it does`
      : `"${tool.title}" costs: ${cost}`;
  const about = aboutOf(ruleOf(tool, input), tool, toolOf);
  return { ...help(`${why}. Nothing was done yet`), operation, about };
}

/** The cost in the question about a change. Values that are not known yet are those of its example. */
function statedCost(tool: Tool, input: Fields): string | undefined {
  try {
    return tool.consent?.({ ...tool.examples[0], ...input }, {}, '').cost;
  } catch {
    return undefined;
  }
}
