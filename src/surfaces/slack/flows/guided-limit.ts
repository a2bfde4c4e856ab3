import type { GuidedAnswer, RelativeAmount } from '../../../assistant/guided/answer.ts';
import type { Actor } from '../../../lib/actor.ts';
import { type Fields, isRecord } from '../../../lib/json.ts';
import type { SlackContext } from '../context.ts';

/* "200 MB more", and "30" after a limit that was shown: the present limit of the line completes them. */

const SETTINGS = 'numbers_data_usage_settings';
const FIELDS = { limit: 'LimitValue', notify: 'NotifyValue', throttle: 'ThrottleValue' } as const;
const GB = 1024;

/** The answer with its amounts in MB, if its only line has a limit that can be read. */
export async function withPresentLimit(slack: SlackContext, guided: GuidedAnswer, actor: Actor): Promise<GuidedAnswer> {
  const { relative, input, remarks = '' } = guided;
  const numbers = Array.isArray(input.PhoneNumbers) ? input.PhoneNumbers : [];
  if (!relative || numbers.length !== 1) return guided;
  const present = await presentLimits(slack, input, actor);
  const limit = present?.LimitValue;
  if (present === undefined || typeof limit !== 'number') return guided;
  const filled = relative.amounts.map((amount) => ({ amount, mb: inMegabytes(amount, present, relative.isShown) }));
  if (filled.some(({ mb }) => mb === undefined)) return guided;
  const values = Object.fromEntries(filled.map(({ amount, mb }) => [FIELDS[amount.part], mb]));
  const told = filled.map(({ amount, mb }) => toldBy(amount, present, mb)).join('; ');
  const reworded = (text: string) => text.replace(relative.told, `; ${told}`);
  return {
    ...guided,
    input: { ...input, ...values },
    remarks: reworded(remarks),
    understood: reworded(guided.understood),
  };
}

/** The present limits of the line in MB. Undefined if they cannot be read. */
async function presentLimits(slack: SlackContext, { PhoneNumbers }: Fields, actor: Actor): Promise<Fields | undefined> {
  try {
    const performed = await slack.gate.perform(SETTINGS, { PhoneNumbers }, actor);
    const rows = performed.kind === 'done' ? performed.value.PhoneNumbers : undefined;
    return Array.isArray(rows) ? rows.find(isRecord) : undefined;
  } catch (error) {
    slack.log('info', { error: String(error) }, 'the present limit of a line could not be read');
    return undefined;
  }
}

/** An amount in MB. Undefined if its unit is not clear: a limit of whole gigabytes is shown in both units. */
function inMegabytes(
  { part, value, isMore }: RelativeAmount,
  present: Fields,
  isShown: true | undefined,
): number | undefined {
  const now = present[FIELDS[part]];
  if (isMore) return typeof now === 'number' ? now + value : undefined;
  const isMegabytes = typeof present.LimitValue === 'number' && present.LimitValue < GB;
  return isShown && isMegabytes ? value : undefined;
}

function toldBy({ part, value, isMore }: RelativeAmount, present: Fields, mb: number | undefined): string {
  return isMore
    ? `${value} MB more than the present ${String(present[FIELDS[part]])} MB make ${mb} MB`
    : `${value} is read as MB, like its present limit`;
}
