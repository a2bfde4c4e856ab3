import { scalarText } from '../../lib/values.ts';

/*
 * Amounts of money in records of the platform, which bills in USD (PLATFORM.md, Package; PLATFORM.md, Message).
 */

/** Members that hold an amount of money. */
const MONEY = /^(?:price|cost|knownusd)$/i;

/** "4.50 USD" for `$4.5`, "4.5" and 4.5, "9 USD" and "0.0045 USD"; undefined for a value that is no amount. */
export function moneyText(value: unknown): string | undefined {
  const [, amount] = /^\s*(?:\$|USD)?\s*(-?\d+(?:\.\d+)?)\s*(?:\$|USD)?\s*$/i.exec(scalarText(value)) ?? [];
  return amount === undefined ? undefined : `${amount.replace(/\.\d$/, '$&0')} USD`;
}

/** The amount in a member of a record; undefined for a member that holds none. */
export function memberMoney(name: string, value: unknown): string | undefined {
  return MONEY.test(name) ? moneyText(value) : undefined;
}
