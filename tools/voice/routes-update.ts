import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import type { Fields } from '../../src/lib/json.ts';
import { out, someChange, voiceRouteId } from '../shared/fields.ts';
import { lookAtNamed, numbersOn } from '../shared/named.ts';
import { voiceRouteFields, voiceRouteRecord } from './routes-create.ts';

const { AccountId: _account, ...changeable } = voiceRouteFields;

/** Fields that a person is told about in a sentence, when they have this value (any value if left out). */
const EFFECTS: readonly { field: string; value?: boolean; says: (value: unknown) => string }[] = [
  { field: 'RouteEnabled', value: false, says: () => 'The route is switched off: calls on it are no longer handled.' },
  { field: 'IntelligentRouteEnabled', value: false, says: () => 'Intelligent routing is switched off.' },
  { field: 'TrunkEnabled1', value: false, says: () => 'Trunk 1 is switched off.' },
  { field: 'TrunkEnabled2', value: false, says: () => 'Trunk 2 is switched off.' },
  { field: 'EnableTrpSecureTrunk', value: false, says: () => 'Calls on the trunk are no longer encrypted.' },
  { field: 'VoiceUrl', says: (url) => `Calls are handled by ${String(url)}.` },
  { field: 'CallbackVoiceUrl', says: (url) => `Call events go to ${String(url)}.` },
  { field: 'TrunkIp1', says: (ip) => `Trunk 1 is ${String(ip)}.` },
  { field: 'TrunkUri1', says: (uri) => `Trunk 1 is ${String(uri)}.` },
  { field: 'TrunkIp2', says: (ip) => `Trunk 2 is ${String(ip)}.` },
  { field: 'TrunkUri2', says: (uri) => `Trunk 2 is ${String(uri)}.` },
  { field: 'WssUri', says: (uri) => `The audio of calls is streamed to ${String(uri)}.` },
  { field: 'EnableCallStreaming', value: true, says: () => 'The audio of calls is streamed.' },
];

/** Changes that a person must confirm: everything but another name, and switching the route or its filtering on. */
function takingEffect(input: Readonly<Fields>): string[] {
  return Object.entries(input).flatMap(([field, value]) => {
    if (value === undefined || field === 'CallRouteId' || field === 'RouteName') return [];
    return /^(RouteEnabled|IntelligentRouteEnabled)$/.test(field) && value === true ? [] : [field];
  });
}

function effectsOf(input: Readonly<Fields>): string {
  const said = EFFECTS.flatMap(({ field, value, says }) => {
    const given = input[field];
    return given === undefined || (value !== undefined && given !== value) ? [] : [says(given)];
  });
  const rest = takingEffect(input);
  return said.length > 0 ? said.join(' ') : `How its calls are handled changes: ${rest.join(', ')}.`;
}

export default defineOperation({
  id: 'voice_routes_update',
  endpoint: 'POST /v1.0/voice/routes/update',
  title: 'Change a voice route',
  description:
    'Changes a voice route, at once for every number on it. Fields left out keep their values. With a wrong trunk or URL, calls are lost.',
  risk: 'write',
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes:
    'PLATFORM.md, Voice route: fields left out keep their values; assumed: at most 100 addresses in IpWhitelist, authentication None is accepted as on create, and everything but the name and switching on needs a person',
  input: z.strictObject({ CallRouteId: voiceRouteId, ...z.strictObject(changeable).partial().shape }),
  rules: (input) => someChange(input, ['CallRouteId'], 'RouteName'),
  raisedBy: 'everything but another name and switching on',
  raises: (input) =>
    takingEffect(input).length === 0
      ? undefined
      : { risk: 'destroy', reason: `For every number on this route: ${effectsOf(input)}` },
  before: async ({ CallRouteId }, look) => {
    const [{ record: _record, name, warnings, ...route }, numbers] = await Promise.all([
      lookAtNamed('voice route', CallRouteId, look),
      numbersOn('VoiceRouteId', CallRouteId, look),
    ]);
    return { ...route, known: { Name: name, Numbers: numbers.words }, warnings: [...warnings, ...numbers.warnings] };
  },
  consent: (input, { Name = input.CallRouteId, Numbers = '' }) => ({
    title: `Change voice route ${String(Name)}`,
    consequence:
      `${String(Numbers)} Takes effect at once for every number on this route and overwrites the current settings. ${effectsOf(input)}`.trim(),
    undo: 'Can be changed back by someone who knows the old values. Calls missed in the meantime are not recovered.',
    confirm: 'Change this route',
  }),
  output: z.looseObject({ ...voiceRouteRecord, IpWhiteList: out.rows({ IpAddress: out.text }) }),
  examples: [
    { CallRouteId: 'CRID-00000000-0000-4000-8000-000000000001', RouteName: 'Main trunk' },
    { CallRouteId: 'CRID-00000000-0000-4000-8000-000000000001', TrunkIp1: '192.0.2.20', TrunkPort1: '5061' },
  ],
});
