import type { Tool } from '../../../catalogue/operation.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import { buttonOf, partsOf } from '../answers/parts.ts';

/*
 * An order about a port-in together with another one: "cancel the port of +1… and get her a new number in 801". The
 * number of the port is none of our lines, so that no card of a line can have the buttons of both.
 */

const PORT = /\bport(?:s|ing)?(?:[\s-]?in)?\b(?![\s-]*(?:out|away)\b)|\bJNUOID-/iu;
const OF_PORT = /^numbers_portin_(?:cancel|update)$/;

/** The order about the port-in, with a button for each of the others. Undefined for other sentences. */
export function ofPortAndOrder(
  said: string,
  one: (text: string) => GuidedAnswer,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer | undefined {
  const parts = PORT.test(said) ? partsOf(said) : [];
  if (parts.length < 2 || parts.length > MOST_PARTS) return undefined;
  const read = parts.map((part) => ({ part, answered: one(part) }));
  const port = read.find(({ answered: { operation = '', kind } }) => OF_PORT.test(operation) && kind === 'form');
  const others = read.filter((part) => part !== port);
  const buttons = others.map(({ part, answered }) => buttonOf(part, answered, toolOf(answered.operation ?? '')));
  const isOther = buttons.every((one) => one !== undefined && !/^numbers_portin/.test(one.operation));
  if (!port || !isOther) return undefined;
  const told = `; ${others.map(({ part }) => `“${part}”`).join(', ')} ${others.length === 1 ? 'has' : 'have'} a button`;
  return {
    ...port.answered,
    understood: `${port.answered.understood.replace(/\.$/, '')}${told}.`,
    remarks: `${port.answered.remarks ?? ''}${told}`,
    nearest: [...buttons.flatMap((one) => one ?? []), ...(port.answered.nearest ?? [])],
  };
}

const MOST_PARTS = 3;
