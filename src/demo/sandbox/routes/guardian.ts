import { badField, badReference, notFound } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { Filter, Scalar, Subscriber } from '../records.ts';
import { newId } from '../store.ts';
import { get, post, queryText, type Request, subscriberGiven } from '../world.ts';
import { subscriberAsked } from './accounts.ts';

/**
 * The differences between the two kinds of filters, which both belong to subscribers (PLATFORM.md, Guardian filtering).
 */
interface Kind {
  readonly prefix: 'CFID' | 'MFID';
  readonly list: 'callFilters' | 'messageFilters';
  readonly idField: 'CallFilterId' | 'MessageFilterId';
  readonly modes: readonly string[];
  /** The modes that an update accepts. */
  readonly updateModes: readonly string[];
  /** The names of its lists: `AllowedNumbers`/`BlockedNumbers`, or `…Contacts`. */
  readonly noun: 'Numbers' | 'Contacts';
  readonly flags: readonly string[];
  readonly texts: readonly string[];
}

const CALL: Kind = {
  prefix: 'CFID',
  list: 'callFilters',
  idField: 'CallFilterId',
  modes: ['WHITELIST', 'BLACKLIST', 'CHILD', 'TEENAGER', 'ADOLESCENT'],
  updateModes: ['WHITELIST', 'BLACKLIST'],
  noun: 'Numbers',
  flags: [
    'EnableTranscription',
    'ApplyToOutbound',
    'ApplyToInbound',
    'BlockUnknownNumbers',
    'BlockInternational',
    'RecordFlaggedCalls',
  ],
  texts: ['KeywordFilter', 'WarningMessage'],
};

/** The levels, then the interface's modes (PLATFORM.md, Guardian filtering). */
const MESSAGE_MODES = ['CHILD', 'ADOLESCENT', 'TEENAGER', 'ACTIVE', 'MONITOR_ONLY', 'INACTIVE'];

const MESSAGE: Kind = {
  prefix: 'MFID',
  list: 'messageFilters',
  idField: 'MessageFilterId',
  modes: MESSAGE_MODES,
  updateModes: MESSAGE_MODES,
  noun: 'Contacts',
  flags: ['ApplyToOutbound', 'ApplyToInbound', 'BlockUnknownNumbers', 'BlockLinks', 'BlockMedia'],
  texts: ['KeywordFilter'],
};

function flagsView(row: Subscriber) {
  return {
    SubscriberId: row.SubscriberId,
    EnableIntelligentGuardianCalls: row.EnableIntelligentGuardianCalls,
    EnableIntelligentGuardianMessages: row.EnableIntelligentGuardianMessages,
  };
}

function setFeatures(request: Request) {
  const { body } = request;
  const id = body.text('SubscriberId');
  const calls = body.optionalFlag('EnableIntelligentGuardianCalls');
  const messages = body.optionalFlag('EnableIntelligentGuardianMessages');
  const row = request.store.subscriber(request.distributor, id);
  if (row === undefined) throw notFound(`Subscriber ${id}`);
  row.EnableIntelligentGuardianCalls = calls ?? row.EnableIntelligentGuardianCalls;
  row.EnableIntelligentGuardianMessages = messages ?? row.EnableIntelligentGuardianMessages;
  return flagsView(row);
}

function filterView(kind: Kind, row: Filter): JsonObject {
  return {
    FilterId: row.FilterId,
    SubscriberId: row.SubscriberId,
    Phone: row.Phone,
    FilterMode: row.FilterMode,
    [`Allowed${kind.noun}`]: row.Allowed,
    [`Blocked${kind.noun}`]: row.Blocked,
    NotificationPhones: row.NotificationPhones,
    ...row.fields,
  };
}

/** Reads the parts of a filter that creating and updating set alike. Parts that are left out become empty or off. */
function settings(
  kind: Kind,
  { body }: Request,
): Pick<Filter, 'Allowed' | 'Blocked' | 'NotificationPhones' | 'fields'> {
  const fields: Record<string, Scalar> = {};
  for (const name of kind.texts) fields[name] = body.optionalText(name);
  for (const name of kind.flags) fields[name] = body.optionalFlag(name) ?? false;
  if (kind === CALL)
    fields.TranscriptionAction = body.optionalChoice('TranscriptionAction', ['WARNING', 'TERMINATE', 'NOTIFY']);
  return {
    Allowed: body.optionalPhones(`Allowed${kind.noun}`),
    Blocked: body.optionalPhones(`Blocked${kind.noun}`),
    NotificationPhones: body.optionalPhones('NotificationPhones'),
    fields,
  };
}

/** Creates a filter. Without the subscriber's Guardian flag, it is stored and has no effect. */
function create(kind: Kind) {
  return (request: Request) => {
    const { body, store } = request;
    body.text('SubscriberId');
    const given = {
      FilterId: newId(kind.prefix),
      Phone: body.phone('Phone'),
      FilterMode: body.choice('FilterMode', kind.modes),
      ...settings(kind, request),
    };
    const row: Filter = { ...given, SubscriberId: subscriberGiven(request, 'SubscriberId')?.SubscriberId ?? '' };
    store.state[kind.list].push(row);
    return filterView(kind, row);
  };
}

