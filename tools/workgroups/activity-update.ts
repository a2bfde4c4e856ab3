import * as z from 'zod';
import { asks, type Checked, defineOperation, type Look } from '../../src/catalogue/operation.ts';
import { type Fields, recordsIn, textOf } from '../../src/lib/values.ts';
import { lookAtNumbers, ofAccount, sameId, text as textIn } from '../shared/before.ts';
import { choice, e164, out, seeded, text, workgroupActivityId, workgroupId } from '../shared/fields.ts';

/** Workgroups that are read to find the one of a member. */
const MOST_READ = 20;

/** The check before a change of a workgroup's member. It finds the workgroup if the caller did not name it. */
async function lookAtMember(
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
  const user = textIn(member.ReferenceUserId);
  const person = user?.startsWith('TSUID') ? await look.read('subscribers_get', { SubscriberId: user }) : undefined;
  const parts = [textIn(member.PhoneNumber), textIn(person?.found?.Name)].filter((part) => part !== undefined);
  const at = parts.join(', ') || `position ${String(member.DigitOrder ?? '?')}`;
  const name = `${at} of ${textIn(group.Name) ?? 'a workgroup'}`;
  // Whose line gets the calls of the workgroup, and whose got them. Numbers of others have no name here.
  const read: Look['read'] = (operation, query) => look.read(operation, query, 'name');
  const lines = phone === undefined ? [] : [textIn(member.PhoneNumber) ?? phone, phone];
  const { customers = {} } = await lookAtNumbers(lines, {}, { ...look, read });
  const held = Object.entries(customers).map(([line, holder]) => [line, { noun: 'number', name: holder, leads: [] }]);
  return {
    ...(await ofAccount(group, look)),
    known: { Record: member },
    names: { ...Object.fromEntries(held), [textOf(member.WorkgroupActivityId)]: { noun: 'member', name, leads: [] } },
  };
}

export default defineOperation({
  endpoint: 'POST /v1.0/workgroups/activity/update',
  title: 'Change a member',
  description:
    'Changes one member of a workgroup (ring group or menu): its position, the number that rings, notifications.',
  resend: true,
  source: 'S',
  notes: 'PLATFORM.md, Workgroups: only WorkgroupActivityId is required; assumed: every change needs an approver',
  input: () => ({
    WorkgroupActivityId: workgroupActivityId,
    DigitOrder: z
      .int('must be a whole number')
      .min(0, 'must not be below 0')
      .optional()
      .describe('menu digit or ring position'),
    PhoneNumber: e164.optional(),
    WorkgroupId: workgroupId.optional(),
    Type: choice(['User', 'Workgroup']).optional(),
    ReferenceWorkgroupId: workgroupId.optional(),
    ReferenceUserId: text(100).optional(),
    SmsNotification: z.boolean().optional(),
    EmailNotification: z.boolean().optional(),
  }),
  keys: ['WorkgroupActivityId', 'WorkgroupId'],
  ordinary: {},
  raised: { 'every change': ['others'] },
  before: lookAtMember,
  consent: asks('Change', 'member', 'WorkgroupActivityId', {
    hazard: 'Takes effect at once for callers.',
    undo: 'Calls that went elsewhere in the meantime are not recovered.',
  }),
  output: () => ({ WorkgroupActivityStatus: out.plain, WorkgroupActivityId: out.plain }),
  // PLATFORM.md, Workgroups: "success", without a record.
  answer: { status: 'WorkgroupActivityStatus', bare: true },
  examples: [{ WorkgroupActivityId: seeded('WAID'), WorkgroupId: seeded('WID'), DigitOrder: 2 }],
});
