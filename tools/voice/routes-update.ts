import * as z from 'zod';
import { asks, defineOperation, label, on } from '../../src/catalogue/operation.ts';
import { type Credentials, credentialsAgain } from '../shared/credentials.ts';
import { emptied, out, seeded, voiceRouteId } from '../shared/fields.ts';
import { lookAtRoute, onRoute } from '../shared/routes.ts';
import { voiceRouteFields, voiceRouteRecord } from './routes-create.ts';

const { AccountId: _account, ...changeable } = voiceRouteFields;

const CREDENTIALS: readonly Credentials[] = [
  {
    type: 'VoiceAuthenticationType',
    username: 'VoiceUsername',
    secrets: { Basic: 'VoicePasswordToken', Bearer: 'VoicePasswordToken' },
  },
];

export default defineOperation({
  endpoint: 'POST /v1.0/voice/routes/update',
  title: 'Change a voice route',
  description: 'Changes a voice route, at once for every number on it.',
  notes:
    'PLATFORM.md, Voice route: fields left out keep their values; assumed: null empties any but the name, the kind and the booleans, at most 100 addresses in IpWhitelist, authentication None is accepted as on create, and everything but the name and switching on needs an approver',
  input: () => ({
    CallRouteId: voiceRouteId,
    ...emptied(z.strictObject(changeable).partial().shape, ['RouteName', 'RouteType']),
  }),
  keys: ['CallRouteId'],
  current: {
    read: 'voice_routes_get',
    input: ({ CallRouteId }) => (CallRouteId === undefined ? undefined : { CallRouteID: CallRouteId }),
    members: { IpWhitelist: 'IpWhiteList' },
    replaces: true,
    asksAgain: (record, given) => credentialsAgain(record, given, CREDENTIALS),
  },
  ordinary: { RouteName: label, RouteEnabled: on, IntelligentRouteEnabled: on },
  raised: {
    'everything but another name and switching on': ['RouteEnabled', 'IntelligentRouteEnabled', 'others'],
  },
  hazards: {
    RouteEnabled: 'Calls on the route are no longer handled.',
    IntelligentRouteEnabled: 'Calls on the route are no longer filtered.',
    IpWhitelist: (rows) =>
      rows === null || rows.length === 0
        ? 'The trunk accepts calls from no address.'
        : 'Only calls from these addresses are accepted.',
    EnableTrpSecureTrunk: (value) => (value ? '' : 'Calls on the trunk are no longer encrypted.'),
    EnableCallStreaming: (value) => (value ? 'The audio of calls is streamed.' : ''),
  },
  before: ({ CallRouteId }, look) =>
    lookAtRoute(['voice_routes_get', { CallRouteID: CallRouteId }], 'VoiceRouteId', look),
  consent: asks('Change', 'voice route', 'CallRouteId', {
    hazard: onRoute,
    undo: 'Calls missed in the meantime are not recovered.',
  }),
  output: () => ({ ...voiceRouteRecord, IpWhiteList: out.rows({ IpAddress: out.plain }) }),
  examples: [{ CallRouteId: seeded('CRID'), RouteName: 'Main trunk' }],
});
