import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import {
  accountId,
  httpMethod,
  longHttpsUrl,
  messageRouteId,
  routeAuthentication,
  secretText,
  someChange,
  text,
} from '../shared/fields.ts';
import { messageRouteRecord, routeCredentials } from './routes-create.ts';

/** Fields that say where messages go and how we are known there. */
const POINTING = /Url|Authentication|Username|PasswordToken/;

export default defineOperation({
  id: 'message_routes_update',
  endpoint: 'POST /v1.0/message/routes/update',
  title: 'Change a message route',
  description:
    'Changes a message route, at once for every number on it. Fields left out keep their values; null clears one. A wrong URL loses inbound messages.',
  risk: 'write',
  resend: true,
  source: 'S',
  notes: 'PLATFORM.md, Message route: every field but the booleans may be null, fields left out keep their values',
  input: z.strictObject({
    MessageRouteId: messageRouteId,
    RouteName: text().nullish(),
    MessageUrl: longHttpsUrl.nullish(),
    MessageUrlMethod: httpMethod.nullish(),
    MessageRouteEnabled: z.boolean().optional(),
    MessageAuthenticationType: routeAuthentication.nullish(),
    MessageUsername: text().nullish(),
    MessagePasswordToken: secretText().nullish().describe('password (Basic) or token (Bearer)').meta({ secret: true }),
    CallbackMessageUrl: longHttpsUrl.nullish(),
    CallbackMessageUrlMethod: httpMethod.nullish(),
    CallbackMessageAuthenticationType: routeAuthentication.nullish(),
    CallbackMessageUsername: text().nullish(),
    CallbackMessagePasswordToken: secretText().nullish().meta({ secret: true }),
    InboundBypass: z.boolean().optional().meta({ title: 'Inbound: skip guardian filtering' }),
    OutboundBypass: z.boolean().optional().meta({ title: 'Outbound: skip guardian filtering' }),
    IntelligentRouteEnabled: z.boolean().optional(),
    AccountId: accountId.nullish(),
  }),
  rules: (input) =>
    someChange(input, ['MessageRouteId', 'AccountId'], 'MessageUrl') ??
    routeCredentials(input, 'or leave the type out to keep what is stored'),
  raisedBy: 'any URL, method or authentication field',
  raises: (input) => {
    const fields = Object.keys(input).filter((field) => POINTING.test(field));
    return fields.length === 0
      ? undefined
      : { risk: 'destroy', reason: 'Messages of every number on this route go to another place, or stop arriving.' };
  },
  consent: (input) => ({
    title: `Change where message route ${input.MessageRouteId} delivers`,
    consequence: [
      'It counts at once for every number on this route. What stands there now is overwritten.',
      typeof input.MessageUrl === 'string' ? `Inbound messages go to ${input.MessageUrl}.` : '',
      typeof input.CallbackMessageUrl === 'string' ? `Delivery receipts go to ${input.CallbackMessageUrl}.` : '',
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
    undo: 'Can be changed back by whoever knows the old values; messages delivered elsewhere meanwhile do not come back.',
    confirm: 'Change this route',
  }),
  output: z.looseObject(messageRouteRecord),
  // platform.md, Message: "200 success", without a record.
  answer: { bare: 'empty' },
  examples: [{ MessageRouteId: 'MRID-00000000-0000-4000-8000-000000000001', RouteName: 'Main SMS route' }],
});
