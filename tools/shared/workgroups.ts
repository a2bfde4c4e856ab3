import type { Checked, Look, NamedId } from '../../src/catalogue/operation.ts';
import { defined, type Fields, isRecord, recordOf } from '../../src/lib/json.ts';
import { inQuotes } from '../../src/lib/text.ts';
import { setApart } from '../../src/platform/dialect/plain-values.ts';
import { accountName, text } from './before.ts';

/** Workgroups that are read to find the one of a member. */
const MOST_READ = 20;

/** Reads a workgroup and its account, with at most two requests. */
export async function lookAtWorkgroup(WorkgroupId: string, look: Look): Promise<Checked> {
  const { found, ...failed } = await look.read('workgroups_get', { WorkgroupId });
  if (!found) {
    const why = 'why' in failed ? String(failed.why) : '';
    return { warnings: [`Workgroup ${WorkgroupId} could not be read before asking: ${why}`] };
  }
  return { ...defined({ customer: await customerOf(found, look) }), known: { Record: found } };
}

/** The account of a workgroup: a workgroup is no customer. */
async function customerOf(group: Fields, look: Look): Promise<string | undefined> {
  const AccountId = text(group.AccountId);
  return AccountId === undefined ? undefined : accountName(AccountId, look);
}

/** "workgroup “Front desk”"; with its id if it could not be read. */
export function workgroupName(known: Fields, id: string): string {
  const name = text(recordOf(known.Record).Name);
  return `workgroup ${name === undefined ? id : inQuotes(name)}`;
}

/**
 * Reads a member of a workgroup, and finds its workgroup if the caller did not name it. The member is named by its
 * number or the person it refers to.
 */
export async function lookAtMember(
  input: { WorkgroupActivityId: string; WorkgroupId?: string | undefined },
  look: Look,
): Promise<Checked> {
  const id = input.WorkgroupActivityId;
  const found = await groupOf(input, look);
  if (!('member' in found)) return found;
  const { group, member } = found;
  const user = text(member.ReferenceUserId);
  const person = user?.startsWith('TSUID')
    ? (await look.read('subscribers_get', { SubscriberId: user })).found
    : undefined;
  const place = [text(member.PhoneNumber), text(person?.Name)].filter((part) => part !== undefined).join(', ');
  const at = place === '' ? `position ${String(member.DigitOrder ?? '?')}` : place;
  const groupName = text(group.Name);
  const named: NamedId = { noun: 'member', name: `${at} of ${groupName ?? 'a workgroup'}`, leads: [] };
  return {
    ...defined({ customer: await customerOf(group, look) }),
    fill: { WorkgroupId: group.WorkgroupId },
    known: { Record: member, Member: setApart(at), ...(groupName === undefined ? {} : { Group: inQuotes(groupName) }) },
    names: { [id]: named },
  };
}

async function groupOf(
  { WorkgroupActivityId, WorkgroupId }: { WorkgroupActivityId: string; WorkgroupId?: string | undefined },
  look: Look,
): Promise<{ group: Fields; member: Fields } | Pick<Checked, 'problem' | 'warnings'>> {
  const listed = WorkgroupId === undefined ? await idsOf(look) : { ids: [WorkgroupId] };
  if ('why' in listed) return { problem: notLookedUp(listed.why) };
  const unread: string[] = [];
  for (const id of listed.ids.slice(0, MOST_READ)) {
    const { found: group, ...failed } = await look.read('workgroups_get', { WorkgroupId: id });
    if ('why' in failed) unread.push(String(failed.why));
    const members = Array.isArray(group?.Activities) ? group.Activities.filter(isRecord) : [];
    const member = members.find(
      (one) => text(one.WorkgroupActivityId)?.toLowerCase() === WorkgroupActivityId.toLowerCase(),
    );
    if (group && member) return { group, member };
  }
  // The member may be in a workgroup that was not read.
  const [why] = unread;
  if (why !== undefined && WorkgroupId === undefined) return { problem: notLookedUp(why) };
  if (why !== undefined) return { warnings: [`Workgroup ${WorkgroupId} could not be read before asking: ${why}`] };
  const [field, message] =
    WorkgroupId === undefined
      ? [
          'WorkgroupId',
          `is needed: the workgroup of the member ${WorkgroupActivityId} was not found. account_workgroups_get lists workgroups`,
        ]
      : [
          'WorkgroupActivityId',
          `workgroup ${WorkgroupId} has no member ${WorkgroupActivityId}. workgroups_get shows its members`,
        ];
  return { problem: { field, message } };
}

function notLookedUp(why: string): NonNullable<Checked['problem']> {
  const message = `is needed: the workgroup of this member could not be looked up (${why})`;
  return { field: 'WorkgroupId', message, code: 'unavailable', next: 'Give it, or try again.' };
}

/** The ids of all workgroups, from the list. */
async function idsOf(look: Look): Promise<{ ids: string[] } | { why: string }> {
  const { found, ...failed } = await look.read('account_workgroups_get', {});
  if (found === undefined) return { why: 'why' in failed ? String(failed.why) : '' };
  const rows = Array.isArray(found.Workgroups) ? found.Workgroups.filter(isRecord) : [];
  const ids = rows.flatMap(({ WorkgroupId }) => (typeof WorkgroupId === 'string' ? [WorkgroupId] : []));
  return { ids };
}
