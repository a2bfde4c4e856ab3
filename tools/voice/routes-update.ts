import * as z from 'zod';
import { defineOperation, type Harm, label, on, target } from '../../src/catalogue/operation.ts';
import { defined, type Fields, isRecord } from '../../src/lib/json.ts';
import { type Credentials, credentialHarms, credentialsAgain, methodHarm } from '../shared/credentials.ts';
import { emptied, out, seeded, someChange, voiceRouteId } from '../shared/fields.ts';
import { lookAtRoute } from '../shared/routes.ts';
import { voiceRouteFields, voiceRouteRecord } from './routes-create.ts';

const { AccountId: _account, ...changeable } = voiceRouteFields;

const what = 'everything but another name and switching on';

const CREDENTIALS: readonly Credentials[] = [
  {
    type: 'VoiceAuthenticationType',
    username: 'VoiceUsername',
    secrets: { Basic: 'VoicePasswordToken', Bearer: 'VoicePasswordToken' },
  },
];
const handedOver = credentialHarms(what, 'Its calls');

/** The harm of a member without a specific sentence. The question shows its value. */
const handling: Harm<unknown> = { what, reason: 'How its calls are handled changes.' };

/** `removed`: the harm of a value that is taken away. */
function says(reason: (value: unknown) => string, removed: string): Harm<unknown> {
  return { what, reason: (value) => (value === null ? removed : reason(value)) };
}

function switched(off: string, on = 'How its calls are handled changes.'): Harm<unknown> {
  return { what, reason: (value) => (value === false ? off : on) };
}

/** The row of the question has the address. */
function readdressed(trunk: 1 | 2): Harm<unknown> {
  return says(
    () => `Calls on trunk ${trunk} go to another address.`,
    `An address of trunk ${trunk} is removed: calls on the trunk may no longer arrive.`,
  );
}

/** A route keeps its name and kind, and a boolean is switched off. */
const REMOVABLE = [
  'VoiceUrl',
  'VoiceUrlMethod',
  'VoiceAuthenticationType',
  'VoiceUsername',
  'VoicePasswordToken',
  'CallbackVoiceUrl',
  'CallbackVoiceUrlMethod',
  'TrunkIp1',
  'TrunkPort1',
  'TrunkTransport1',
  'TrunkUri1',
  'Trunk1Priortiy',
  'Trunk1Weight',
  'TrunkIp2',
  'TrunkPort2',
  'TrunkTransport2',
  'TrunkUri2',
  'Trunk2Priortiy',
  'Trunk2Weight',
  'IpWhitelist',
  'HeaderManipulation',
  'TransferCallerId',
  'TerminationUriSubdomain',
  'WssUri',
] as const;

const NO_ADDRESS = 'The trunk accepts calls from no address.';

