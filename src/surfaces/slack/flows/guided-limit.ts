import type { GuidedAnswer } from '../../../assistant/guided/answers/answer.ts';
import type { Actor } from '../../../lib/actor.ts';
import type { SlackContext } from '../context.ts';
import { readCurrent } from './current.ts';

/* "30" after a limit that was shown: the present limit of the line says which unit is meant. */

const GB = 1024;

/** The answer with its amounts in MB, if the present limit of its line was shown in MB alone. */
export async function withShownUnit(slack: SlackContext, guided: GuidedAnswer, actor: Actor): Promise<GuidedAnswer> {
  const { unitless, input, remarks = '' } = guided;
  const tool = slack.tools.find(({ id }) => id === guided.operation);
  if (!unitless?.isShown || !tool) return guided;
  const reading = readCurrent(slack, { tool, input, actor }).catch(() => undefined);
  const present = await slack.web.inTime(reading);
  const limit = present?.LimitValue;
  // A limit of whole gigabytes is shown in both units.
  if (typeof limit !== 'number' || limit >= GB || String(present?.ValueUnit ?? 'MB') !== 'MB') return guided;
  const amounts = unitless.amounts.map(({ value }) => String(value)).join(' and ');
  const told = `; ${amounts} ${unitless.amounts.length > 1 ? 'are' : 'is'} read as MB, like the present limit`;
  const reworded = (text: string) => text.replace(unitless.told, told);
  return {
    ...guided,
    input: { ...input, ...Object.fromEntries(unitless.amounts.map(({ field, value }) => [field, value])) },
    remarks: reworded(remarks),
    understood: reworded(guided.understood),
  };
}
