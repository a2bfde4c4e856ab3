import type { Checked, Effect, Exclusive, Look } from '../../src/catalogue/operation.ts';
import type { ErasedTool } from '../../src/catalogue/spec.ts';
import { defined, type Fields, isRecord } from '../../src/lib/json.ts';
import { missingFrom, sharedWith } from '../../src/lib/lists.ts';
import { readFlag, readTexts } from '../../src/platform/dialect/readings.ts';
import { lookAtSubscriber, text } from './before.ts';
import { listNumbers } from './fields.ts';
import { isFilteringOff, offFindings, saysNoEffect } from './filter-off.ts';
import {
  type FilterKind,
  filterAfter,
  movesOf,
  reachChange,
  reachText,
  stopsEverybody,
  stopsUnknown,
  undoText,
} from './filter-reach.ts';
import { rulesIn } from './keywords.ts';
import { withLine } from './named.ts';

/*
 * The common part of call filters and message filters: reading one before it is changed, and the protection that a
 * change takes away (PLATFORM.md, Guardian filtering).
 */

export const MESSAGE_FILTER: FilterKind = {
  noun: 'message filter',
  traffic: 'messages',
  unit: 'message',
  others: 'Calls are not blocked by it.',
  lost: 'Messages that are blocked in the meantime are not delivered later.',
  list: 'subscribers_message_filter_get',
  allowed: 'AllowedContacts',
  blocked: 'BlockedContacts',
  modes: ['INACTIVE', 'MONITOR_ONLY', 'ACTIVE', 'TEENAGER', 'ADOLESCENT', 'CHILD'],
  flags: {
    ApplyToInbound: 'Incoming messages are no longer filtered.',
    ApplyToOutbound: 'Outgoing messages are no longer filtered.',
    BlockUnknownNumbers: 'Unknown numbers are no longer blocked.',
    BlockLinks: 'Links are no longer blocked.',
    BlockMedia: 'Pictures and videos are no longer blocked.',
  },
  settings: [
    'SubscriberId',
    'Phone',
    'FilterMode',
    'AllowedContacts',
    'BlockedContacts',
    'ApplyToInbound',
    'ApplyToOutbound',
    'BlockUnknownNumbers',
    'BlockLinks',
    'BlockMedia',
    'NotificationPhones',
    'KeywordFilter',
  ],
};

export const CALL_FILTER: FilterKind = {
  noun: 'call filter',
  traffic: 'calls',
  unit: 'call',
  others: 'Texts still come.',
  lost: 'Calls that are blocked in the meantime are not put through later.',
  list: 'subscribers_call_filter_get',
  allowed: 'AllowedNumbers',
  blocked: 'BlockedNumbers',
  modes: ['BLACKLIST', 'WHITELIST', 'TEENAGER', 'ADOLESCENT', 'CHILD'],
  flags: {
    ApplyToInbound: 'Incoming calls are no longer filtered.',
    ApplyToOutbound: 'Outgoing calls are no longer filtered.',
    BlockUnknownNumbers: 'Unknown callers are no longer blocked.',
    BlockInternational: 'International calls are no longer blocked.',
    EnableTranscription: 'Calls are no longer checked for keywords.',
    RecordFlaggedCalls: 'Flagged calls are no longer recorded.',
  },
  settings: [
    'SubscriberId',
    'Phone',
    'FilterMode',
    'AllowedNumbers',
    'BlockedNumbers',
    'ApplyToInbound',
    'ApplyToOutbound',
    'BlockUnknownNumbers',
    'BlockInternational',
    'NotificationPhones',
    'EnableTranscription',
    'KeywordFilter',
    'TranscriptionAction',
    'WarningMessage',
    'RecordFlaggedCalls',
  ],
};

/** One filter as the platform has it. */
interface FilterFound extends Checked {
  filter?: Fields;
}

/**
 * Reads one filter, its customer, and whether it has an effect now unless it is deleted, with at most three requests.
 * `field` is the input field of the id. A filter that is
 * missing from the platform's list is a problem, a list that cannot be read only a warning.
 */