export default defineOperation({
  id: 'voice_routes_update',
  endpoint: 'POST /v1.0/voice/routes/update',
  title: 'Change a voice route',
  description:
    'Changes a voice route, at once for every number on it. Fields left out keep their values; null clears one. With a wrong trunk or URL, calls are lost.',
  risk: 'write',
  resend: true,
  source: 'I',
  beyondSpecification: true,
  notes:
    'PLATFORM.md, Voice route: fields left out keep their values; assumed: null empties any but the name, the kind and the booleans, at most 100 addresses in IpWhitelist, authentication None is accepted as on create, and everything but the name and switching on needs an approver',
  input: () => ({ CallRouteId: voiceRouteId, ...emptied(z.strictObject(changeable).partial().shape, REMOVABLE) }),
  current: {
    read: 'voice_routes_get',
    keys: ['CallRouteId'],
    input: ({ CallRouteId }) => (typeof CallRouteId === 'string' ? { CallRouteID: CallRouteId } : undefined),
    members: { IpWhitelist: 'IpWhiteList' },
    replaces: true,
    asksAgain: (record, given) => credentialsAgain(record, given, CREDENTIALS),
  },
  rules: (input) => someChange(input, ['CallRouteId'], 'RouteName'),
  ordinary: { CallRouteId: target, RouteName: label, RouteEnabled: on, IntelligentRouteEnabled: on },
  raised: {
    RouteType: handling,
    RouteEnabled: switched('The route is switched off: calls on it are no longer handled.'),
    VoiceUrl: says(
      (url) => `Calls are handled by ${String(url)}.`,
      'The URL that handles its calls is removed: they go nowhere.',
    ),
    VoiceUrlMethod: methodHarm(what, 'Its calls'),
    VoiceAuthenticationType: handedOver.type,
    VoiceUsername: handedOver.secret,
    VoicePasswordToken: handedOver.secret,
    CallbackVoiceUrl: says(
      (url) => `Call events go to ${String(url)}.`,
      'Call events go nowhere: their URL is removed.',
    ),
    CallbackVoiceUrlMethod: methodHarm(what, 'Call events'),
    TrunkIp1: readdressed(1),
    TrunkPort1: handling,
    TrunkTransport1: handling,
    TrunkUri1: readdressed(1),
    TrunkEnabled1: switched('Trunk 1 is switched off.'),
    Trunk1Priortiy: handling,
    Trunk1Weight: handling,
    TrunkIp2: readdressed(2),
    TrunkPort2: handling,
    TrunkTransport2: handling,
    TrunkUri2: readdressed(2),
    TrunkEnabled2: switched('Trunk 2 is switched off.'),
    Trunk2Priortiy: handling,
    Trunk2Weight: handling,
    IpWhitelist: says(
      (rows) =>
        Array.isArray(rows) && rows.length === 0 ? NO_ADDRESS : 'Only calls from these addresses are accepted.',
      NO_ADDRESS,
    ),
    HeaderManipulation: handling,
    TransferCallerId: handling,
    TerminationUriSubdomain: handling,
    EnableSipRefer: handling,
    SymmetricRtp: handling,
    EnableTrpSecureTrunk: switched('Calls on the trunk are no longer encrypted.'),
    EnablePstnTransfer: handling,
    CnamLookup: handling,
    EnableCallStreaming: switched('The audio of calls is no longer streamed.', 'The audio of calls is streamed.'),
    WssUri: says(
      (uri) => `The audio of calls is streamed to ${String(uri)}.`,
      'The address that the audio of calls is streamed to is removed.',
    ),
    IntelligentRouteEnabled: switched('Intelligent routing is switched off.'),
  },
  before: async (input, look) => {
    const { record, name, numbers, ...checked } = await lookAtRoute('voice route', input.CallRouteId, look);
    const shut = shutOut(input, record ?? {});
    return {
      ...checked,
      warnings: [...(checked.warnings ?? []), ...shut],
      known: { Name: name, Numbers: numbers, ...defined({ Record: record, ShutOut: shut.join(' ') || undefined }) },
    };
  },
  consent: (input, { Name = input.CallRouteId, Numbers = '', ShutOut }, reasons) => ({
    title: `Change voice route ${String(Name)}`,
    consequence: `${String(Numbers)} Takes effect at once for every number on this route. ${reasons}`.trim(),
    undo: 'Another update can change it back. Calls missed in the meantime are not recovered.',
    confirm: 'Change this route',
    ...(typeof ShutOut === 'string' && { remains: ShutOut }),
  }),
  output: () => ({ ...voiceRouteRecord, IpWhiteList: out.rows({ IpAddress: out.text }) }),
  examples: [
    { CallRouteId: seeded('CRID'), RouteName: 'Main trunk' },
    { CallRouteId: seeded('CRID'), TrunkIp1: '192.0.2.20', TrunkPort1: '5061' },
  ],
});

/** Warns of a new trunk from which the route accepts no calls, because its whitelist has other addresses. */
function shutOut(input: Fields, record: Fields): string[] {
  const rows = input.IpWhitelist === undefined ? record.IpWhiteList : input.IpWhitelist;
  const allowed = Array.isArray(rows) ? rows.map((row) => String(isRecord(row) ? row.IpAddress : row)) : [];
  if (allowed.length === 0) return [];
  return ['TrunkIp1', 'TrunkIp2']
    .map((name) => [input[name], record[name]])
    .filter(([ip, before]) => typeof ip === 'string' && ip !== before && !allowed.includes(ip))
    .map(([ip]) => `The IP whitelist does not contain ${String(ip)}: calls from this address are not accepted.`);
}
