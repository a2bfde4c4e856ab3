import { inQuotes } from '../../lib/text.ts';
import { type Quote, quote } from '../../lib/words.ts';
import { WITHHELD } from './activation.ts';

/*
 * Values of an answer that need no mark, because they cannot be a sentence. All other texts of an answer may have been
 * written outside, even if they are not declared so, because answers are loose and the platform may add members.
 */

/** Words of the platform's own enumerations and states (PLATFORM.md, Number states), lower case. */
const WORDS: ReadonlySet<string> = new Set(
  [
    'iot voip mvno mobile landline wireline wireless tollfree toll-free toll_free unknown',
    'sms mms sms-only sms+data sms+data+voice data-only voice data p2p a2p esim psim sip',
    'true false yes no on off all none null enabled disabled',
    // The value of `activation` where the gate withholds an eSIM's code.
    WITHHELD,
    'get post put json xml basic bearer token udp tcp tls trunk url forward',
    'active inactive parked cancelled canceled suspended deleted reserved available assigned',
    'submitted scheduled completed complete rejected failed success pending processing queued sent delivered undelivered',
    'received accepted expired declined unknown running done partly confirmed in_flight busy idle throttled limited blocked normal updated',
    'simultaneous round-robin ivr user workgroup',
    'inbound outbound inbound-sms outbound-sms mrc nrc monthly usage',
    'child adolescent teenager monitor_only high medium low subscriber manager',
    'portin portout provision cancel reactivate update swap swap-sim replace park activate',
    'order_update new_sms call_completed call_on_hold call_recording call_in_progress call_ringing',
  ]
    .join(' ')
    .split(' '),
);
const PHRASES: ReadonlySet<string> = new Set([
  'cancelled - pending delete',
  'cancelled - pending delete (can be brought back for 30 days)',
  'pending carrier approval',
  'account admin',
  'in progress',
  'no limit',
  'not throttled',
  'set',
]);

const SHAPES: readonly RegExp[] = [
  // Numbers, amounts and volumes.
  /^[+-]?\$?\d{1,15}(?:[.,]\d{1,9}){0,5} ?(?:[KMGT]?B|[KMG]bps|USD|%)?$/i,
  /^\d{1,4}-[kmg]bps$/i,
  // Phone numbers.
  /^\+?[\d() .-]{3,24}$/,
  // Moments: ISO 8601, MM/DD/YYYY with or without a time.
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?Z|[+-]\d{2}:?\d{2})?)?$/,
  /^\d{1,2}\/\d{1,2}\/\d{4}(?:,? \d{1,2}:\d{2}(?::\d{2})?(?: ?[AP]M)?)?$/i,
  // Ids: a prefix and a UUID or digits; a bare UUID; a SIM's serial; an IP address with a port.
  /^(?:[A-Z]{1,7}-|act_)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  /^[A-Z]{2,7}-[0-9a-f-]{4,40}$/,
  /^DID-[A-Za-z0-9]{1,40}$/,
  /^\d{18,21}F?$/i,
  /^\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?$/,
  // Country, state and currency codes.
  /^[A-Z]{2,3}$/,
];

/** Maximum length of a value of these shapes. */
const LONGEST = 64;

/** True for a value that cannot be an instruction: a number, a moment, an id, a word of the platform's enumerations. */
export function isPlainValue(text: string): boolean {
  if (text.length > LONGEST) return false;
  const lower = text.toLowerCase();
  return text === '' || WORDS.has(lower) || PHRASES.has(lower) || SHAPES.some((shape) => shape.test(text));
}

/** A value of an answer inside a sentence: a quote, unless it cannot be an instruction. */
export function quoted(value: unknown): string | Quote {
  const text = String(value);
  return isPlainValue(text) ? text : quote(text);
}

/** An address is shown as it is used: it has no white space and no quotation marks that could end it. */
const ADDRESS = /^(https|http|wss):\/\/[^\s“”"<>]+$/;

/** A text inside a sentence of Switchboard: in quotation marks that it cannot close, unless it cannot be a sentence. */
export function setApart(text: string, most?: number): string {
  return isPlainValue(text) || ADDRESS.test(text) ? text : inQuotes(text, most);
}
