import * as z from 'zod';
import { asks, defineOperation } from '../../src/catalogue/operation.ts';
import { longHttpsUrl } from '../shared/addresses.ts';
import { type Credentials, missingCredentials } from '../shared/credentials.ts';
import { accountId, httpMethod, out, routeAuthentication, secretText, seeded, text } from '../shared/fields.ts';

/** A message route as the platform returns it. Passwords are write-only. */
export const messageRouteRecord = {
  MessageRouteId: out.key('MRID'),
  ...out.members('AccountId RouteName MessageUrl MessageUrlMethod MessageRouteEnabled MessageAuthenticationType'),
  ...out.members('MessageUsername CallbackMessageUrl CallbackMessageUrlMethod CallbackMessageAuthenticationType'),
  ...out.members('CallbackMessageUsername InboundBypass OutboundBypass IntelligentRouteEnabled'),
} as const;

/** The authentication of inbound messages and of delivery receipts. */
export const ROUTE_CREDENTIALS: readonly Credentials[] = ['', 'Callback'].map((prefix) => ({
  type: `${prefix}MessageAuthenticationType`,
  username: `${prefix}MessageUsername`,
  secrets: { Basic: `${prefix}MessagePasswordToken`, Bearer: `${prefix}MessagePasswordToken` },
}));

/** The settings of a message route. */
export const messageRouteFields = {
  RouteName: text(),
  MessageUrl: longHttpsUrl.describe('receives inbound messages'),
  MessageUrlMethod: httpMethod,
  AccountId: accountId.optional(),
  MessageRouteEnabled: z.boolean().optional(),
  MessageAuthenticationType: routeAuthentication.optional(),
  MessageUsername: text().optional(),
  MessagePasswordToken: secretText().optional().meta({ title: 'Message password or token' }),
  CallbackMessageUrl: longHttpsUrl.optional().describe('receives delivery receipts'),
  CallbackMessageUrlMethod: httpMethod.optional(),
  CallbackMessageAuthenticationType: routeAuthentication.optional(),
  CallbackMessageUsername: text().optional(),
  CallbackMessagePasswordToken: secretText().optional().meta({ title: 'Callback message password or token' }),
  InboundBypass: z.boolean().optional().meta({ title: 'Inbound: skip guardian filtering' }),
  OutboundBypass: z.boolean().optional().meta({ title: 'Outbound: skip guardian filtering' }),
  IntelligentRouteEnabled: z.boolean().optional().describe('guardian filtering and intelligent routing'),
} as const;

export default defineOperation({
  id: 'message_routes_create',
  endpoint: 'POST /v1.0/message/routes',
  title: 'Create a message route',
  description:
    'Creates a destination for inbound SMS and MMS, which numbers_provision needs. AccountId: needed if there are several accounts.',
  defaultAccount: true,
  source: 'S',
  notes: 'PLATFORM.md, Message route: RouteName and MessageUrl are required',
  input: () => messageRouteFields,
  rules: (input) => missingCredentials(input, ROUTE_CREDENTIALS),
  ordinary: 'new',
  consent: asks('Create', 'message route', 'RouteName', { hazard: 'No number uses it until one is moved to it.' }),
  output: () => messageRouteRecord,
  examples: [
    { RouteName: 'Inbox', MessageUrl: 'https://example.com/in', MessageUrlMethod: 'POST', AccountId: seeded('AID') },
  ],
});
