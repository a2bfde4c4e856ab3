import type { Checked, Look } from '../../src/catalogue/operation.ts';
import { type Fields, recordsIn, textOf } from '../../src/lib/values.ts';
import { lookAtNumbers, ofAccount, sameId, text } from './before.ts';

/** Workgroups that are read to find the one of a member. */
const MOST_READ = 20;

/** The check before a change of a workgroup's member. It finds the workgroup if the caller did not name it. */
export async function lookAtMember(
  input: { WorkgroupActivityId: string; WorkgroupId?: string | undefined; PhoneNumber?: string | undefined },
  look: Look,
): Promise<Checked> {
  const { WorkgroupActivityId: id, WorkgroupId } = input;
  const listed = WorkgroupId ? undefined : await look.read('account_workgroups_get', {});
  const ids = WorkgroupId ? [WorkgroupId] : recordsIn(listed?.found?.Workgroups).map((row) => textOf(row.WorkgroupId));
  let isUnread = listed !== undefined && listed.found === undefined;
  for (const one of ids.slice(0, MOST_READ)) {
    const { found: group } = await look.read('workgroups_get', { WorkgroupId: one });
    isUnread ||= group === undefined;
    const member = recordsIn(group?.Activities).find((row) => sameId(row.WorkgroupActivityId, id));
    if (group && member)
      return { ...(await foundMember(group, member, input.PhoneNumber, look)), fill: { WorkgroupId: one } };
  }
  if (isUnread && WorkgroupId) return {};
  if (isUnread) {
    const message = 'is needed: the workgroup of this member could not be looked up';
    return { problem: { field: 'WorkgroupId', message, code: 'unavailable', next: 'Give it, or try again.' } };
  }
  const message = WorkgroupId
    ? `workgroup ${WorkgroupId} has no member ${id}. workgroups_get shows its members`
    : `is needed: the workgroup of the member ${id} was not found. account_workgroups_get lists workgroups`;
  return { problem: { field: WorkgroupId ? 'WorkgroupActivityId' : 'WorkgroupId', message } };
}

/** A member by its number or the person it refers to: "+12015550101, Ava Stone of Front desk". */
async function foundMember(group: Fields, member: Fields, phone: string | undefined, look: Look): Promise<Checked> {
  const user = text(member.ReferenceUserId);
  const person = user?.startsWith('TSUID') ? await look.read('subscribers_get', { SubscriberId: user }) : undefined;
  const parts = [text(member.PhoneNumber), text(person?.found?.Name)].filter((part) => part !== undefined);
  const at = parts.join(', ') || `position ${String(member.DigitOrder ?? '?')}`;
  const name = `${at} of ${text(group.Name) ?? 'a workgroup'}`;
  // Whose line gets the calls of the workgroup, and whose got them. Numbers of others have no name here.
  const read: Look['read'] = (operation, query) => look.read(operation, query, 'name');
  const lines = phone === undefined ? [] : [text(member.PhoneNumber) ?? phone, phone];
  const { customers = {} } = await lookAtNumbers(lines, {}, { ...look, read });
  const held = Object.entries(customers).map(([line, holder]) => [line, { noun: 'number', name: holder, leads: [] }]);
  return {
    ...(await ofAccount(group, look)),
    known: { Record: member },
    names: { ...Object.fromEntries(held), [textOf(member.WorkgroupActivityId)]: { noun: 'member', name, leads: [] } },
  };
}