export async function lookAtFilter(
  kind: FilterKind,
  asked: { field: string; id: string; SubscriberId?: string | undefined; isDeleted?: boolean; blocks?: boolean },
  look: Look,
): Promise<FilterFound> {
  const { field, id, SubscriberId, isDeleted = false, blocks = false } = asked;
  const { found, ...failed } = await look.read(kind.list, defined({ SubscriberId }));
  if (!found) {
    const customer = SubscriberId === undefined ? {} : await customerOf(SubscriberId, look);
    const why = 'why' in failed ? String(failed.why) : '';
    return {
      ...customer,
      warnings: [`The ${kind.noun} ${id} could not be read before asking: ${why}`, ...(customer.warnings ?? [])],
    };
  }
  const rows = Array.isArray(found.Results) ? found.Results.filter(isRecord) : [];
  const filter = rows.find((row) => text(row.FilterId)?.toLowerCase() === id.toLowerCase());
  if (filter === undefined) {
    const whose = SubscriberId === undefined ? '' : ` of subscriber ${SubscriberId}`;
    return { problem: { field, message: `there is no ${kind.noun} ${id}${whose}. ${kind.list} lists them` } };
  }
  const owner = text(filter.SubscriberId) ?? SubscriberId;
  const rules = rulesIn(filter.KeywordFilter);
  const Record = rules === undefined ? filter : { ...filter, KeywordFilter: rules };
  const [customer, isOff] =
    owner === undefined
      ? [{}, false]
      : await Promise.all([customerOf(owner, look), !isDeleted && isFilteringOff(kind, owner, look)]);
  const name = text(filter.Phone) ?? customer.customer;
  const names = name === undefined ? {} : { [id]: { noun: kind.noun, name, isOf: true, leads: [] } };
  if (owner === undefined || !isOff) return { ...customer, names, filter, known: { Record } };
  const off = offFindings(kind, blocks ? 'block' : 'filter', { SubscriberId: owner, customer: customer.customer });
  const warnings = [...(customer.warnings ?? []), off.warning];
  return { ...customer, names, filter, warnings, known: { Record, ...off.known } };
}

async function customerOf(SubscriberId: string, look: Look): Promise<Checked> {
  const { fill: _account, ...checked } = await lookAtSubscriber(SubscriberId, look);
  return checked;
}

/**
 * The check before an update. It fills in the subscriber, because an update names the filter alone. Another line that the
 * filter is to cover must be theirs.
 */
export function beforeFilterUpdate(kind: FilterKind) {
  return async (
    input: { FilterId: string; SubscriberId?: string | undefined; Phone?: string | undefined },
    look: Look,
  ): Promise<Checked> => {
    const asked = { field: 'FilterId', id: input.FilterId, SubscriberId: input.SubscriberId };
    const { filter, ...checked } = await lookAtFilter(kind, asked, look);
    if (filter === undefined) return checked;
    const filled = { ...checked, fill: defined({ SubscriberId: text(filter.SubscriberId) }) };
    const [phone, SubscriberId] = [input.Phone, text(filter.SubscriberId) ?? input.SubscriberId];
    if (phone === undefined || phone === filter.Phone || SubscriberId === undefined) return filled;
    return withLine(filled, { field: 'Phone', phone, SubscriberId }, look);
  };
}

/**
 * The record that an update starts from. An update replaces the whole filter (PLATFORM.md, Guardian filtering), so what
 * the caller leaves out is filled in from it.
 */
export function currentFilter(kind: FilterKind): NonNullable<ErasedTool['current']> {
  return {
    read: kind.list,
    keys: ['FilterId'],
    input: ({ FilterId, SubscriberId }) => (typeof FilterId === 'string' ? defined({ SubscriberId }) : undefined),
    record: ({ Results }, { FilterId }) => {
      const rows = Array.isArray(Results) ? Results.filter(isRecord) : [];
      return rows.find((row) => text(row.FilterId)?.toLowerCase() === String(FilterId).toLowerCase());
    },
    replaces: true,
    asksAgain: (record, given) => {
      const [field] = kind.settings.filter((name) => given[name] === undefined && isLost(kind, name, record));
      return field === undefined
        ? undefined
        : { field, message: `cannot be read back and could be lost: give ${field} again, or null for none` };
    },
  };
}

