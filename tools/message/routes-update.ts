import * as z from 'zod';
import { defineOperation } from '../../src/operation.ts';
import {
  accountId,
  httpMethod,
  longHttpsUrl,
  messageRouteId,
  routeAuthentication,
  secretText,
  someChange,
  text,
} from '../fields.ts';
import { messageRouteRecord, routeCredentials } from './routes-create.ts';

export default defineOperation({
  id: 'message_routes_update',
  endpoint: 'POST /v1.0/message/routes/update',
  title: 'Change a message route',
  description:
    'Changes a message route, at once for every number on it. Fields left out keep their values; null clears one. A wrong URL loses inbound messages.',
  risk: 'write',
  resend: true,
  source: 'S',
  notes: 'platform.md, Routes: all nullable except booleans; interface: fields left out keep their present values',
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
  output: z.looseObject(messageRouteRecord),
  examples: [{ MessageRouteId: 'MRID-00000000-0000-4000-8000-000000000001', RouteName: 'Main SMS route' }],
});
