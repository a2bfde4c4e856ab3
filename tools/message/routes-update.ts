import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import { defined, type Fields } from '../../src/lib/json.ts';
import { longHttpsUrl } from '../shared/addresses.ts';
import {
  accountId,
  httpMethod,
  messageRouteId,
  routeAuthentication,
  secretText,
  someChange,
  text,
} from '../shared/fields.ts';
import { lookAtNamed, numbersOn } from '../shared/named.ts';
import { messageRouteRecord, routeCredentials } from './routes-create.ts';

/** Fields that set where messages are delivered and how the platform authenticates there. */
const POINTING = /Url|Authentication|Username|PasswordToken/;

/** Values that take something away, with the sentence for the confirmation. */
const LOSSES: readonly { field: string; value: boolean; says: string }[] = [
  {
    field: 'MessageRouteEnabled',
    value: false,
    says: 'The route is switched off: inbound messages on it stop arriving.',
  },
  { field: 'IntelligentRouteEnabled', value: false, says: 'Intelligent routing is switched off.' },
  { field: 'InboundBypass', value: true, says: 'Inbound messages are no longer checked by guardian filtering.' },
  { field: 'OutboundBypass', value: true, says: 'Outbound messages are no longer checked by guardian filtering.' },
];

function lossesOf(input: Readonly<Fields>): string[] {
  return LOSSES.filter(({ field, value }) => input[field] === value).map(({ says }) => says);
}

function isPointed(input: Readonly<Fields>): boolean {
  return Object.keys(input).some((field) => POINTING.test(field));
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
  input: z.strictObject({
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
  rules: (input) =>
    someChange(input, ['MessageRouteId', 'AccountId'], 'MessageUrl') ??
    routeCredentials(input, 'or leave the type out to keep what is stored'),
  raisedBy: 'any URL, method or authentication field, the route switched off, and filtering bypassed',
  raises: (input) => {
    if (isPointed(input))
      return {
        risk: 'destroy',
        reason: 'Messages for every number on this route will go elsewhere or stop arriving.',
      };
    const [loss] = lossesOf(input);
    return loss === undefined ? undefined : { risk: 'destroy', reason: `For every number on this route: ${loss}` };
  },
  before: async ({ MessageRouteId }, look) => {
    const [{ record, name, warnings, ...route }, numbers] = await Promise.all([
      lookAtNamed('message route', MessageRouteId, look),
      numbersOn('MessageRouteId', MessageRouteId, look),
    ]);
    const known = { Name: name, Numbers: numbers.words, ...defined({ Url: record?.MessageUrl }) };
    return { ...route, known, warnings: [...warnings, ...numbers.warnings] };
  },
  consent: (input, { Name = input.MessageRouteId, Numbers = '', Url }) => ({
    title: isPointed(input)
      ? `Change where message route ${String(Name)} delivers`
      : `Switch off or unprotect message route ${String(Name)}`,
    consequence: [
      String(Numbers),
      'Takes effect at once for every number on this route and overwrites the current settings.',
      typeof input.MessageUrl === 'string'
        ? `Inbound messages go to ${input.MessageUrl}${typeof Url === 'string' && Url !== input.MessageUrl ? ` instead of ${Url}` : ''}.`
        : '',
      typeof input.CallbackMessageUrl === 'string' ? `Delivery receipts go to ${input.CallbackMessageUrl}.` : '',
      ...lossesOf(input),
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
    undo: 'Can be changed back by someone who knows the old values. Messages delivered elsewhere in the meantime are not recovered.',
    confirm: 'Change this route',
  }),
  output: z.looseObject(messageRouteRecord),
  // PLATFORM.md, Message route: "200 success", without a record.
  answer: { bare: true },
  examples: [{ MessageRouteId: 'MRID-00000000-0000-4000-8000-000000000001', RouteName: 'Main SMS route' }],
});
