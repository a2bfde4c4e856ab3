import * as z from 'zod';
import { asks, defineOperation, label, off, on } from '../../src/catalogue/operation.ts';
import { credentialsAgain } from '../shared/credentials.ts';
import { emptied, messageRouteId, seeded } from '../shared/fields.ts';
import { lookAtRoute, onRoute } from '../shared/routes.ts';
import { messageRouteFields, messageRouteRecord, ROUTE_CREDENTIALS } from './routes-create.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/message/routes/update',
  title: 'Change a message route',
  description: 'Changes a message route, at once for every number on it. Give its passwords and tokens again.',
  source: 'S',
  notes: 'PLATFORM.md, Message route: every field but the booleans may be null, fields left out keep their values',
  input: () => ({
    MessageRouteId: messageRouteId,
    ...emptied(z.strictObject(messageRouteFields).partial().shape, []),
  }),
  keys: ['MessageRouteId'],
  current: {
    read: 'message_routes_get',
    replaces: true,
    asksAgain: (record, given) => credentialsAgain(record, given, ROUTE_CREDENTIALS),
  },
  ordinary: {
    RouteName: label,
    MessageRouteEnabled: on,
    IntelligentRouteEnabled: on,
    InboundBypass: off,
    OutboundBypass: off,
  },
  raised: {
    'any URL, method or authentication field': ['others'],
    'the route switched off': ['MessageRouteEnabled'],
    'filtering bypassed': ['IntelligentRouteEnabled', 'InboundBypass', 'OutboundBypass'],
    'another account': ['AccountId'],
  },
  hazards: {
    MessageUrl: 'With a wrong URL, inbound messages are lost.',
    MessageRouteEnabled: 'Inbound messages on the route stop arriving.',
    IntelligentRouteEnabled: 'Messages on the route are no longer checked by guardian filtering.',
    InboundBypass: 'Inbound messages are no longer checked by guardian filtering.',
    OutboundBypass: 'Outbound messages are no longer checked by guardian filtering.',
  },
  before: ({ MessageRouteId }, look) => lookAtRoute(['message_routes_get', { MessageRouteId }], 'MessageRouteId', look),
  consent: asks('Change', 'message route', 'MessageRouteId', {
    hazard: onRoute,
    undo: 'Messages delivered elsewhere in the meantime are not recovered.',
  }),
  output: () => messageRouteRecord,
  // PLATFORM.md, Message route: "200 success", without a record.
  answer: { bare: true },
  examples: [{ MessageRouteId: seeded('MRID'), RouteName: 'Main SMS route' }],
});
