import { badField, badReference, notFound } from '../errors.ts';
import type { Fields } from '../fields.ts';
import type { JsonObject } from '../json.ts';
import { messageView, queueMessage, receives } from '../messaging.ts';
import type { Message, MessageRoute, Scalar } from '../records.ts';
import { sharesOfPage } from '../stock.ts';
import { newId } from '../store.ts';
import { accountGiven, CARRIER_REFUSES, get, ownNumber, post, queryText, type Request } from '../world.ts';

/** `Basic`, `Bearer` or `None` (PLATFORM.md, Message route). */
const AUTHENTICATION = ['None', 'Basic', 'Bearer'];

const ROUTE_FIELDS = {
  RouteName: 'text',
  MessageUrl: 'url',
  MessageUrlMethod: 'method',
  MessageRouteEnabled: 'flag',
  MessageAuthenticationType: AUTHENTICATION,
  MessageUsername: 'text',
  MessagePasswordToken: 'text',
  CallbackMessageUrl: 'url',
  CallbackMessageUrlMethod: 'method',
  CallbackMessageAuthenticationType: AUTHENTICATION,
  CallbackMessageUsername: 'text',
  CallbackMessagePasswordToken: 'text',
  InboundBypass: 'flag',
  OutboundBypass: 'flag',
  IntelligentRouteEnabled: 'flag',
} as const;

/** Defaults of a route. */
const ROUTE_DEFAULTS: Readonly<Record<string, Scalar>> = {
  ...Object.fromEntries(Object.keys(ROUTE_FIELDS).map((name) => [name, null])),
  MessageRouteEnabled: true,
  InboundBypass: false,
  OutboundBypass: false,
  IntelligentRouteEnabled: false,
};

const WRITE_ONLY: ReadonlySet<string> = new Set(['MessagePasswordToken', 'CallbackMessagePasswordToken']);

/** Returns the route without its passwords, which are write-only (PLATFORM.md, Message route). */
function routeView(route: MessageRoute): JsonObject {
  const shown = Object.entries(route.fields).filter(([name]) => !WRITE_ONLY.has(name));
  return { MessageRouteId: route.MessageRouteId, AccountId: route.AccountId, ...Object.fromEntries(shown) };
}

/** AccountId is required for a distributor with several accounts (PLATFORM.md, Message route). */
function createRoute(request: Request) {
  const { body, store, distributor } = request;
  body.text('RouteName');
  body.text('MessageUrl');
  body.text('MessageUrlMethod');
  const account = accountGiven(request);
  if (account === null && store.accountsOf(distributor).length > 1)
    throw body.wrong('AccountId', 'required for distributors with multiple accounts');
  const route: MessageRoute = {
    MessageRouteId: newId('MRID'),
    AccountId: (account ?? store.defaultAccount(distributor)).AccountId,
    fields: { ...ROUTE_DEFAULTS, ...body.bag(withoutNullFlags(body)) },
  };
  store.state.messageRoutes.push(route);
  return routeView(route);
}

/** On create, a null flag counts as absent. */
function withoutNullFlags(body: Fields) {
  return Object.fromEntries(
    Object.entries(ROUTE_FIELDS).filter(([name, kind]) => kind !== 'flag' || body.given(name)),
  ) as typeof ROUTE_FIELDS;
}

/** All fields except booleans are nullable (PLATFORM.md, Message route). Fields left out keep their values. */
function updateRoute(request: Request) {
  const { body, store, distributor } = request;
  const id = body.text('MessageRouteId');
  const account = accountGiven(request);
  const route = store.messageRoute(distributor, id);
  if (route === undefined || (account !== null && account.AccountId !== route.AccountId))
    throw notFound(`Message route ${id}`);
  route.fields = { ...route.fields, ...body.bag(ROUTE_FIELDS) };
  return routeView(route);
}

function getRoute(request: Request) {
  const id = queryText(request, 'MessageRouteId') ?? queryText(request, 'MessageRouteID');
  if (id === null) throw badField('MessageRouteId', 'required');
  const route = request.store.messageRoute(request.distributor, id);
  if (route === undefined) throw notFound(`Message route ${id}`);
  return routeView(route);
}

/**
 * Without AccountId, lists the routes of the distributor's first account. The list spells AccountID (PLATFORM.md,
 * Message route).
 */
function listRoutes(request: Request) {
  const { store, distributor } = request;
  const id = queryText(request, 'AccountId') ?? store.defaultAccount(distributor).AccountId;
  if (store.account(distributor, id) === undefined) throw notFound(`Account ${id}`);
  const rows = store.state.messageRoutes.filter((row) => row.AccountId === id);
  const Results = rows.map((row) => {
    const { AccountId, ...shown } = routeView(row);
    return { ...shown, AccountID: AccountId };
  });
  return { AccountID: id, TotalRoutes: rows.length, Results };
}

