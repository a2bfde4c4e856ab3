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
/** "Ben wants to keep his old number …", "ben reed brings …": who comes with a number from another carrier. */
const COMES_WITH =
  /^\W*(?:(?:hi|hey|ok|so|customer|cust|client)[\s,]+)*(?<name>\p{L}[\p{L}'’-]+(?:\s+(?!(?:wants?|needs?|would|brings?|is|has|asked|asks|comes?|moves?|port)\b)\p{L}[\p{L}'’-]+)?)\s+(?:wants?|needs?|would\s+like|['’]d\s+like|brings?|is\s+bringing|asked|asks|comes?|moves?|port\s+in)\b/iu;
/** "Port Ben's old number … onto his name" */
const WHOSE_NUMBER =
  /\b(?:port|bring|transfer|move)\s+(?:in\s+|over\s+)?(?<name>\p{L}[\p{L}-]+(?:\s+\p{Lu}[\p{L}-]+)?)['’]s\s+(?:(?:old|current|existing|own|mobile|cell|phone)\s+)*(?:number|line)\b/iu;
const HOLDER = 'AssignedSubscriberId';

/** The order with this person as the subscriber of the new number. */
export function withTaker(guided: GuidedAnswer, { said }: Asked, tool: Tool | undefined): GuidedAnswer {
  const isMade = tool !== undefined && (MAKES_NUMBER.has(tool.id) || tool.id === 'numbers_portin');
  if (!isMade || guided.kind === 'lookup' || !fieldsOf(tool).some(({ name }) => name === HOLDER)) return guided;
  const isOpen = tool.id === 'numbers_portin' && guided.input[HOLDER] === undefined;
  const name = [...TAKES, ...(isOpen ? [WHOSE_NUMBER, COMES_WITH] : [])]
    .map((pattern) => pattern.exec(said)?.groups?.name?.replace(/['’]s$/u, ''))
    .find((one) => one !== undefined && wordsOf(one).every(({ isUnknown, plain }) => isUnknown && plain.length > 1));
  const account = guided.input[HOLDER];
  if (name === undefined || account === name) return guided;
  const told = typeof account === 'string' ? `; the account is that of “${name}”, and has to be “${account}”` : '';
  return {
    ...guided,
    input: { ...guided.input, [HOLDER]: name },
    ...(told !== '' && {
      understood: `${guided.understood.replace(/\.$/, '')}${told}.`,
      remarks: `${guided.remarks ?? ''}${told}`,
    }),
    ...(guided.find && { find: { ...guided.find, input: { ...guided.find.input, Query: name } } }),
  };
}
