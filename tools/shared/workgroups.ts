import type { Checked, Look } from '../../src/catalogue/operation.ts';
import { type Fields, recordOf } from '../../src/lib/json.ts';
import { text } from './before.ts';

/** Reads a workgroup and its account, with at most two requests. */
export async function lookAtWorkgroup(WorkgroupId: string, look: Look): Promise<Checked> {
  const { found, ...failed } = await look.read('workgroups_get', { WorkgroupId });
  if (!found) {
    const why = 'why' in failed ? String(failed.why) : '';
    return { warnings: [`Workgroup ${WorkgroupId} could not be read before asking: ${why}`] };
  }
  const AccountId = text(found.AccountId);
  const account = AccountId === undefined ? undefined : (await look.read('account_get', { AccountId })).found;
  const names = [text(found.Name) ?? WorkgroupId, text(account?.AccountName) ?? AccountId];
  return { customer: names.filter((name) => name !== undefined).join(' · '), known: { Record: found } };
}

/** "workgroup Front desk"; with its id if it could not be read. */
export function workgroupName(known: Fields, id: string): string {
  return `workgroup ${text(recordOf(known.Record).Name) ?? id}`;
}
