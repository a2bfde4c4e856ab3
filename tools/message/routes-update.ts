import * as z from 'zod';
import { defineOperation, label, off, on, target } from '../../src/catalogue/operation.ts';
import { defined } from '../../src/lib/json.ts';
import { longHttpsUrl } from '../shared/addresses.ts';
import { credentialHarms, credentialsAgain, methodHarm } from '../shared/credentials.ts';
import {
  accountId,
  httpMethod,
  messageRouteId,
  routeAuthentication,
  secretText,
  seeded,
  someChange,
  text,
} from '../shared/fields.ts';
import { lookAtRoute } from '../shared/routes.ts';
import { messageRouteRecord, ROUTE_CREDENTIALS } from './routes-create.ts';

const what = 'any URL, method or authentication field';
const [INBOUND, RECEIPTS] = ['Inbound messages', 'Delivery receipts'];
const inbound = credentialHarms(what, INBOUND);
const receipts = credentialHarms(what, RECEIPTS);

function goesTo(what: string, url: string | null, now?: unknown): string {
  if (url === null) return `${what} go nowhere: the URL is cleared.`;
  return `${what} go to ${url}${typeof now === 'string' && now !== url ? ` instead of ${now}` : ''}.`;
}

export default defineOperation({
  id: 'message_routes_update',
  endpoint: 'POST /v1.0/message/routes/update',
  title: 'Change a message route',
  description:
    'Changes a message route, at once for every number on it. Fields left out keep their values, except passwords and tokens, which cannot be read back; null clears one. With a wrong URL, inbound messages are lost.',
  risk: 'write',
  resend: true,
  source: 'S',
  notes: 'PLATFORM.md, Message route: every field but the booleans may be null, fields left out keep their values',
  input: () => ({
    MessageRouteId: messageRouteId,
    RouteName: text().nullish(),
    MessageUrl: longHttpsUrl.nullish(),
    MessageUrlMethod: httpMethod.nullish(),
    MessageRouteEnabled: z.boolean().optional(),
    MessageAuthenticationType: routeAuthentication.nullish(),
    MessageUsername: text().nullish(),
    MessagePasswordToken: secretText().nullish().meta({ secret: true, title: 'Message password or token' }),
    CallbackMessageUrl: longHttpsUrl.nullish(),
    CallbackMessageUrlMethod: httpMethod.nullish(),
    CallbackMessageAuthenticationType: routeAuthentication.nullish(),
    CallbackMessageUsername: text().nullish(),
    CallbackMessagePasswordToken: secretText()
      .nullish()
      .meta({ secret: true, title: 'Callback message password or token' }),
    InboundBypass: z.boolean().optional().meta({ title: 'Inbound: skip guardian filtering' }),
    OutboundBypass: z.boolean().optional().meta({ title: 'Outbound: skip guardian filtering' }),
    IntelligentRouteEnabled: z.boolean().optional(),
    AccountId: accountId.nullish(),
  }),
  current: {
    read: 'message_routes_get',
    keys: ['MessageRouteId'],
    input: ({ MessageRouteId }) => (typeof MessageRouteId === 'string' ? { MessageRouteId } : undefined),
    replaces: true,
    asksAgain: (record, given) => credentialsAgain(record, given, ROUTE_CREDENTIALS),
  },
  rules: (input) => someChange(input, ['MessageRouteId', 'AccountId'], 'MessageUrl'),
  ordinary: {
    MessageRouteId: target,
    RouteName: label,
    MessageRouteEnabled: on,
    IntelligentRouteEnabled: on,
    InboundBypass: off,
    OutboundBypass: off,
  },
  raised: {
    MessageUrl: { what, reason: (url, { known }) => goesTo(INBOUND, url, known.Url) },
    MessageUrlMethod: methodHarm(what, INBOUND),
    MessageAuthenticationType: inbound.type,
    MessageUsername: inbound.secret,
    MessagePasswordToken: inbound.secret,
    CallbackMessageUrl: { what, reason: (url) => goesTo(RECEIPTS, url) },
    CallbackMessageUrlMethod: methodHarm(what, RECEIPTS),
    CallbackMessageAuthenticationType: receipts.type,
    CallbackMessageUsername: receipts.secret,
    CallbackMessagePasswordToken: receipts.secret,
    MessageRouteEnabled: {
      what: 'the route switched off',
      reason: 'The route is switched off: inbound messages on it stop arriving.',
    },
    IntelligentRouteEnabled: { what: 'filtering bypassed', reason: 'Intelligent routing is switched off.' },
    InboundBypass: {
      what: 'filtering bypassed',
      reason: 'Inbound messages are no longer checked by guardian filtering.',
    },
    OutboundBypass: {
      what: 'filtering bypassed',
      reason: 'Outbound messages are no longer checked by guardian filtering.',
    },
    AccountId: {
      what: 'another account',
      reason: (account) =>
        account === null ? 'The route is left without an account.' : `The route is moved to account ${account}.`,
    },
  },
  before: async ({ MessageRouteId }, look) => {
    const { record, name, numbers, ...checked } = await lookAtRoute('message route', MessageRouteId, look);
    return {
      ...checked,
      known: { Name: name, Numbers: numbers, ...defined({ Url: record?.MessageUrl, Record: record }) },
    };
  },
  consent: (input, { Name = input.MessageRouteId, Numbers = '' }, reasons) => ({
    title: `Change message route ${String(Name)}`,
    consequence: `${String(Numbers)} Takes effect at once for every number on this route. ${reasons}`.trim(),
    undo: 'Another update can change it back. Messages delivered elsewhere in the meantime are not recovered.',
    confirm: 'Change this route',
  }),
  output: () => messageRouteRecord,
  // PLATFORM.md, Message route: "200 success", without a record.
  answer: { bare: true },
  examples: [{ MessageRouteId: seeded('MRID'), RouteName: 'Main SMS route' }],
});
