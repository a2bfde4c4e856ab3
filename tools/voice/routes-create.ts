import * as z from 'zod';
import { asks, defineOperation } from '../../src/catalogue/operation.ts';
import { host, longHttpsUrl, sipAddress, wssUrl } from '../shared/addresses.ts';
import * as field from '../shared/fields.ts';
import { out } from '../shared/fields.ts';

/** A voice route as the platform returns it, without its password. */
export const voiceRouteRecord = {
  CallRouteId: out.key('CRID'),
  ...out.members('CallRouteStatus AccountId AccountID RouteName RouteType VoiceUrl VoiceUrlMethod CallbackVoiceUrl'),
  ...out.members('TrunkIp1 TrunkIp2 TrunkPort1 TrunkPort2 TrunkEnabled1 TrunkEnabled2 IntelligentRouteEnabled'),
  ...out.members('RouteEnabled'),
} as const;

/** Sent as a string (PLATFORM.md, Voice route); numbers are accepted too. */
const trunkPort = field
  .orNumber(
    z
      .string()
      .trim()
      .refine((value) => /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535, {
        message: 'must be a port from 1 to 65535, for example "5060"',
      }),
  )
  .optional();
const transport = field.openChoice(['UDP', 'TCP', 'TLS'], 10).optional();
const rank = z.int('must be a whole number').min(0, 'must not be below 0').optional();
const flag = z.boolean().optional();
const line = field.text().optional();

/** All fields of a new route. Priorities have the platform's spelling (PLATFORM.md, Voice route). */
export const voiceRouteFields = {
  RouteName: field.text(),
  RouteType: field.choice(['Trunk', 'URL', 'Forward']),
  AccountId: field.accountId.optional(),
  RouteEnabled: flag,
  VoiceUrl: longHttpsUrl.optional(),
  VoiceUrlMethod: field.httpMethod.optional(),
  VoiceAuthenticationType: field.routeAuthentication.optional(),
  VoiceUsername: line,
  VoicePasswordToken: field.secretText().optional().meta({ title: 'Voice password or token' }),
  CallbackVoiceUrl: longHttpsUrl.optional().describe('receives call events'),
  CallbackVoiceUrlMethod: field.httpMethod.optional(),
  TrunkIp1: host().optional(),
  TrunkPort1: trunkPort,
  TrunkTransport1: transport,
  TrunkUri1: sipAddress().optional(),
  TrunkEnabled1: flag,
  Trunk1Priortiy: rank.meta({ title: 'Trunk 1 priority' }),
  Trunk1Weight: rank,
  TrunkIp2: host().optional(),
  TrunkPort2: trunkPort,
  TrunkTransport2: transport,
  TrunkUri2: sipAddress().optional(),
  TrunkEnabled2: flag,
  Trunk2Priortiy: rank.meta({ title: 'Trunk 2 priority' }),
  Trunk2Weight: rank,
  IpWhitelist: z
    .array(z.strictObject({ IpAddress: host(100) }))
    .max(100, 'at most 100 addresses')
    .optional()
    .describe('trunk traffic only'),
  HeaderManipulation: line.describe('id (HMI)'),
  TransferCallerId: line.meta({ title: 'Transfer caller ID' }),
  TerminationUriSubdomain: sipAddress().optional(),
  EnableSipRefer: flag,
  SymmetricRtp: flag,
  EnableTrpSecureTrunk: flag,
  EnablePstnTransfer: flag,
  CnamLookup: flag,
  EnableCallStreaming: flag,
  WssUri: wssUrl.optional(),
  IntelligentRouteEnabled: flag,
} as const;

export default defineOperation({
  id: 'voice_routes_create',
  endpoint: 'POST /v1.0/voice/routes',
  title: 'Create a voice route',
  description:
    'Creates inbound call handling: a SIP Trunk (TrunkIp1 or TrunkUri1), a webhook URL (VoiceUrl) or a PSTN Forward.',
  defaultAccount: true,
  source: 'S',
  notes:
    'PLATFORM.md, Voice route: RouteName and RouteType are required; assumed: at most 100 addresses in IpWhitelist',
  input: () => voiceRouteFields,
  ordinary: 'new',
  consent: asks('Create', 'voice route', 'RouteName', { hazard: 'No number uses it until one is moved to it.' }),
  output: () => ({ ...voiceRouteRecord, IpWhiteList: out.rows({ IpAddress: out.plain }) }),
  examples: [{ RouteName: 'Main SIP trunk', RouteType: 'Trunk', TrunkIp1: '192.0.2.10', TrunkPort1: '5061' }],
});
