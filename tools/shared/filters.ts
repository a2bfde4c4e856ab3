import {
  type Checked,
  type Consent,
  defineOperation,
  type Effect,
  type Exclusive,
  extended,
  type Look,
  type Operation,
  type OperationSpec,
  type Ordinary,
  on,
  type Shape,
} from '../../src/catalogue/operation.ts';
import { defined, type Fields, missingFrom, recordOf, recordsIn, sharedWith, textOf } from '../../src/lib/values.ts';
import { setApart } from '../../src/platform/dialect/phone.ts';
import { readFlag, readTexts } from '../../src/platform/dialect/readings.ts';
import { FEATURES_SET, TRAFFIC, type Traffic } from '../surfaces/guard.ts';
import { inFull, lookAtOwnLine, lookAtPerson, namedOf, sameId, text } from './before.ts';
import { e164List, idOf, out, phonesText, seeded, subscriberId } from './fields.ts';
import { rulesIn } from './keywords.ts';

export { CALL_FILTER, MESSAGE_FILTER } from '../surfaces/guard.ts';

/*
 * The common part of call filters and message filters: what is read before one is changed, the level of its members, and
 * who gets through it afterwards (PLATFORM.md, Guardian filtering).
 */

/* The level of a new or changed filter. */

const MODE = 'an allow list, or another mode than now';
const REACHING = 'blocking unknown numbers; notifying, recording or speaking to people';

/* The callers and senders who get through. */

const textsOf = (value: unknown) => readTexts(value) ?? [];

/** Says who gets through a filter; empty if it depends on more than its lists. */
function reachText(kind: Traffic, filter: Fields): string {
  if (filter.FilterMode === undefined) return '';
  const { FilterMode: mode, BlockUnknownNumbers, ApplyToInbound, ApplyToOutbound } = filter;
  const isNowhere = readFlag(ApplyToInbound) === false && readFlag(ApplyToOutbound) === false;
  if (mode === 'INACTIVE' || mode === 'MONITOR_ONLY' || isNowhere)
    return 'It stops nothing: it is paused, only reports, or covers no direction.';
  const [allowed, blocked] = [textsOf(filter[kind.allowed]), textsOf(filter[kind.blocked])];
  // Levels are not enforced for calls.
  const isClosed = mode === 'WHITELIST' || (mode === 'CHILD' && kind.name === 'messages');
  if (isClosed || readFlag(BlockUnknownNumbers) === true) {
    // A blocked number is stopped first.
    const through = missingFrom(allowed, blocked);
    const none = allowed.length === 0 ? 'No number is allowed' : 'Each allowed number is blocked';
    return through.length === 0
      ? `${none}, so no ${kind.name === 'calls' ? 'call' : 'message'} gets through.`
      : `Only the allowed numbers get through: ${phonesText(through)}.`;
  }
  return mode === 'BLACKLIST' && blocked.length === 0 ? 'No number is blocked.' : '';
}

/** What a later correction of a filter cannot make good. */
const NOT_MADE_GOOD = 'What was blocked or came through in the meantime stays so.';

/* Reading before a filter is changed. */

/** Whether guardian filtering of this traffic is off, so that no filter has an effect, with the way to turn it on. */
async function offFindings({ name, feature }: Traffic, SubscriberId: string, look: Look): Promise<Checked> {
  const { found } = await look.read('subscribers_guardian_features_get', { SubscriberId });
  if (readFlag(found?.[feature]) !== false) return {};
  const says = `Guardian filtering of ${name} is off for this subscriber, so the filter has no effect.`;
  return { known: { Off: { says, SubscriberId, feature } }, warnings: [says] };
}

/** A question whose outcome says that the filter has no effect now, and offers to turn filtering on. */
function unlessOff(consent: Consent, { Off }: Fields): Consent {
  const { says, SubscriberId, feature } = recordOf(Off);
  if (typeof says !== 'string' || typeof feature !== 'string') return consent;
  const next = { operation: FEATURES_SET, label: 'Turn it on', input: { SubscriberId, [feature]: true } };
  return { ...consent, remains: says, next };
}

/**
 * Reads one filter, its customer, and whether it has an effect now. A filter that is missing from the platform's list is
 * a problem.
 *
 * @param field the field of the id
 */