/** Deletes a route permanently. Numbers that still use it lose their message route (PLATFORM.md, Message route). */
function deleteRoute(request: Request) {
  const { body, store, distributor } = request;
  const id = body.text('MessageRouteId');
  const route = store.messageRoute(distributor, id);
  if (route === undefined) throw notFound(`Message route ${id}`);
  store.state.messageRoutes = store.state.messageRoutes.filter((row) => row !== route);
  for (const number of store.state.numbers) if (number.MessageRouteId === id) number.MessageRouteId = null;
  return { MessageRouteStatus: 'Deleted', MRID: id };
}

/** Returns a number's messages, the newest first (PLATFORM.md, Message). Both spellings of the query are accepted. */
function search(request: Request) {
  const { store, distributor } = request;
  const asked = queryText(request, 'phoneNumber') ?? queryText(request, 'PhoneNumber');
  if (asked === null) throw badField('phoneNumber', 'required');
  const number = ownNumber(request, asked);
  const rows = store.state.messages.filter((row) => store.owns(distributor, row) && isOf(row, number.Number)).reverse();
  const page = sharesOfPage(queryText(request, 'Page'), queryText(request, 'Results'), {
    page: 'Page',
    size: 'Results',
  });
  return {
    PhoneNumber: number.Number,
    ResultsTotalRecords: rows.length,
    ResultsPages: Math.ceil(rows.length / (page.to - page.from)),
    Results: rows.slice(page.from, page.to).map(searchRow),
  };
}

/** True if this number sent or received it. A message between two numbers of the platform has a record for each. */
function isOf(row: Message, phone: string): boolean {
  return row.Direction === 'OUTBOUND' ? row.From === phone : row.To.includes(phone);
}

/** The search spells ids and directions in its own way, and a cost with a dollar sign (PLATFORM.md, Message). */
function searchRow(row: Message): JsonObject {
  return {
    MessageID: row.MessageId,
    Direction: row.Direction === 'OUTBOUND' ? 'Outbound' : 'Inbound',
    Type: row.Type,
    CampaignID: row.CampaignId,
    Cost: `$${row.Cost}`,
    Status: row.Status,
    To: row.To.map((to) => ({ Number: to })),
    From: row.From,
    Owner: row.Owner ?? (row.Direction === 'OUTBOUND' ? row.From : (row.To[0] ?? null)),
    Body: row.Body,
    MmsMedia: row.MmsMedia,
  };
}

function details(request: Request) {
  const id = queryText(request, 'MessageId');
  if (id === null) throw badField('MessageId', 'required');
  const found = request.store.state.messages.find(
    (row) => row.MessageId === id && request.store.owns(request.distributor, row),
  );
  if (found === undefined) throw notFound(`Message ${id}`);
  return messageView(found);
}

/**
 * Sends a message, as an MMS if it has media. From must be an active number of the distributor with messaging on
 * (PLATFORM.md, Message).
 */
function outbound(request: Request) {
  const { body, store, distributor } = request;
  const to = body.numberRows('To').map((row) => row.number);
  const from = body.phone('From');
  const text = body.text('Body');
  const owner = body.optionalPhone('Owner');
  const campaign = body.filledText('CampaignId');
  const media = body.rows('MmsMedia').map((row) => ({ MediaUrl: row.text('MediaUrl') }));
  const inline = body.rows('MmsBase64').map((row) => ({ Base64: row.text('Base64'), BaseType: row.text('BaseType') }));
  const number = store.number(distributor, from);
  if (number === undefined) throw badReference('From');
  if (!receives(number)) throw body.wrong('From', `${from} is not an active number with messaging enabled`);
  const mms = media.length + inline.length > 0;
  const delivered = to.filter((recipient) => !request.refused.has(recipient));
  const row = queueMessage(request, number, { from, to: delivered, body: text, media, mms, owner, campaign });
  return {
    ...messageView(row),
    Status: delivered.length > 0 ? row.Status : 'Failed',
    To: to.map((recipient) => ({
      Number: recipient,
      ...(request.refused.has(recipient) && { Status: 'Failed', StatusMessage: CARRIER_REFUSES }),
    })),
    Owner: owner ?? from,
    ...(mms && { MmsMedia: media, MmsBase64: inline }),
  };
}

export const messageRoutes = [
  post('/v1.0/message/routes', createRoute),
  get('/v1.0/message/routes', getRoute),
  post('/v1.0/message/routes/update', updateRoute),
  post('/v1.0/message/routes/delete', deleteRoute),
  get('/v1.0/account/message/routes', listRoutes),
  get('/v1.0/message/search', search),
  get('/v1.0/message/details', details),
  post('/v1.0/message/outbound', outbound),
];
