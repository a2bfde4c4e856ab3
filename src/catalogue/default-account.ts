import { type Fields, isRecord } from '../lib/json.ts';
import type { Tool } from './operation.ts';

/** The input with the default account, if the operation takes one and the caller named none. */
export function withDefaultAccount(tool: Tool, input: Fields, account: string | undefined): Fields {
  const takesDefault = tool.kind === 'operation' && tool.defaultAccount === true;
  return account === undefined || !takesDefault || namesAccount(input) ? input : { ...input, AccountId: account };
}

/** True if the caller named an account, so that the default does not apply. */
export function namesAccount(raw: unknown): boolean {
  return isRecord(raw) && 'AccountId' in raw;
}
