import * as z from 'zod';
import { defineOperation, type Harm, label, off, on, target } from '../../src/catalogue/operation.ts';
import { defined } from '../../src/lib/json.ts';
import { longHttpsUrl } from '../shared/addresses.ts';
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
import { secretAgain } from '../shared/named.ts';
import { lookAtRoute } from '../shared/routes.ts';
import { messageRouteRecord, routeCredentials } from './routes-create.ts';

const points: Harm<unknown> = {
  what: 'any URL, method or authentication field',
  reason: 'Messages for every number on this route will go elsewhere or stop arriving.',
};

function goesTo(what: string, url: string | null, now?: unknown): string {
  if (url === null) return `${what} go nowhere: the URL is cleared.`;
  return `${what} go to ${url}${typeof now === 'string' && now !== url ? ` instead of ${now}` : ''}.`;
}

export default defineOperation({
  id: 'message_routes_update',
  endpoint: 'POST /v1.0/message/routes/update',
  title: 'Change a message route',
  description:
    'Changes a message route, at once for every number on it. Fields left out keep their values; null clears one. With a wrong URL, inbound messages are lost.',
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
    asksAgain: (record, given) =>
      secretAgain(record, given, 'MessageAuthenticationType', 'MessagePasswordToken') ??
      secretAgain(record, given, 'CallbackMessageAuthenticationType', 'CallbackMessagePasswordToken'),
  },
  rules: (input) =>
    someChange(input, ['MessageRouteId', 'AccountId'], 'MessageUrl') ??
    routeCredentials(input, 'or leave the type out to keep what is stored'),
  ordinary: {
    MessageRouteId: target,
    RouteName: label,
    MessageRouteEnabled: on,
    IntelligentRouteEnabled: on,
    InboundBypass: off,
    OutboundBypass: off,
  },
  raised: {
    MessageUrl: { ...points, reason: (url, { known }) => goesTo('Inbound messages', url, known.Url) },
    MessageUrlMethod: points,
    MessageAuthenticationType: points,
    MessageUsername: points,
    MessagePasswordToken: points,
    CallbackMessageUrl: { ...points, reason: (url) => goesTo('Delivery receipts', url) },
    CallbackMessageUrlMethod: points,
    CallbackMessageAuthenticationType: points,
    CallbackMessageUsername: points,
    CallbackMessagePasswordToken: points,
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
    AccountId: { what: 'another account', reason: (account) => `The route is moved to account ${String(account)}.` },
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
