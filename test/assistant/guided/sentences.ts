import type { GuidedAnswer } from '../../../src/assistant/guided/answers/answer.ts';
import { ORDER, seeded, TSUID } from '../../support/world.ts';

/** A sentence as support people write it, and what it asks for. `finds`: the name or digits that are looked for. */
export interface Sentence {
  says: string;
  kind: GuidedAnswer['kind'];
  operation?: string;
  input?: Record<string, unknown>;
  finds?: string;
}

const one = seeded(1);
const three = seeded(3);
const gone = seeded(7);
const numbers = (...list: string[]) => ({ PhoneNumbers: list.map((each) => ({ Number: each })) });
const look = (says: string, PhoneNumber: string): Sentence => ({
  says,
  kind: 'lookup',
  operation: 'numbers_lookup',
  input: { PhoneNumber },
});
const find = (says: string, Query: string): Sentence => ({
  says,
  kind: 'lookup',
  operation: 'numbers_find',
  input: { Query },
});
const why = (says: string, About: string, finds: string): Sentence => ({
  says,
  kind: 'lookup',
  operation: 'numbers_diagnose',
  input: { About },
  finds,
});
const help = (says: string, operation?: string): Sentence => ({
  says,
  kind: 'help',
  ...(operation !== undefined && { operation }),
});
const events = (says: string, Since: string, Until?: string): Sentence => ({
  says,
  kind: 'events',
  operation: 'events_since',
  input: { Since, ...(Until !== undefined && { Until }) },
});
const form = (says: string, operation: string, input: Record<string, unknown> = {}, finds?: string): Sentence => ({
  ...{ says, kind: 'form', operation, input },
  ...(finds !== undefined && { finds }),
});

/** Nothing is said of a day, so that it is the writer's own. */
const parkedToday = { StatusChange: 'park', EffectiveDate: '11/22/2026' };

/** The test's clock is at 2026-11-22 09:30 UTC, a Sunday. */
export const NOW = Date.parse('2026-11-22T09:30:00Z');