/** Returns the filter that a body names, if its subscriber belongs to this distributor. */
function ownFilter(kind: Kind, { store, distributor }: Request, filterId: string): Filter {
  const row = store.state[kind.list].find((filter) => filter.FilterId === filterId);
  if (row === undefined || store.subscriber(distributor, row.SubscriberId) === undefined)
    throw notFound(`Filter ${filterId}`);
  return row;
}

/** Replaces the configuration (PLATFORM.md, Guardian filtering); mode and number keep their values if left out. */
function update(kind: Kind) {
  return (request: Request) => {
    const { body } = request;
    const row = ownFilter(kind, request, body.text('FilterId'));
    const subscriber = body.filledText('SubscriberId');
    if (subscriber !== null && subscriber !== row.SubscriberId) throw badReference('SubscriberId');
    const changes = {
      Phone: body.optionalPhone('Phone') ?? row.Phone,
      FilterMode: body.optionalChoice('FilterMode', kind.updateModes) ?? row.FilterMode,
      ...settings(kind, request),
    };
    return filterView(kind, Object.assign(row, changes));
  };
}

function remove(kind: Kind) {
  return (request: Request) => {
    const { body, store, clock } = request;
    const row = ownFilter(kind, request, body.text(kind.idField));
    store.state[kind.list] = store.state[kind.list].filter((other) => other !== row);
    return { Status: 'Deleted', FilterId: row.FilterId, DateDeleted: clock.iso() };
  };
}

/** Returns one list of a filter as a bare array. */
function listed(kind: Kind, which: 'Allowed' | 'Blocked') {
  return (request: Request) => {
    const subscriber = subscriberAsked(request);
    const id = queryText(request, kind.idField);
    if (id === null) throw badField(kind.idField, 'required');
    const row = ownFilter(kind, request, id);
    if (row.SubscriberId !== subscriber.SubscriberId) throw notFound(`Filter ${id}`);
    return row[which];
  };
}

/** Returns a bare array. */
function list(kind: Kind, request: Request) {
  const { store, distributor } = request;
  const subscriber = queryText(request, 'SubscriberId') === null ? null : subscriberAsked(request);
  const phone = queryText(request, 'Phone');
  const account = queryText(request, 'AccountId');
  if (account !== null && store.account(distributor, account) === undefined) throw notFound(`Account ${account}`);
  return store.state[kind.list]
    .filter((row) => {
      const owner = store.subscriber(distributor, row.SubscriberId);
      return (
        owner !== undefined &&
        (subscriber === null || owner === subscriber) &&
        (account === null || owner.AccountId === account) &&
        (phone === null || row.Phone === phone)
      );
    })
    .map((row) => filterView(kind, row));
}

/** Adds to or removes from one list of a filter; the answer shows the whole list afterwards. */
function change(kind: Kind, which: 'Allowed' | 'Blocked', act: 'add' | 'remove') {
  return (request: Request) => {
    const { body, store, distributor } = request;
    const subscriberId = body.text('SubscriberId');
    const filterId = body.text(kind.idField);
    const numbers = body.phones(kind.noun);
    if (numbers.length === 0) throw body.wrong(kind.noun, 'required');
    const row = store.state[kind.list].find((filter) => filter.FilterId === filterId);
    const owner = store.subscriber(distributor, subscriberId);
    if (owner === undefined) throw notFound(`Subscriber ${subscriberId}`);
    if (row === undefined || row.SubscriberId !== subscriberId) throw notFound(`Filter ${filterId}`);
    const changed = new Set(row[which]);
    for (const one of numbers) act === 'add' ? changed.add(one) : changed.delete(one);
    row[which] = [...changed];
    return { FilterId: row.FilterId, SubscriberId: row.SubscriberId, [`${which}${kind.noun}`]: row[which] };
  };
}

export const guardianRoutes = [
  post('/v1.0/subscribers/guardian-features', setFeatures),
  get('/v1.0/subscribers/guardian-features', (request) => flagsView(subscriberAsked(request))),
  ...[CALL, MESSAGE].flatMap((kind) => {
    const path = `/v1.0/subscribers/${kind === CALL ? 'call' : 'message'}-filter`;
    const noun = kind.noun.toLowerCase();
    return [
      post(path, create(kind)),
      get(path, (request) => list(kind, request)),
      post(`${path}/update`, update(kind)),
      post(`${path}/delete`, remove(kind)),
      get(`${path}/allowed-${noun}`, listed(kind, 'Allowed')),
      post(`${path}/allowed-${noun}/add`, change(kind, 'Allowed', 'add')),
      post(`${path}/allowed-${noun}/remove`, change(kind, 'Allowed', 'remove')),
      get(`${path}/blocked-${noun}`, listed(kind, 'Blocked')),
      post(`${path}/blocked-${noun}/add`, change(kind, 'Blocked', 'add')),
      post(`${path}/blocked-${noun}/remove`, change(kind, 'Blocked', 'remove')),
    ];
  }),
];
