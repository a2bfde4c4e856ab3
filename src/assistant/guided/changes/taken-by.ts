import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { MAKES_NUMBER } from '../../../language/families.ts';
import { wordsOf } from '../../../language/sentence.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import type { Asked } from '../facts/stance.ts';

/*
 * The subscriber of a new number where the sentence names the account too: "new line for Globex, subscriber Ben", "port … in for
 * Globex, Ben takes it". The account of a number is that of its subscriber.
 */

const NAME = String.raw`\p{L}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+)?`;
const TAKES: readonly RegExp[] = [
  String.raw`\b(?:subscriber|holder|owner|user)(?:\s*[:=]|\s+(?:is|will\s+be))?\s+(?<name>${NAME})`,
  String.raw`\b(?:goes|belongs|assigned?|give\s+it|handed)\s+(?:it\s+)?to\s+(?<name>${NAME})`,
  String.raw`(?:^|[,;.–—-]\s*|\band\s+)(?<name>${NAME})\s+(?:will\s+)?(?:takes?|gets?|has|have|owns?|uses?)\s+(?:it|this|that|the\s+(?:line|number))\b`,
].map((pattern) => new RegExp(pattern, 'iu'));
const HOLDER = 'AssignedSubscriberId';

/** The order with this person as the subscriber of the new number. */
export function withTaker(guided: GuidedAnswer, { said }: Asked, tool: Tool | undefined): GuidedAnswer {
  const isMade = tool !== undefined && (MAKES_NUMBER.has(tool.id) || tool.id === 'numbers_portin');
  if (!isMade || guided.kind === 'lookup' || !fieldsOf(tool).some(({ name }) => name === HOLDER)) return guided;
  const name = TAKES.map((pattern) => pattern.exec(said)?.groups?.name?.replace(/['’]s$/u, '')).find(
    (one) => one !== undefined && wordsOf(one).every(({ isUnknown, plain }) => isUnknown && plain.length > 1),
  );
  const account = guided.input[HOLDER];
  if (name === undefined || account === name) return guided;
  const told = typeof account === 'string' ? `; the account is that of “${name}”, and has to be “${account}”` : '';
  return {
    ...guided,
    input: { ...guided.input, [HOLDER]: name },
    understood: `${guided.understood.replace(/\.$/, '')}${told}.`,
    remarks: `${guided.remarks ?? ''}${told}`,
    ...(guided.find && { find: { ...guided.find, input: { ...guided.find.input, Query: name } } }),
  };
}
