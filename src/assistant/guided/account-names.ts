import type { Tool } from '../../catalogue/operation.ts';
import { type GuidedAnswer, understood } from './answer.ts';

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
