import type { Tool } from '../../../catalogue/operation.ts';
import { wordsOf } from '../../../language/sentence.ts';
import { type GuidedAnswer, understood } from '../answers/answer.ts';
import { takePostal } from '../facts/postal.ts';

/*
 * "Change globex's name to Globex Household" renames a subscriber or an account: surfaces know which of them has the name.
 */

const RENAMES = 'subscribers_update';
const ACCOUNT = 'account_update';

/** The order to rename a subscriber, with the one that is meant if the name is one of an account. */
export function withNamedAccount(guided: GuidedAnswer, toolOf: (id: string) => Tool | undefined): GuidedAnswer {
  const { SubscriberId: name, Name: given, ...others } = guided.input;
  const tool = toolOf(ACCOUNT);
  const isRenamed = guided.operation === RENAMES && guided.kind === 'form' && typeof given === 'string';
  if (!tool || !isRenamed || typeof name !== 'string' || guided.orAccount || Object.keys(others).length > 0)
    return guided;
  if (/\d/.test(name) || guided.find || guided.each) return guided;
  const input = { AccountId: name, AccountName: given };
  return {
    ...guided,
    orAccount: { name, operation: tool.id, input, understood: `${understood(tool, input)}.` },
  };
}

const MOVED =
  /^\W*(?:(?:hi|hey|so|fyi|ok|please|pls)[\s,]+)*(?<name>\p{L}[\p{L}&'’-]+(?:\s+\p{L}[\p{L}&'’-]+)??)\s+(?:(?:has|have|had|just|also|recently|now)\s+)*(?:moved|relocated)\s+(?:(?:offices?|premises|hq)\s+)?to\s+(?=\d)/iu;

/**
 * "Globex moved to 12 Elm St, Provo, UT 84601": a subscriber has no address, and an account of that name has one. Other
 * answers are as they were.
 */
export function withMovedTo(
  guided: GuidedAnswer,
  text: string,
  toolOf: (id: string) => Tool | undefined,
): GuidedAnswer {
  const name = MOVED.exec(text)?.groups?.name;
  const tool = toolOf(ACCOUNT);
  const isOpen = guided.kind === 'lookup' && guided.isOutside === true && guided.orAccount === undefined;
  if (!tool || !isOpen || name === undefined || !wordsOf(name).every(({ isUnknown }) => isUnknown)) return guided;
  const { postal } = takePostal(text.replace(MOVED, `${name} billing address `));
  if (postal?.parts.Street1 === undefined || postal.parts.Zip === undefined) return guided;
  const input = { AccountId: name, BillingAddress: postal.parts };
  return {
    ...guided,
    orAccount: {
      name,
      kind: 'form',
      remarks: '',
      operation: tool.id,
      input,
      understood: `${understood(tool, input)}.`,
    },
  };
}
