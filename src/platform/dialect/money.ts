import { scalarText } from '../../lib/json.ts';

/*
 * Amounts of money in records of the platform, which bills in USD (PLATFORM.md, Package; PLATFORM.md, Message).
 */

/** Members that hold an amount of money. */
const MONEY = /^(?:price|cost|knownusd)$/i;

/** "0.0045 USD" for `$0.0045`, "0.0045" and 0.0045; undefined for a value that is no amount. */
export function moneyText(value: unknown): string | undefined {
  const [, amount] = /^\s*(?:\$|USD)?\s*(-?\d+(?:\.\d+)?)\s*(?:\$|USD)?\s*$/i.exec(scalarText(value)) ?? [];
  return amount === undefined ? undefined : `${amount} USD`;
}

/** The amount in a member of a record; undefined for a member that holds none. */
export function memberMoney(name: string, value: unknown): string | undefined {
  return MONEY.test(name) ? moneyText(value) : undefined;
}
