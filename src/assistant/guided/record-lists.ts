import { recordKinds } from '../../../tools/surfaces/records.ts';
import type { Tool } from '../../catalogue/operation.ts';
import { answer, type GuidedAnswer } from './answer.ts';
import type { Asked } from './stance.ts';

/* A message that is only the plural of a record ("accounts?", "our webhooks") asks for the list of all. */

const ALONE =
  /^\W*(?:(?:and|the|our|all|any|my|show|list|see|pls|please)\s+)*(?<noun>\p{L}+(?:\s+\p{L}+)?)s[\s?.!]*$/iu;

export function ofBarePlural(
  { said, mayUse }: Pick<Asked, 'said' | 'mayUse'>,
  byId: ReadonlyMap<string, Tool>,
): GuidedAnswer | undefined {
  const noun = ALONE.exec(said)?.groups?.noun?.toLowerCase();
  const kind = noun === undefined ? undefined : recordKinds.find((one) => one.noun === noun);
  const tool = byId.get(kind?.list.operation ?? '');
  // Lists of orders and lines have other words.
  if (!kind || !tool || kind.list.page || kind.list.input || !mayUse(tool.id)) return undefined;
  return answer('lookup', { tool, input: {}, understood: tool.title });
}
