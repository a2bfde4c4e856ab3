import { notFound } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { Filter, Scalar, Subscriber } from '../records.ts';
import { newId } from '../store.ts';
import { get, post, queryText, type Request, subscriberGiven } from '../world.ts';
import { subscriberAsked } from './accounts.ts';

/** The differences between the two kinds of filters, which both belong to subscribers (PLATFORM.md, Guardian filtering). */
interface Kind {
  readonly prefix: 'CFID' | 'MFID';
  readonly list: 'callFilters' | 'messageFilters';
  readonly idField: 'CallFilterId' | 'MessageFilterId';
  readonly modes: readonly string[];
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
const MESSAGE: Kind = {
  prefix: 'MFID',
  list: 'messageFilters',
  idField: 'MessageFilterId',
  modes: ['CHILD', 'ADOLESCENT', 'TEENAGER', 'ACTIVE', 'MONITOR_ONLY', 'INACTIVE'],
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

/** A filter without its Guardian flag is stored and has no effect. */
function create(kind: Kind) {
  return (request: Request) => {
    const { body, store } = request;
    body.text('SubscriberId');
    const fields: Record<string, Scalar> = {};
    const row: Filter = {
      FilterId: newId(kind.prefix),
      SubscriberId: '',
      Phone: body.phone('Phone'),
      FilterMode: body.choice('FilterMode', kind.modes),
      Allowed: body.optionalPhones(`Allowed${kind.noun}`),
      Blocked: body.optionalPhones(`Blocked${kind.noun}`),
      NotificationPhones: body.optionalPhones('NotificationPhones'),
      fields,
    };
    for (const name of kind.texts) fields[name] = body.optionalText(name);
    for (const name of kind.flags) fields[name] = body.optionalFlag(name) ?? false;
    if (kind === CALL)
      fields.TranscriptionAction = body.optionalChoice('TranscriptionAction', ['WARNING', 'TERMINATE', 'NOTIFY']);
    row.SubscriberId = subscriberGiven(request, 'SubscriberId')?.SubscriberId ?? '';
    store.state[kind.list].push(row);
    return filterView(kind, row);
  };
}

/** A bare array. */
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
    row[which] =
      act === 'add' ? [...new Set([...row[which], ...numbers])] : row[which].filter((one) => !numbers.includes(one));
    return { FilterId: row.FilterId, SubscriberId: row.SubscriberId, [`${which}${kind.noun}`]: row[which] };
  };
}

export const guardianRoutes = [
  post('/v1.0/subscribers/guardian-features', setFeatures),
  get('/v1.0/subscribers/guardian-features', (request) => flagsView(subscriberAsked(request))),
  post('/v1.0/subscribers/call-filter', create(CALL)),
  get('/v1.0/subscribers/call-filter', (request) => list(CALL, request)),
  post('/v1.0/subscribers/call-filter/allowed-numbers/add', change(CALL, 'Allowed', 'add')),
  post('/v1.0/subscribers/call-filter/blocked-numbers/add', change(CALL, 'Blocked', 'add')),
  post('/v1.0/subscribers/call-filter/blocked-numbers/remove', change(CALL, 'Blocked', 'remove')),
  post('/v1.0/subscribers/message-filter', create(MESSAGE)),
  get('/v1.0/subscribers/message-filter', (request) => list(MESSAGE, request)),
  post('/v1.0/subscribers/message-filter/allowed-contacts/add', change(MESSAGE, 'Allowed', 'add')),
  post('/v1.0/subscribers/message-filter/blocked-contacts/add', change(MESSAGE, 'Blocked', 'add')),
];
