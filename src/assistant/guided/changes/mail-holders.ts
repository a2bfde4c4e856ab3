import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { nounOf } from '../../../language/typed-values.ts';
import { type GuidedAnswer, understood } from '../answers/answer.ts';
import type { Asked } from '../facts/stance.ts';

/*
 * An address of e-mail says who a customer is as a name does: "reset the password for ben@…", "give 0104 to ben@…". A new
 * address comes after "to" in an order about the address itself.
 */

/** An operation about a customer, with the one who has the address. */
export function withMailHolder(
  guided: GuidedAnswer,
  { facts: { email }, said }: Asked,
  tool: Tool | undefined,
): GuidedAnswer {
  if (email === undefined || !tool || isNewAddress(said, email) || guided.kind === 'help') return guided;
  const fields = fieldsOf(tool);
  if (fields.some(({ kind }) => kind === 'email')) return guided;
  const place = fields.find((field) => nounOf(field) === 'subscriber' && guided.input[field.name] === undefined);
  if (!place || Object.values(guided.input).includes(email)) return guided;
  const isSearched = Object.values(guided.find?.input ?? {}).includes(email);
  if (!place.required && !isSearched && !GIVEN.test(said.slice(0, said.indexOf(email)))) return guided;
  const { find, ...others } = guided;
  const [input, kept] = [{ ...guided.input, [place.name]: email }, isSearched ? undefined : find];
  const before = understood(tool, guided.input, find);
  const text = guided.understood.replace(before, () => understood(tool, input, kept));
  // No address is changed.
  const plain = (words: string) => words.replace(STAYS, '');
  const remarks = guided.remarks === undefined ? {} : { remarks: plain(guided.remarks) };
  return { ...others, ...(kept && { find: kept }), ...remarks, input, understood: plain(text) };
}

const STAYS = /; the platform cannot change the e-mail address of [^;:]+: it stays as it is/u;

const GIVEN = /\b(?:to|for|of)\s+(?:(?:the\s+)?(?:customer|subscriber|user|client)\s+)?$/iu;

/** True for the new address of a customer. */
function isNewAddress(said: string, email: string): boolean {
  const before = said.slice(0, Math.max(0, said.indexOf(email)));
  return (
    /\be-?mail\b/iu.test(said.replaceAll(email, ' ')) || /\b(?:is|now|as|into)\s+$|@\S+[^.;!?]*\bto\s+$/iu.test(before)
  );
}
