import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { wordsOf } from '../../../language/sentence.ts';
import type { Fields } from '../../../lib/json.ts';
import { answer, type GuidedAnswer } from './answer.ts';

/*
 * "Correct the account number on ava's port": orders have an id and a number, and no list of the platform names their
 * customer. The answer says where the order of a customer is shown.
 */

/** The remark on an open order of a customer. Empty if the order is given, or no single customer is named. */
export function orderNote(tool: Tool, input: Fields, people: readonly string[]): string {
  const [owner, ...others] = people;
  const isOpen = fieldsOf(tool).some(
    ({ name, required }) => name === 'OrderId' && required && input[name] === undefined,
  );
  // The head of an id is no customer.
  if (
    !isOpen ||
    owner === undefined ||
    /ID$/u.test(owner) ||
    others.length > 0 ||
    JSON.stringify(input).includes(owner)
  )
    return '';
  return `; an order is known by its id or its number: “port-in orders of ${owner}” shows those that were reported for ${owner}`;
}

const NAME = String.raw`(?<name>\p{L}[\p{L}-]+(?:\s+(?!(?:instead|and|not|name|now|please|pls|because)\b)\p{L}[\p{L}-]+)?)`;
const PORT = String.raw`port(?:ing|[\s-]?in)?(?:\s+order)?`;
/** "Move the port of 312… to Ben Reed", "the 0111 port should go to Ben's name": whom the line will belong to. */
const MOVES_HOLDER: readonly RegExp[] = [
  String.raw`\b(?:move|assign|give|put|transfer|switch|change|reassign|book)\s+(?:the\s+|that\s+)?(?:[#…*]*\d{4}\s+)?${PORT}\b[^.;!?]{0,30}?\s(?:over\s+)?(?:to|onto|on|under|for)\s+${NAME}`,
  String.raw`\b${PORT}\b[^.;!?]{0,30}?\s(?:(?:should|must|has\s+to|needs\s+to)\s+(?:go|be|belong)(?:\s+(?:to|for|on|onto|under))?|is\s+for|goes\s+to|belongs\s+to)\s+${NAME}`,
].map((pattern) => new RegExp(pattern, 'iu'));
const OF_ORDER: ReadonlySet<string> = new Set(['numbers_portin_update', 'numbers_order_get']);

/** The order of a port-in, where a sentence gives its number to another customer: no correction has that. */
export function withHolderOfOrder(
  guided: GuidedAnswer,
  said: string,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer {
  const read = toolOf('numbers_order_get');
  const { OrderId, ...others } = guided.input;
  if (!read || !OF_ORDER.has(guided.operation ?? '') || Object.keys(others).length > 0 || /["“„?]/u.test(said))
    return guided;
  const typed = MOVES_HOLDER.map((pattern) => pattern.exec(said)?.groups?.name).find((one) => one !== undefined);
  const name = typed?.replace(/['’]s$/u, '');
  if (name === undefined || !wordsOf(name).every(({ isUnknown }) => isUnknown)) return guided;
  const remarks = `. Whose the number becomes is no part of an order that was placed: when it is here, write “give NUMBER to ${name}”`;
  const input = OrderId === undefined ? {} : { OrderId };
  const kind = OrderId === undefined ? 'form' : 'lookup';
  return { ...answer(kind, { tool: read, input, understood: `${read.title}${remarks}` }), remarks };
}