/**
 * True for a setting that the filter may have and that cannot be read. The interface does not show keyword rules in lists
 * of call filters, and there they have an effect only with transcription.
 */
function isLost(kind: FilterKind, name: string, record: Fields): boolean {
  if (name !== 'KeywordFilter') return !isEmpty(record[name]) && settingOf(name, record, kind) === undefined;
  const now = record.KeywordFilter;
  if (now !== undefined) return !isEmpty(now) && rulesIn(now) === undefined;
  const transcribes = record.EnableTranscription;
  return kind.flags.EnableTranscription === undefined || (!isEmpty(transcribes) && readFlag(transcribes) !== false);
}

/** A member of a record as an update sends it; undefined if the record lacks it or it cannot be read. */
function settingOf(name: string, filter: Fields, kind: FilterKind): unknown {
  const value = filter[name];
  if (isEmpty(value)) return undefined;
  if (name in kind.flags) return readFlag(value);
  if (listsOf(kind).includes(name)) return readTexts(value);
  return name === 'KeywordFilter' ? rulesIn(value) : value;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

function listsOf(kind: FilterKind): string[] {
  return [kind.allowed, kind.blocked, 'NotificationPhones'];
}

/** The entries that could be read. */
function textsOf(value: unknown): string[] {
  return readTexts(value) ?? [];
}

/** The consent texts of an update. They say who gets through afterwards, if that is not who gets through now. */
export function updateConsent(
  kind: FilterKind,
  input: Readonly<Fields> & { FilterId: string },
  known: Fields,
  reasons: string,
) {
  const before = recordOf(known);
  const after = filterAfter(before, input);
  const reach = reachChange(kind, before, after);
  const consent = {
    title: `Change ${filterName(kind, known, input.FilterId)}`,
    consequence: reasons.includes(reach) ? reasons : `${reasons} ${reach}`.trim(),
    undo: undoText(kind, 'Can be changed back.', movesOf(kind, before, after)),
    confirm: 'Change this filter',
  };
  return saysNoEffect(consent, known);
}

function recordOf({ Record }: Fields): Fields | undefined {
  return isRecord(Record) ? Record : undefined;
}

/** The warning of a filter that applies to neither direction. */
export function neitherDirection(kind: FilterKind): string {
  return `This filter applies to neither direction: it filters no ${kind.traffic}. Set ApplyToInbound or ApplyToOutbound to true.`;
}

/** The check before a filter is deleted, whose id is the field `field`. */
export function beforeDeletion(kind: FilterKind, field: string) {
  return async (input: Readonly<Fields>, look: Look): Promise<Checked> => {
    const { filter: _filter, ...checked } = await lookAtFilter(
      kind,
      { field, id: String(input[field]), isDeleted: true },
      look,
    );
    return checked;
  };
}

/** The consent texts of a deletion. */
export function deletionConsent(kind: FilterKind, id: string, known: Fields) {
  const filter = recordOf(known);
  return {
    title: `Delete ${filterName(kind, known, id)}`,
    consequence: `The ${kind.traffic} of ${text(filter?.Phone) ?? 'its number'} are no longer filtered by it. ${lostWith(kind, filter)}`,
    undo: 'Permanent. A new filter can be created, with its lists given again.',
    confirm: `Delete this ${kind.noun}`,
  };
}

/** Describes the rules that are lost with a filter. Without its record, these are all that it may have. */
function lostWith(kind: FilterKind, filter: Fields | undefined): string {
  if (filter === undefined) return 'Its allow list, block list and keyword rules are lost.';
  const isRuled = filter.KeywordFilter === undefined || text(filter.KeywordFilter) !== undefined;
  const parts = [
    ...counted(textsOf(filter[kind.allowed]).length, 'allowed number'),
    ...counted(textsOf(filter[kind.blocked]).length, 'blocked number'),
    ...(isRuled ? ['its keyword rules'] : []),
  ];
  return parts.length === 0 ? 'Its lists are empty.' : `Lost with it: ${parts.join(', ')}.`;
}

function counted(count: number, noun: string): string[] {
  return count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`];
}

/** The check before entries are added to a list. Without the record, all of them count as new. */
export function beforeAddition(kind: FilterKind, id: string, list: 'allowed' | 'blocked') {
  return async (input: Readonly<Fields> & { SubscriberId: string }, look: Look): Promise<Checked> => {
    const { SubscriberId } = input;
    const asked = { field: id, id: String(input[id]), SubscriberId, blocks: list === 'blocked' };
    const { filter: _filter, ...checked } = await lookAtFilter(kind, asked, look);
    return checked;
  };
}

/** The entries that a list has, and those that a call adds to it or takes off it. */
export function listEffects(
  kind: FilterKind,
  change: { list: 'allowed' | 'blocked'; how: 'added' | 'taken'; field: string },
) {
  return (input: Readonly<Fields>, known: Fields): Effect[] => {
    const record = recordOf(known);
    const now = record && readTexts(record[kind[change.list]]);
    const given = textsOf(input[change.field]);
    const entries =
      now === undefined ? given : change.how === 'added' ? missingFrom(given, now) : sharedWith(given, now);
    const what = `${change.list === 'allowed' ? 'Allowed' : 'Blocked'} ${kind.traffic === 'calls' ? 'callers' : 'contacts'}`;
    const of = text(record?.Phone);
    const before = now === undefined ? { unread: true as const } : now.length === 0 ? {} : { before: now };
    return entries.length === 0 ? [] : [{ what, ...before, [change.how]: entries, ...defined({ of }) }];
  };
}

/** The consent texts of entries that are added to a list. */
export function additionConsent(
  kind: FilterKind,
  list: 'allowed' | 'blocked',
  numbers: readonly string[],
  known: Fields,
) {
  const before = recordOf(known);
  const all = [...textsOf(before?.[kind[list]]), ...numbers];
  const blocking = before && { ...before, [kind.blocked]: all };
  const shut = blocking !== undefined && stopsEverybody(kind, blocking) ? reachText(kind, blocking) : undefined;
  const verb = list === 'allowed' ? 'Allow' : 'Block';
  const consent = {
    title: `${verb} ${kind.traffic} from ${removed(numbers)}`,
    consequence: list === 'allowed' ? allowedText(kind, numbers, before) : blockedText(kind, shut, before),
    undo:
      list === 'allowed'
        ? undoText(kind, 'They can be taken off the list again.', { lets: true, blocks: false })
        : undoText(kind, 'They can be unblocked again.', { lets: false, blocks: true }),
    confirm: `${verb} ${numbers.length === 1 ? 'this number' : `${numbers.length} numbers`}`,
  };
  return saysNoEffect(consent, known);
}

/** Says what allowing numbers does. The block list comes first. `filter` is undefined if it was not read. */
function allowedText(kind: FilterKind, numbers: readonly string[], filter: Fields | undefined): string {
  const from = kind.traffic === 'calls' ? 'Calls' : 'Messages';
  const blocked = sharedWith(numbers, textsOf(filter?.[kind.blocked]));
  if (blocked.length === 0) return `${from} of these numbers get through.`;
  const stay = `${removed(blocked)} ${blocked.length === 1 ? 'stays' : 'stay'} blocked: the block list comes first.`;
  return blocked.length === numbers.length ? stay : `${from} of the other numbers get through. ${stay}`;
}

/** Says what blocking numbers does. A filter that is paused or only reports stops none. */
function blockedText(kind: FilterKind, shut: string | undefined, filter: Fields | undefined): string {
  const from = kind.traffic === 'calls' ? 'Calls' : 'Messages';
  if (filter !== undefined && isIdle(filter)) return `The numbers are put on the block list. ${IDLE}`;
  return [`${from} of these numbers are blocked.`, kind.others, shut].filter(Boolean).join(' ');
}

const IDLE = 'The filter stops nothing now: it is paused, or only reports.';

function isIdle({ FilterMode }: Readonly<Fields>): boolean {
  return FilterMode === 'INACTIVE' || FilterMode === 'MONITOR_ONLY';
}

/** The check before a removal from a list. If none of the numbers is on it, there is nothing to remove. */
export function beforeRemoval(kind: FilterKind, list: 'allowed' | 'blocked', fields: { id: string; numbers: string }) {
  return async (input: Readonly<Fields> & { SubscriberId: string }, look: Look): Promise<Checked> => {
    const asked = { field: fields.id, id: String(input[fields.id]), SubscriberId: input.SubscriberId };
    const { filter, ...checked } = await lookAtFilter(kind, asked, look);
    if (filter === undefined) return checked;
    const missing = missingFrom(textsOf(input[fields.numbers]), textsOf(filter[kind[list]]));
    if (missing.length === 0) return checked;
    const words = `${listNumbers(missing.map((phone) => ({ Number: phone })))} ${missing.length === 1 ? 'is' : 'are'} not on the ${list === 'allowed' ? 'allow' : 'block'} list of this filter`;
    if (missing.length === textsOf(input[fields.numbers]).length)
      return { ...checked, problem: { field: fields.numbers, message: `${words}: there is nothing to remove` } };
    return { ...checked, warnings: [...(checked.warnings ?? []), `${words}.`] };
  };
}

/** The consent texts of entries that are taken off the allow list. They say who gets through afterwards. */
export function disallowConsent(
  kind: FilterKind,
  { id, numbers }: { id: string; numbers: readonly string[] },
  known: Fields,
) {
  const filter = recordOf(known);
  const after = filter && { ...filter, [kind.allowed]: missingFrom(textsOf(filter[kind.allowed]), numbers) };
  const isOne = numbers.length === 1;
  const consent = {
    title: `Stop always allowing ${kind.traffic} from ${removed(numbers)}`,
    consequence: `On ${filterName(kind, known, id)}: ${withoutEntry(kind, after, isOne)}`,
    undo: undoText(kind, 'Can be allowed again.', { lets: false, blocks: true }),
    confirm: isOne ? 'Take off the list' : `Take ${numbers.length} off the list`,
  };
  return saysNoEffect(consent, known);
}

/** Says what happens to numbers off the allow list. `after` is the filter without them, if it was read. */
function withoutEntry(kind: FilterKind, after: Fields | undefined, isOne: boolean): string {
  const whose = `${kind.traffic} of ${isOne ? 'this number' : 'these numbers'}`;
  if (after === undefined)
    return `${whose} are checked like all others. Where only allowed numbers get through, they no longer do.`;
  if (isIdle(after)) return `${whose} are no longer on the allow list. ${IDLE}`;
  if (!stopsUnknown(kind, after)) return `${whose} are checked like all others and may be blocked.`;
  return stopsEverybody(kind, after)
    ? `the allow list is empty then, so nobody gets through any more: all ${kind.traffic} that this filter covers are blocked.`
    : `${whose} no longer get through. ${reachText(kind, after) ?? ''}`.trim();
}

/** "the message filter on +12015550101", or with its id if the number is not known. */
export function filterName(kind: FilterKind, known: Fields, id: string): string {
  const phone = text(recordOf(known)?.Phone);
  return phone === undefined ? `the ${kind.noun} ${id}` : `the ${kind.noun} on ${phone}`;
}

/** The numbers of a removal in a sentence. */
export function removed(numbers: readonly string[]): string {
  return listNumbers(numbers.map((phone) => ({ Number: phone })));
}

const UPDATES = ['subscribers_call_filter_update', 'subscribers_message_filter_update'];
const LIST_CHANGES = [
  'subscribers_call_filter_allowed_numbers_add',
  'subscribers_call_filter_allowed_numbers_remove',
  'subscribers_call_filter_blocked_numbers_add',
  'subscribers_call_filter_blocked_numbers_remove',
  'subscribers_message_filter_allowed_contacts_add',
  'subscribers_message_filter_allowed_contacts_remove',
  'subscribers_message_filter_blocked_contacts_add',
  'subscribers_message_filter_blocked_contacts_remove',
];

/** The id of the filter that a call changes. */
const ids = (input: Fields) =>
  [input.FilterId, input.CallFilterId, input.MessageFilterId].flatMap((id) =>
    typeof id === 'string' ? [id.toUpperCase()] : [],
  );

/**
 * An update sends the lists as they were read. While one waits for a person, no list of the filter may change, so that
 * the update does not undo a later change.
 */
export const duringUpdate: Exclusive = { with: UPDATES, values: ids };
export const aloneOnFilter: Exclusive = { with: [...UPDATES, ...LIST_CHANGES], values: ids };
