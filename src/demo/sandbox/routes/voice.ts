import { badField, notFound } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import type { VoiceRoute } from '../records.ts';
import { newId } from '../store.ts';
import { accountGiven, get, post, queryText, type Request } from '../world.ts';

/**
 * The fields of a route (PLATFORM.md, Voice route), with the interface's authentication fields. `Priortiy` is the
 * platform's spelling.
 */
const ROUTE_FIELDS = {
  RouteName: 'text',
  RouteType: ['Trunk', 'URL', 'Forward'],
  VoiceUrl: 'url',
  VoiceUrlMethod: 'method',
  VoiceAuthenticationType: ['None', 'Basic', 'Bearer'],
  VoiceUsername: 'text',
  VoicePasswordToken: 'text',
  CallbackVoiceUrl: 'url',
  CallbackVoiceUrlMethod: 'method',
  TrunkIp1: 'text',
  TrunkIp2: 'text',
  TrunkPort1: 'text',
  TrunkPort2: 'text',
  TrunkTransport1: 'text',
  TrunkTransport2: 'text',
  TrunkUri1: 'text',
  TrunkUri2: 'text',
  TrunkEnabled1: 'flag',
  TrunkEnabled2: 'flag',
  Trunk1Priortiy: 'integer',
  Trunk2Priortiy: 'integer',
  Trunk1Weight: 'integer',
  Trunk2Weight: 'integer',
  HeaderManipulation: 'text',
  EnableSipRefer: 'flag',
  TransferCallerId: 'text',
  SymmetricRtp: 'flag',
  EnableTrpSecureTrunk: 'flag',
  EnablePstnTransfer: 'flag',
  CnamLookup: 'flag',
  TerminationUriSubdomain: 'text',
  EnableCallStreaming: 'flag',
  WssUri: 'text',
  IntelligentRouteEnabled: 'flag',
  RouteEnabled: 'flag',
} as const;

const CREDENTIALS: ReadonlySet<string> = new Set(['VoiceAuthenticationType', 'VoiceUsername', 'VoicePasswordToken']);

/** Authentication fields are not echoed. */
function shown(route: VoiceRoute): JsonObject {
  return Object.fromEntries(Object.entries(route.fields).filter(([name]) => !CREDENTIALS.has(name)));
}

function createRoute(request: Request) {
  const { body, store, distributor } = request;
  body.text('RouteName');
  body.text('RouteType');
  const kinds = Object.fromEntries(Object.entries(ROUTE_FIELDS).filter(([name]) => body.given(name)));
  const fields = { RouteEnabled: true, ...body.bag(kinds) };
  requireSecureStream(request);
  const whitelist = addresses(request);
  const account = accountGiven(request) ?? store.defaultAccount(distributor);
  const route = { CallRouteId: newId('CRID'), AccountId: account.AccountId, fields, IpWhitelist: whitelist };
  store.state.voiceRoutes.push(route);
  // The create response shows IpWhiteList as an empty array, even if addresses were sent (PLATFORM.md, Voice route).
  return { CallRouteId: route.CallRouteId, AccountId: route.AccountId, ...shown(route), IpWhiteList: [] };
}

/** The query is spelled CallRouteID (PLATFORM.md, Voice route); CallRouteId is accepted too. */
function getRoute(request: Request) {
  const id = queryText(request, 'CallRouteID') ?? queryText(request, 'CallRouteId');
  if (id === null) throw badField('CallRouteID', 'required');
  const route = request.store.voiceRoute(request.distributor, id);
  if (route === undefined) throw notFound(`Voice route ${id}`);
  return {
    CallRouteId: route.CallRouteId,
    CallRouteStatus: 'Active',
    AccountId: route.AccountId,
    ...shown(route),
    IpWhiteList: route.IpWhitelist,
  };
}

/** Without AccountId, lists the routes of the distributor's first account. */
function listRoutes(request: Request) {
  const { store, distributor } = request;
  const id = queryText(request, 'AccountId') ?? store.defaultAccount(distributor).AccountId;
  if (store.account(distributor, id) === undefined) throw notFound(`Account ${id}`);
  const rows = store.state.voiceRoutes.filter((row) => row.AccountId === id);
  return {
    AccountID: id,
    TotalRoutes: rows.length,
    Results: rows.map((row) => ({
      CallRouteStatus: 'Active',
      CallRouteId: row.CallRouteId,
      AccountID: row.AccountId,
      ...shown(row),
      IpWhitelist: row.IpWhitelist,
    })),
  };
}

const ALWAYS_SET: ReadonlySet<string> = new Set(['RouteName', 'RouteType']);

/**
 * Fields left out keep their values, and null empties every field but the name, the kind and the booleans (PLATFORM.md,
 * Voice route).
 */
function updateRoute(request: Request) {
  const { body, store, distributor } = request;
  const id = body.text('CallRouteId');
  const isSet = ([name, kind]: [string, unknown]) =>
    kind === 'flag' || ALWAYS_SET.has(name) ? body.given(name) : body.has(name);
  const fields = body.bag(Object.fromEntries(Object.entries(ROUTE_FIELDS).filter(isSet)));
  requireSecureStream(request);
  const emptied = body.has('IpWhitelist') ? [] : undefined;
  const whitelist = body.given('IpWhitelist') ? addresses(request) : emptied;
  const account = accountGiven(request);
  const route = store.voiceRoute(distributor, id);
  if (route === undefined || (account !== null && account.AccountId !== route.AccountId))
    throw notFound(`Voice route ${id}`);
  route.fields = { ...route.fields, ...fields };
  route.IpWhitelist = whitelist ?? route.IpWhitelist;
  return { CallRouteId: route.CallRouteId, AccountId: route.AccountId, ...shown(route), IpWhiteList: [] };
}

/** Deletes a route permanently. Numbers that still use it lose their voice route (PLATFORM.md, Voice route). */
function deleteRoute(request: Request) {
  const { body, store, distributor } = request;
  const id = body.text('CallRouteId');
  const route = store.voiceRoute(distributor, id);
  if (route === undefined) throw notFound(`Voice route ${id}`);
  store.state.voiceRoutes = store.state.voiceRoutes.filter((row) => row !== route);
  for (const number of store.state.numbers) if (number.VoiceRouteId === id) number.VoiceRouteId = null;
  return { CallRouteStatus: 'Deleted', CallRouteId: id };
}

function requireSecureStream({ body }: Request): void {
  const stream = body.filledText('WssUri');
  if (stream !== null && !stream.startsWith('wss://')) throw body.wrong('WssUri', 'must be a wss:// address');
}

function addresses({ body }: Request): { IpAddress: string }[] {
  return body.rows('IpWhitelist').map((row) => ({ IpAddress: row.text('IpAddress') }));
}

export const voiceRoutes = [
  post('/v1.0/voice/routes', createRoute),
  get('/v1.0/voice/routes', getRoute),
  post('/v1.0/voice/routes/update', updateRoute),
  post('/v1.0/voice/routes/delete', deleteRoute),
  get('/v1.0/account/voice/routes', listRoutes),
];