export const sentences: readonly Sentence[] = [
  // Lookups.
  look('+12015550101', one),
  look('(201) 555-0101', one),
  look("who's on 201-555-0101?", one),
  look('can you check 201 555 0101 please', one),
  look('hey, customer with 2015550101 is on the phone, whats up with that line', one),
  find('ava stone', 'ava stone'),
  find('Ava Stone?', 'Ava Stone'),
  find('look up Ava Stone please', 'Ava Stone'),
  find("what's Ben Ortiz's number?", 'Ben Ortiz'),
  find('the line ending in 0103', '0103'),
  find('0103', '0103'),
  find('last digits 0105', '0105'),
  find('Does Ava have a second line?', 'Ava'),
  { says: `how is ${ORDER} doing`, kind: 'lookup', operation: 'numbers_order_get', input: { OrderId: ORDER } },
  { says: ORDER, kind: 'lookup', operation: 'numbers_order_get', input: { OrderId: ORDER } },
  { says: `status of the port ${ORDER}?`, kind: 'lookup', operation: 'numbers_order_get', input: { OrderId: ORDER } },
  { says: `why was ${ORDER} rejected`, kind: 'lookup', operation: 'numbers_order_get', input: { OrderId: ORDER } },
  { says: TSUID, kind: 'lookup', operation: 'subscribers_get', input: { SubscriberId: TSUID } },
  // Diagnosis.
  {
    says: `why can't ${one} text?`,
    kind: 'lookup',
    operation: 'numbers_diagnose',
    input: { PhoneNumber: one, About: 'texts' },
  },
  {
    says: `${one} cannot send sms since this morning`,
    kind: 'lookup',
    operation: 'numbers_diagnose',
    input: { PhoneNumber: one, About: 'texts' },
  },
  {
    says: `no internet on ${one}`,
    kind: 'lookup',
    operation: 'numbers_diagnose',
    input: { PhoneNumber: one, About: 'data' },
  },
  {
    says: `calls are failing for ${one}, any idea?`,
    kind: 'lookup',
    operation: 'numbers_diagnose',
    input: { PhoneNumber: one, About: 'calls' },
  },
  {
    says: `the phone of 201-555-0101 isn't working`,
    kind: 'lookup',
    operation: 'numbers_diagnose',
    input: { PhoneNumber: one },
  },
  {
    says: `${one} doesnt recieve mesages`,
    kind: 'lookup',
    operation: 'numbers_diagnose',
    input: { PhoneNumber: one, About: 'texts' },
  },
  why("why can't Ava text?", 'texts', 'Ava'),
  why('Ben says his calls keep failing', 'calls', 'Ben'),
  // Events.
  events('what happened overnight?', '2026-11-21T18:00:00.000Z'),
  events('what happened since 8', '2026-11-22T08:00:00.000Z'),
  events('anything happen since 5pm?', '2026-11-21T17:00:00.000Z'),
  events('what did I miss yesterday', '2026-11-21T00:00:00.000Z', '2026-11-22T00:00:00.000Z'),
  events('catch me up please, last 4 hours', '4h'),
  events('any news since this morning?', '2026-11-22T06:00:00.000Z'),
  events('what happened in the last 2 days', '2d'),
  // Cancelling.
  { says: `cancel ${three}`, kind: 'question', operation: 'numbers_cancel', input: numbers(three) },
  { says: `please cancel the line 201-555-0103`, kind: 'question', operation: 'numbers_cancel', input: numbers(three) },
  {
    says: `can you disconnect ${three} today? customer left`,
    kind: 'question',
    operation: 'numbers_cancel',
    input: numbers(three),
  },
  { says: `cancle ${three} pls`, kind: 'question', operation: 'numbers_cancel', input: numbers(three) },
  { says: `cancel ${one} and ${three}`, kind: 'question', operation: 'numbers_cancel', input: numbers(one, three) },
  {
    says: `I don't need this line any more, cancel ${three}`,
    kind: 'question',
    operation: 'numbers_cancel',
    input: numbers(three),
  },
  { says: `terminate service for ${three}`, kind: 'question', operation: 'numbers_cancel', input: numbers(three) },
  form("cancel Ben's line", 'numbers_cancel', {}, 'Ben'),
  form('Ben Ortiz is leaving us, please cancel his number', 'numbers_cancel', {}, 'Ben Ortiz'),
  form('I need to cancel a number', 'numbers_cancel'),
  // Asking about it, and against it.
  look(`don't cancel ${three}`, three),
  look(`please do not cancel ${three}!`, three),
  look(`never cancel ${three} without asking me`, three),
  look(`hold off on cancelling ${three}`, three),
  help(`what would it cost to cancel ${three}?`, 'numbers_cancel'),
  help(`how much is it to reactivate ${gone}`, 'numbers_reactivate'),
  help(`is there a fee for reactivating ${gone}?`, 'numbers_reactivate'),
  help(`what happens if I cancel ${three}?`, 'numbers_cancel'),
  help(`should we cancel ${three}?`, 'numbers_cancel'),
  help('how do I cancel a number?', 'numbers_cancel'),
  look(`why was ${gone} cancelled?`, gone),
  {
    says: `who cancelled ${gone}`,
    kind: 'events',
    operation: 'events_since',
    input: { Since: '30d', Only: 'actions', PhoneNumber: gone },
  },
  look(`has ${gone} been disconnected already?`, gone),
  help('yes'),
  help('yes, do it'),
  help('approved'),
  help('hello'),
  help('thanks!'),
  help('cancel the meeting'),
  help(`cancel ${three} and reactivate ${gone}`),
  // Reactivating.
  { says: `reactivate ${gone}`, kind: 'question', operation: 'numbers_reactivate', input: { PhoneNumber: gone } },
  {
    says: `we cancelled ${gone} by mistake, bring it back`,
    kind: 'question',
    operation: 'numbers_reactivate',
    input: { PhoneNumber: gone },
  },
  {
    says: `could you restore ${gone} please`,
    kind: 'question',
    operation: 'numbers_reactivate',
    input: { PhoneNumber: gone },
  },
  form("bring Ava's number back", 'numbers_reactivate', {}, 'Ava'),
  // Ports.
  form('port in +13125550123', 'numbers_portin', { PortInNumber: '+13125550123' }),
  form('customer wants to port 312-555-0123 over to us', 'numbers_portin', { PortInNumber: '+13125550123' }),
  { says: `cancel the port ${ORDER}`, kind: 'question', operation: 'numbers_portin_cancel', input: { OrderId: ORDER } },
  {
    says: `stop port-in order ${ORDER}`,
    kind: 'question',
    operation: 'numbers_portin_cancel',
    input: { OrderId: ORDER },
  },
  form(`correct the port order ${ORDER}`, 'numbers_portin_update', { OrderId: ORDER }),
  {
    says: 'is +13125550123 eligible for porting?',
    kind: 'lookup',
    operation: 'numbers_portin_eligibility',
    input: { PhoneNumber: '+13125550123', TargetClassification: 'Mobile' },
  },
  {
    says: `${one} needs a port out pin`,
    kind: 'question',
    operation: 'numbers_portout',
    input: { PortOutNumber: one },
  },
  // New numbers, SIMs, messages.
  form('we need a new number in area code 212', 'numbers_provision', { AreaCode: '212' }),
  form('we need a new number in 415', 'numbers_provision', { AreaCode: '415' }),
  form(`send a text to ${one} saying "Your SIM ships today"`, 'message_outbound', {
    To: [{ Number: one }],
    Body: 'Your SIM ships today',
  }),
  form(`swap the sim on ${one} to 8901240397190195850`, 'numbers_update', {
    Number: one,
    Iccid: '8901240397190195850',
  }),
  form(`assign ${one} to subscriber ${TSUID}`, 'numbers_update', { Number: one, AssignedSubscriberId: TSUID }),
  {
    ...form(`suspend ${one}, phone was stolen`, 'numbers_status', { ...parkedToday, ...numbers(one) }),
    kind: 'question',
  },
  { ...form(`park ${one} for the winter`, 'numbers_status', { ...parkedToday, ...numbers(one) }), kind: 'question' },
  form('park 0101 and 0102', 'numbers_status', { ...parkedToday, ...numbers('0101', '0102') }),
  { says: `show texts of ${one}`, kind: 'lookup', operation: 'message_search_get', input: { PhoneNumber: one } },
  // Data.
  { says: `how much data has ${one} used`, kind: 'lookup', operation: 'numbers_data_usage_info', input: numbers(one) },
  { says: `data limits of ${one}?`, kind: 'lookup', operation: 'numbers_data_usage_settings', input: numbers(one) },
  form(`raise the data limit of ${one} to 10 GB`, 'numbers_data_usage_set', { ...numbers(one), LimitValue: 10_240 }),
  form(`give ${one} more data`, 'numbers_data_usage_set', numbers(one)),
  form(`watch ${one}`, 'numbers_watch', { PhoneNumber: one }),
  form(`stop watching ${one}`, 'numbers_watch', { PhoneNumber: one, Stop: true }),
  { says: 'which numbers are being watched?', kind: 'lookup', operation: 'numbers_watches', input: {} },
  // Records.
  { says: 'list all accounts', kind: 'lookup', operation: 'distributor_accounts_get', input: {} },
  { says: 'show me our packages', kind: 'lookup', operation: 'account_packages_get', input: {} },
  { says: 'show webhooks', kind: 'lookup', operation: 'account_webhooks_get', input: {} },
  form('create a subscriber', 'subscribers_create'),
  form('block +13125550199 from calling', 'subscribers_call_filter_blocked_numbers_add', { Numbers: ['+13125550199'] }),
  form('unblock +13125550199', 'subscribers_call_filter_blocked_numbers_remove', { Numbers: ['+13125550199'] }),
  form(`switch guardian filtering on for ${TSUID}`, 'subscribers_guardian_features_set', {
    SubscriberId: TSUID,
    EnableIntelligentGuardianCalls: true,
    EnableIntelligentGuardianMessages: true,
  }),
  {
    says: `call filters of ${TSUID}`,
    kind: 'lookup',
    operation: 'subscribers_call_filter_get',
    input: { SubscriberId: TSUID },
  },
];