async function lookAtFilter(
  kind: Traffic,
  field: string,
  { SubscriberId: given, [field]: id }: Fields,
  look: Look,
): Promise<Checked & { filter?: Fields }> {
  const { found } = await look.read(kind.list, defined({ SubscriberId: given }));
  const filter = recordsIn(found?.Results).find((row) => sameId(row.FilterId, id));
  const whose = given === undefined ? '' : ` of subscriber ${String(given)}`;
  const message = `there is no ${kind.noun} ${String(id)}${whose}. ${kind.list} lists them`;
  if (found && filter === undefined) return { problem: { field, message } };
  const owner = text(filter?.SubscriberId) ?? text(given);
  const [{ customer }, off] = await Promise.all([
    lookAtPerson(owner, look),
    filter && owner ? offFindings(kind, owner, look) : ({} as Checked),
  ]);
  if (filter === undefined) return defined({ customer });
  const rules = rulesIn(filter.KeywordFilter);
  const Record = rules === undefined ? filter : { ...filter, KeywordFilter: rules };
  const names = namedOf(kind.noun, textOf(id), [text(filter.Phone)]);
  // Whether the filter protects anybody now is a part of what a person confirms.
  const rests = { [`guardian filtering of ${kind.name}`]: { state: off.known === undefined ? 'on' : 'off' } };
  return {
    ...defined({ customer }),
    names,
    filter,
    rests,
    warnings: off.warnings ?? [],
    known: { ...off.known, Record },
  };
}

/**
 * The check before a filter is created: the customer, the line, which must be theirs, the filters that the line has
 * already, and whether guardian filtering is off.
 */
async function beforeCreation(
  kind: Traffic,
  { SubscriberId, Phone }: { SubscriberId: string; Phone: string },
  look: Look,
): Promise<Checked> {
  const [{ customer }, line, off, present] = await Promise.all([
    lookAtPerson(SubscriberId, look),
    lookAtOwnLine(Phone, SubscriberId, look),
    offFindings(kind, SubscriberId, look),
    look.read(kind.list, { SubscriberId }),
  ]);
  const others = recordsIn(present.found?.Results).filter((row) => row.Phone === Phone);
  const beside = others.map(
    ({ FilterId, FilterMode }) =>
      `${Phone} has the ${kind.noun} ${textOf(FilterId)} (${setApart(String(FilterMode))}) already. It goes on filtering beside this one; ${kind.update} changes it.`,
  );
  const warnings = [...(line.warnings ?? []), ...beside, ...(off.warnings ?? [])];
  return { ...line, ...off, ...defined({ customer }), warnings };
}

/** The check before an update. Another line that the filter is to cover must be the subscriber's. */
async function beforeUpdate(
  kind: Traffic,
  input: { FilterId: string; SubscriberId?: string | undefined; Phone?: string | undefined },
  look: Look,
): Promise<Checked> {
  const { filter, ...checked } = await lookAtFilter(kind, 'FilterId', input, look);
  if (filter === undefined) return checked;
  const SubscriberId = text(filter.SubscriberId) ?? input.SubscriberId;
  const filled = { ...checked, fill: defined({ SubscriberId: text(filter.SubscriberId) }) };
  if (input.Phone === undefined || input.Phone === filter.Phone || SubscriberId === undefined) return filled;
  const line = await lookAtOwnLine(input.Phone, SubscriberId, look);
  return { ...filled, ...line, warnings: [...(checked.warnings ?? []), ...(line.warnings ?? [])] };
}

/**
 * The record that an update starts from. An update replaces the whole filter (PLATFORM.md, Guardian filtering), so what
 * the caller leaves out is filled in from it. A value that cannot be read is asked for.
 */
function currentFilter(kind: Traffic) {
  return {
    read: kind.list,
    input: ({ FilterId, SubscriberId }: Fields) => (FilterId === undefined ? undefined : defined({ SubscriberId })),
    record: ({ Results }: Fields, { FilterId }: Fields) =>
      recordsIn(Results).find((row) => sameId(row.FilterId, FilterId)),
    replaces: true as const,
    asksAgain: (record: Fields, given: Fields) => {
      const settings = [...kind.flags, ...kind.reaching, kind.allowed, kind.blocked];
      const lost = settings.find((name) => given[name] === undefined && isLost(kind, name, record));
      const message = `cannot be read back and could be lost: give ${lost} again, or null for none`;
      return lost === undefined ? undefined : { field: lost, message };
    },
  };
}

