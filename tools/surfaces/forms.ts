import { voiceRouteFields } from '../voice/routes-create.ts';
import { newLineConditions } from './guides/new-line.ts';

/*
 * The fields that a form shows. Commands, assistants and the terminal always take every field.
 *
 * - A choice can make other fields needless. Such a field is shown only while the choice has one of the given values.
 * - A form that a button has filled in shows only the fields that are still missing.
 */

/** The fields that a form asks for where a button gives the others, such as *Reply* under a message. */
export const leftFields: Readonly<Record<string, { given: readonly string[]; asks: readonly string[] }>> = {
  message_outbound: { given: ['From', 'To'], asks: ['Body', 'MmsMedia'] },
};

/** The text of a form in place of its operation's description, which assistants read too. */
export const formTexts: Readonly<Record<string, string>> = {
  events_since:
    'What happened since a time: orders, messages, receipts, calls, alerts, changes made here, and charges.',
  numbers_diagnose: 'Finds out why a number cannot text, call or use data. The worst is first, with what mends it.',
  numbers_find: 'Finds numbers by last digits, by the name of a subscriber, caller or account, and by what they are.',
  numbers_lookup: 'Shows a line: what is wrong first, then its state, customer, SIM, data used and dates.',
  numbers_status: 'Changes a line on a day. Cancel a line is an action of its own.',
  numbers_watch: 'Checks a number every 15 minutes. Tells when its data crosses a threshold or its state changes.',
  subscribers_call_filter_create:
    'Filters calls on one number, at once. “Allow list” lets only “Allowed numbers” through, “Block list” all but “Blocked numbers”; the other modes do nothing.',
  subscriptions_create: 'Subscribes a number to a package; its recurring charges start. One subscription a number.',
};

/** Choices that a form offers only if they were given. They differ from another one by what the platform does not confirm. */
export const programChoices: Readonly<Record<string, readonly string[]>> = { numbers_status: ['replace'] };

/** Fields that serve programs. A form shows one only if it was given a value. */
export const programFields: Readonly<Record<string, readonly string[]>> = {
  message_outbound: ['CampaignId', 'Owner'],
  numbers_data_usage_set: ['ValueUnit'],
  numbers_find: ['Page'],
  numbers_get: ['Number'],
  numbers_lookup: ['PhoneNumbers'],
};

/** The condition under which a form shows a field. */
interface ShownWhen {
  /** The field that decides. */
  field: string;
  is: readonly (string | boolean)[];
  /** Shows the field while nothing is chosen, too. In an update, a field without a choice keeps its value. */
  unset?: true;
  /** The field is required while it is shown. */
  required?: true;
}

type Conditions = Readonly<Record<string, ShownWhen>>;

/** The same condition for several fields. */
function all(names: readonly string[], when: ShownWhen): Conditions {
  return Object.fromEntries(names.map((name) => [name, when]));
}

function inUpdate(conditions: Conditions): Conditions {
  return Object.fromEntries(Object.entries(conditions).map(([name, when]) => [name, { ...when, unset: true }]));
}

/** PLATFORM.md, Message route: `Basic` takes a user name and a password, `Bearer` a token. */
const messageRoute: Conditions = {
  MessageUsername: { field: 'MessageAuthenticationType', is: ['Basic'] },
  MessagePasswordToken: { field: 'MessageAuthenticationType', is: ['Basic', 'Bearer'] },
  CallbackMessageUsername: { field: 'CallbackMessageAuthenticationType', is: ['Basic'] },
  CallbackMessagePasswordToken: { field: 'CallbackMessageAuthenticationType', is: ['Basic', 'Bearer'] },
};

/** Keyword rules of calls need the transcript; only a warning has a message (PLATFORM.md, Guardian filtering). */
const callFilter: Conditions = {
  ...all(['KeywordFilter', 'TranscriptionAction', 'RecordFlaggedCalls'], { field: 'EnableTranscription', is: [true] }),
  WarningMessage: { field: 'TranscriptionAction', is: ['WARNING'] },
};

const TRUNK = [
  ...Object.keys(voiceRouteFields).filter((name) => name.includes('Trunk')),
  ...['IpWhitelist', 'HeaderManipulation', 'TerminationUriSubdomain', 'EnableSipRefer', 'SymmetricRtp'],
];

/** PLATFORM.md, Voice route: a trunk, the URL of a webhook, or a number to forward to. */
const voiceRoute: Conditions = {
  ...all(['VoiceUrl', 'VoiceUrlMethod', 'VoiceAuthenticationType'], { field: 'RouteType', is: ['URL'] }),
  VoiceUsername: { field: 'VoiceAuthenticationType', is: ['Basic'] },
  VoicePasswordToken: { field: 'VoiceAuthenticationType', is: ['Basic', 'Bearer'] },
  ...all(TRUNK, { field: 'RouteType', is: ['Trunk'] }),
  WssUri: { field: 'EnableCallStreaming', is: [true] },
};

/** PLATFORM.md, Webhook: `Basic` takes a user name and a password, `Token` a token. */
const webhook: Conditions = {
  ...all(['AuthenticationUsername', 'AuthenticationPassword'], { field: 'AuthenticationType', is: ['Basic'] }),
  AuthenticationToken: { field: 'AuthenticationType', is: ['Token'] },
};

/** Conditions by operation and field. A field that is not listed is always shown. */
export const shownWhen: Readonly<Record<string, Conditions>> = {
  ...newLineConditions,
  message_routes_create: messageRoute,
  message_routes_update: inUpdate(messageRoute),
  numbers_provision: { VoiceRouteId: { field: 'VoiceEnabled', is: [true] } },
  numbers_status: all(['AreaCode', 'ZipCode'], { field: 'StatusChange', is: ['swap', 'replace'] }),
  numbers_update: { VoiceRouteId: { field: 'VoiceEnabled', is: [true], unset: true } },
  subscribers_call_filter_create: callFilter,
  subscribers_call_filter_update: inUpdate(callFilter),
  voice_routes_create: voiceRoute,
  voice_routes_update: inUpdate(voiceRoute),
  webhook_create: webhook,
  webhook_update: inUpdate(webhook),
  workgroups_activity_update: {
    ReferenceUserId: { field: 'Type', is: ['User'], unset: true },
    ReferenceWorkgroupId: { field: 'Type', is: ['Workgroup'], unset: true },
  },
  workgroups_update: { TranscribeRecordings: { field: 'RecordCalls', is: [true], unset: true } },
};