/**
 * True for a setting that the filter may have and that cannot be read. The interface does not show keyword rules in lists
 * of call filters, and there they have an effect only with transcription.
 */
function isLost(kind: Traffic, name: string, record: Fields): boolean {
  const value = record[name];
  const isEmpty = value === null || value === undefined || value === '';
  if (name === 'KeywordFilter') {
    if (value === undefined) return kind.name === 'messages' || readFlag(record.EnableTranscription ?? false) !== false;
    return !isEmpty && rulesIn(value) === undefined;
  }
  if (isEmpty || name === 'TranscriptionAction' || name === 'WarningMessage') return false;
  const isList = [kind.allowed, kind.blocked, 'NotificationPhones'].includes(name);
  return (isList ? readTexts(value) : readFlag(value)) === undefined;
}

/* The common parts of the operations on filters of each kind. */

/** A new filter. Its question says who gets through. */
export function creatingFilter(kind: Traffic) {
  // Adding blocks and allowed numbers is ordinary. The names of the operation's members are not known here.
  const part: Ordinary = { words: 'part of a filter that only blocks' };
  const blocking: readonly unknown[] = ['BLACKLIST', 'ACTIVE', 'TEENAGER', 'ADOLESCENT', 'CHILD'];
  const mode: Ordinary = { words: 'if it blocks and is no white list', holds: (value) => blocking.includes(value) };
  const parts = [...kind.flags, kind.allowed, kind.blocked].map((name) => [name, part]);
  return {
    id: kind.create,
    endpoint: `POST ${kind.path}`,
    batch: { row: 'Phone', reads: { operation: 'numbers_get', by: 'PhoneNumber' } },
    source: 'S+I' as const,
    keys: ['SubscriberId', 'Phone'] as const,
    ordinary: { ...Object.fromEntries(parts), FilterMode: mode } as Record<string, Ordinary>,
    raised: { [MODE]: ['FilterMode'] as never[], [REACHING]: kind.reaching as never[] },
    before: (input: { SubscriberId: string; Phone: string }, look: Look) => beforeCreation(kind, input, look),
    consent: (input: Fields, known: Fields) =>
      unlessOff(
        {
          title: `Create a ${kind.noun} on ${textOf(input.Phone)}`,
          consequence: reachText(kind, { ApplyToInbound: false, ApplyToOutbound: false, ...defined(input) }),
          undo: `The filter can be changed or deleted. ${NOT_MADE_GOOD}`,
          confirm: 'Create this filter',
        },
        known,
      ),
    caution: (input: Fields) => directionCaution(kind, input, (flag) => flag !== true),
  };
}

/** A change of a filter. Its question says who gets through afterwards. */
export function changingFilter(kind: Traffic) {
  const switched = Object.fromEntries(kind.flags.map((name) => [name, on]));
  return {
    endpoint: `POST ${kind.path}/update`,
    keys: ['FilterId', 'SubscriberId'] as const,
    current: currentFilter(kind),
    // A protection that is switched on, and an entry that is added, are ordinary.
    ordinary: { ...switched, [kind.allowed]: extended, [kind.blocked]: extended } as Record<string, Ordinary>,
    raised: {
      [MODE]: ['FilterMode'] as never[],
      'another number': ['Phone'] as never[],
      'switching off a direction or a protection': kind.flags as never[],
      'taking numbers off a list': [kind.allowed, kind.blocked] as never[],
      [REACHING]: kind.reaching as never[],
    },
    before: (input: Parameters<typeof beforeUpdate>[1], look: Look) => beforeUpdate(kind, input, look),
    exclusive: { with: [...UPDATES, ...LIST_CHANGES], values: ids },
    consent: (input: Fields, known: Fields) =>
      unlessOff(
        {
          title: `Change the ${kind.noun} ${textOf(input.FilterId)}`,
          consequence: reachText(kind, { ...recordOf(known.Record), ...defined(input) }),
          undo: `Can be changed back. ${NOT_MADE_GOOD}`,
          confirm: 'Change this filter',
        },
        known,
      ),
    caution: (input: Fields) => directionCaution(kind, input, (flag) => flag === false),
  };
}

/** The deletion of a filter. */
export function deletingFilter(kind: Traffic) {
  return {
    endpoint: `POST ${kind.path}/delete`,
    notes: 'PLATFORM.md, Guardian filtering',
    removes: kind.id,
    input: () => ({ [kind.id]: idOf(kind.prefix) }),
    before: (input: Fields, look: Look) => lookAtFilter(kind, kind.id, input, look),
    consent: (input: Fields): Consent => ({
      title: `Delete the ${kind.noun} ${textOf(input[kind.id])}`,
      consequence: `${kind.title} are no longer filtered by it. Its lists and keyword rules are lost.`,
      undo: 'Permanent. A new filter can be created, with its lists given again.',
      confirm: `Delete this ${kind.noun}`,
    }),
    output: () => ({ FilterId: out.plain, Status: out.plain, DateDeleted: out.plain }),
  };
}

/** The caution of a filter that covers neither direction. */
function directionCaution(kind: Traffic, filter: Fields, isOff: (flag: unknown) => boolean) {
  return isOff(filter.ApplyToInbound) && isOff(filter.ApplyToOutbound) && filter.FilterMode !== 'INACTIVE'
    ? `This filter applies to neither direction: it filters no ${kind.name}. Set ApplyToInbound or ApplyToOutbound to true.`
    : undefined;
}

/* Only one change of a filter at a time. */

/** The id of the filter that a call changes. */
const ids = ({ FilterId, CallFilterId, MessageFilterId }: Fields) =>
  [FilterId, CallFilterId, MessageFilterId].flatMap((id) => (typeof id === 'string' ? [id.toUpperCase()] : []));

/** The operation that changes a list of a filter. */
export function listChange(kind: Traffic, list: 'allowed' | 'blocked', act: 'add' | 'remove'): string {
  return `${kind.operations}_${list}_${kind.entries.toLowerCase()}_${act}`;
}

const UPDATES = TRAFFIC.map(({ update }) => update);
const LIST_CHANGES = TRAFFIC.flatMap((kind) =>
  (['allowed', 'blocked'] as const).flatMap((list) => [
    listChange(kind, list, 'add'),
    listChange(kind, list, 'remove'),
  ]),
);

/**
 * An update sends the lists as they were read. While one waits for a person, no list of the filter may change, so that
 * the update does not undo a later change.
 */
const duringUpdate: Exclusive = { with: UPDATES, values: ids };

/* The operations on the allow list and the block list of a filter (PLATFORM.md, Guardian filtering). */

type Words = Pick<OperationSpec<Shape>, 'title' | 'description'>;
type List = 'allowed' | 'blocked';

const NOTES = 'PLATFORM.md, Guardian filtering; assumed: lists have at most 100 entries';
const ONE_FILTER = { not: 'one call takes many entries of one filter' };

const pathOf = ({ path, entries }: Traffic, list: List) => `${path}/${list}-${entries.toLowerCase()}`;
const fieldsOf = ({ id, prefix }: Traffic) => ({ SubscriberId: subscriberId, [id]: idOf(prefix) });
const example = ({ id, prefix }: Traffic) => ({ SubscriberId: seeded('TSUID'), [id]: seeded(prefix) });

/** The read of a list. */
export function filterListRead(kind: Traffic, list: List, words: Words): Operation {
  return defineOperation<Shape>({
    endpoint: `GET ${pathOf(kind, list)}`,
    ...words,
    batch: ONE_FILTER,
    notes: 'PLATFORM.md, Guardian filtering: the answer is a bare list of numbers',
    input: () => fieldsOf(kind),
    output: () => ({ Results: out.texts }),
    examples: [example(kind)],
  });
}

/** What a change does to the numbers, in its title and on its button. */
const VERBS = {
  allowed: { add: 'Allow', remove: 'Stop always allowing' },
  blocked: { add: 'Block', remove: 'Unblock' },
} as const;

/**
 * A change of a list. An addition is a `write`, which is ordinary. A removal is `destroy`, or a `write` whose members an
 * approver confirms.
 */
export function filterListChange(
  kind: Traffic,
  list: List,
  act: 'add' | 'remove',
  words: Words & Partial<Pick<OperationSpec<Shape>, 'risk' | 'source'>>,
): Operation {
  const { risk = act === 'add' ? 'write' : 'destroy', source = act === 'add' ? 'S+I' : 'I' } = words;
  const [member, verb] = [kind[list], VERBS[list][act]];
  const given = (input: Fields) => readTexts(input[kind.entries]) ?? [];
  return defineOperation<Shape>({
    endpoint: `POST ${pathOf(kind, list)}/${act}`,
    ...words,
    risk,
    source,
    resend: true,
    batch: ONE_FILTER,
    notes: NOTES,
    keys: ['SubscriberId', kind.id, kind.entries],
    ...(risk === 'write' && { ordinary: {}, raised: act === 'add' ? {} : { 'every removal': [kind.entries] } }),
    input: () => ({ ...fieldsOf(kind), [kind.entries]: e164List }),
    output: () => ({ FilterId: out.plain, SubscriberId: out.plain, [member]: out.texts }),
    before: (input, look) => lookAtList(kind, list, act, input, look),
    effects: (input, { Record }) => {
      const now = phonesOf(recordOf(Record)[member]);
      const changed =
        act === 'add' ? missingFrom(given(input), now ?? []) : sharedWith(given(input), now ?? given(input));
      const effect: Effect = {
        what: `${list === 'allowed' ? 'Allowed' : 'Blocked'} ${kind.name === 'calls' ? 'callers' : 'contacts'}`,
        ...defined({ of: text(recordOf(Record).Phone) }),
        ...(now === undefined ? { unread: true } : now.length > 0 ? { before: now } : {}),
        [act === 'add' ? 'added' : 'taken']: changed,
      };
      return changed.length === 0 ? [] : [effect];
    },
    consent: (input, known) => {
      const record = recordOf(known.Record);
      const now = phonesOf(record[member]) ?? [];
      const after = act === 'add' ? [...now, ...missingFrom(given(input), now)] : missingFrom(now, given(input));
      const blocked = list === 'allowed' ? sharedWith(given(input), phonesOf(record[kind.blocked]) ?? []) : [];
      const stay = blocked.length === 0 ? '' : `${phonesText(blocked)}: still blocked.`;
      const count = given(input).length;
      return unlessOff(
        {
          ...(blocked.length > 0 && blocked.length === count && { remains: stay }),
          title: `${verb} ${kind.name} from ${phonesText(given(input))}`,
          consequence: `${stay} ${reachText(kind, { ...record, [member]: after })}`.trim(),
          undo: `Can be changed back. ${NOT_MADE_GOOD}`,
          confirm:
            verb.length > 10
              ? 'Take off the allow list'
              : `${verb} ${count === 1 ? 'this number' : `${count} numbers`}`,
        },
        known,
      );
    },
    exclusive: duringUpdate,
    examples: [{ ...example(kind), [kind.entries]: ['+12015550199'] }],
  });
}

/** The numbers of a filter's list in E.164, because the platform may list them without their plus sign. */
const phonesOf = (list: unknown) => readTexts(list)?.map(inFull);

/** The check before a change of a list. If none of the numbers of a removal is on it, there is nothing to remove. */
async function lookAtList(kind: Traffic, list: List, act: 'add' | 'remove', input: Fields, look: Look) {
  const { filter, ...checked } = await lookAtFilter(kind, kind.id, input, look);
  if (filter === undefined || act === 'add') return checked;
  const given = readTexts(input[kind.entries]) ?? [];
  const missing = missingFrom(given, phonesOf(filter[kind[list]]) ?? []);
  if (missing.length === 0) return checked;
  const message = `${phonesText(missing)}: not on the ${list === 'allowed' ? 'allow' : 'block'} list of this filter`;
  if (missing.length < given.length) return { ...checked, warnings: [...(checked.warnings ?? []), `${message}.`] };
  return { ...checked, problem: { field: kind.entries, message: `${message}, so there is nothing to remove` } };
}
