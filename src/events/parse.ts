import { createHash } from 'node:crypto';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { subscribableEvents } from '../../tools/surfaces/events.ts';
import { canonical } from '../ledger/action.ts';
import { type Fields, isRecord, parseExact, scalarText, tooDeep, withoutTrailing } from '../lib/values.ts';
import { toE164 } from '../platform/dialect/phone.ts';
import { plain } from '../platform/dialect/redact.ts';
import { orderStatus } from '../platform/dialect/verdict.ts';

/** The path of a delivery: that of the webhook, or of one of the routes. */
export type Endpoint = 'platform' | 'messages' | 'message-status' | 'voice';

/** `watch` is an internal event: a finding about a watched number. */
export type EventKind = 'order' | 'message' | 'status' | 'call' | 'watch' | 'unknown';

interface Common {
  /** The platform's name for the event; '' if it has none. */
  name: string;
  /** The same for every repeat of one event. */
  key: string;
  /** Events of one subject are handled in order: an order, a conversation, a call. */
  subject: string;
  /** Everything that was sent, including unknown fields. */
  fields: Fields;
}

export interface OrderEvent extends Common {
  kind: 'order';
  orderId: string;
  /** `Complete` and `Completed` are one state: `Completed` (PLATFORM.md, Orders). */
  status: string;
  message: string;
  /** The numbers of the order, once it was read. */
  numbers?: readonly string[];
}

interface OfMessage extends Common {
  messageId: string;
  from: string;
  to: string[];
  text: string;
  status: string;
}

export interface MessageEvent extends OfMessage {
  kind: 'message';
  /** Links only; nothing is fetched. */
  media: string[];
}

export type StatusEvent = OfMessage & { kind: 'status' };

export interface CallEvent extends Common {
  kind: 'call';
  callId: string;
  event: string;
  from: string;
  to: string;
}

/** A watched number crossed a threshold of its data limits, or its state or speed changed. */
export interface WatchEvent extends Common {
  kind: 'watch';
  phone: string;
  /** The finding in words: "has reached its data limit". */
  found: string;
  /** The actor ids of the people who asked for the watch. */
  by: string[];
}

type UnknownEvent = Common & { kind: 'unknown' };

export type PlatformEvent = OrderEvent | MessageEvent | StatusEvent | CallEvent | WatchEvent | UnknownEvent;

/** `content_type`: neither JSON nor XML; `unreadable`: cut off or malformed; `senseless`: readable, but no event. */
type ParseReason = 'content_type' | 'unreadable' | 'senseless';

export interface Delivery {
  endpoint: Endpoint;
  body: Buffer;
  contentType: string | undefined;
  /** The fields of a delivery by GET. */
  query?: URLSearchParams;
  /** The event's name, if the sender gives it in a header. */
  named?: string | undefined;
}

const MAX_DEPTH = 32;
const MAX_ID = 200;

class Senseless extends Error {}

/** Turns a delivery into a typed event, or returns the reason why it is not an event. */
export function parseDelivery(delivery: Delivery): { event: PlatformEvent } | { reason: ParseReason; message: string } {
  try {
    const { value, root } = delivery.query ? { value: fromQuery(delivery.query), root: '' } : decode(delivery);
    return { event: eventOf(delivery.endpoint, value, delivery.named ?? '', root) };
  } catch (error) {
    if (error instanceof Senseless) return { reason: 'senseless', message: error.message };
    if (error instanceof NeitherFormat) return { reason: 'content_type', message: error.message };
    if (error instanceof XmlError)
      return { reason: 'unreadable', message: `The XML cannot be read: ${withoutTrailing(error.message, '.')}.` };
    if (error instanceof SyntaxError || error instanceof TypeError)
      return { reason: 'unreadable', message: 'The body cannot be read: it is malformed or was cut off.' };
    throw error;
  }
}

class NeitherFormat extends Error {}

function decode({ body, contentType }: Delivery): { value: unknown; root: string } {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const start = /\S/.exec(text)?.[0];
  if (start === undefined) throw new Senseless('The body is empty.');
  const open = type === '' || type === 'text/plain' || type === 'application/octet-stream';
  if (/^(application|text)\/([\w.-]+\+)?xml$/.test(type) || (open && start === '<')) {
    const { root, value } = readXml(text);
    return { root, value };
  }
  if (/^(application|text)\/([\w.-]+\+)?json$/.test(type) || open) {
    if (tooDeep(text, MAX_DEPTH)) throw new Senseless(`The body has more than ${MAX_DEPTH} levels.`);
    return { root: '', value: parseExact(text) };
  }
  throw new NeitherFormat('Content-Type must say JSON or XML, for example application/json.');
}

function fromQuery(query: URLSearchParams): Fields {
  const fields: [string, unknown][] = [];
  for (const [name, value] of query) {
    let read: unknown = value;
    if (name === 'MmsMedia' && value.startsWith('[') && !tooDeep(value, MAX_DEPTH)) read = JSON.parse(value) as unknown;
    // An unescaped plus arrives as a space.
    else if (/^ \d{7,15}$/.test(value)) read = `+${value.slice(1)}`;
    fields.push([name, read]);
  }
  return Object.fromEntries(fields);
}

function eventOf(endpoint: Endpoint, value: unknown, header: string, root: string): PlatformEvent {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new Senseless('The body must be an object with the fields of an event.');
  const fields = value as Fields;
  if (Object.keys(fields).length === 0) throw new Senseless('The body has no fields.');
  const names = [fields.Event, fields.EventType, header, root].map(text).filter((name) => name !== '');
  const name = clip(names.find((candidate) => KNOWN.has(plain(candidate))) ?? names[0] ?? '');

  if (endpoint === 'messages' || endpoint === 'message-status') return ofMessage(endpoint, name, fields);
  const known = plain(name);
  if (endpoint === 'platform') {
    if (known === 'orderupdate' || ('OrderId' in fields && ('Status' in fields || name === ''))) {
      const orderId = id(fields, 'OrderId');
      const status = orderStatus(statusIn(fields));
      return {
        kind: 'order',
        name,
        key: `order ${orderId} ${status}`,
        subject: `order ${orderId}`,
        orderId,
        status,
        message: text(fields.ErrorMessage),
        fields,
      };
    }
    if (known === 'newsms' || 'MessageId' in fields) return ofMessage(endpoint, name, fields);
  }
  if (('CallId' in fields || KNOWN.has(known)) && name !== '') return ofCall(name, fields);
  return {
    kind: 'unknown',
    name,
    key: `unknown ${digest([name, fields])}`,
    subject: `unknown ${digest(fields)}`,
    fields,
  };
}

/** PLATFORM.md, Events; names are compared without case and punctuation. */
const KNOWN = new Set(subscribableEvents.map(plain));

function ofMessage(endpoint: Endpoint, name: string, fields: Fields): MessageEvent | StatusEvent {
  const messageId = ownId(fields, 'MessageId');
  const same = messageId === '' ? digest(fields) : messageId;
  const from = phone(fields.From);
  const listed: string[] = Array.isArray(fields.To)
    ? fields.To.map((part) => (typeof part === 'object' ? text((part as Fields | null)?.Number) : text(part)))
    : text(fields.To).split(',');
  const to = listed.map(phone).filter((part) => part !== '');
  const common = {
    name,
    subject: `conversation ${clip([...new Set([from, ...to])].sort().join(' '), 500)}`,
    messageId,
    from,
    to,
    text: text(fields.Body),
    status: text(fields.Status).trim(),
    fields,
  };
  if (endpoint === 'message-status' || plain(text(fields.Direction)) === 'outbound') {
    const status = statusIn(fields);
    return { kind: 'status', ...common, key: `status ${same} ${status}`, status };
  }
  if (from === '' || to.length === 0) throw new Senseless(`${from === '' ? 'From' : 'To'} is missing.`);
  const media = (Array.isArray(fields.MmsMedia) ? fields.MmsMedia : [])
    .map((row) => (typeof row === 'string' ? row : text((row as Fields | null)?.MediaUrl)))
    .filter((url) => /^https?:\/\//i.test(url));
  return { kind: 'message', ...common, key: `message ${same}`, media };
}

function ofCall(name: string, fields: Fields): CallEvent {
  const callId = ownId(fields, 'CallId');
  const same = callId === '' ? digest([name, fields]) : callId;
  return {
    kind: 'call',
    name,
    key: `call ${same} ${plain(name)}`,
    subject: `call ${same}`,
    callId,
    event: name,
    from: phone(fields.From),
    to: phone(fields.To),
    fields,
  };
}

/** A number in E.164, however it is written, because it names the line. Short codes and names stay as they are. */
function phone(value: unknown): string {
  const given = text(value).trim();
  return /^\+?(?:[\s().-]*\d){10,15}$/.test(given) ? toE164(given) : given;
}

/** NUL is replaced, because not every database stores it: keys must read back as they were written. */
function text(value: unknown): string {
  return scalarText(value).replaceAll('\0', '\uFFFD');
}

function clip(value: string, most = MAX_ID): string {
  return value.length > most ? createHash('sha256').update(value).digest('base64url') : value;
}

/** Ids name records and are part of keys, so they must be printable and without spaces. */
function id(fields: Fields, name: string): string {
  const value = text(fields[name]).trim();
  if (value === '') throw new Senseless(`${name} is missing.`);
  if (value.length > MAX_ID || !/^[\x21-\x7e]+$/.test(value)) throw new Senseless(`${name} is not an id.`);
  return value;
}

/** The id of a message or a call; empty if it has none. */
function ownId(fields: Fields, name: string): string {
  const value = fields[name];
  return value === undefined || value === null || value === '' ? '' : id(fields, name);
}

/** Identifies an event without an id: the same content is the same event. */
function digest(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('base64url');
}

function statusIn({ Status }: Fields): string {
  const value = text(Status).trim().replace(/\s+/g, ' ');
  if (value === '') throw new Senseless('Status is missing.');
  if (value.length > MAX_ID) throw new Senseless(`Status has more than ${MAX_ID} characters.`);
  return value;
}

/* Reads the small XML documents of webhooks with `DataFormat: xml`: elements and text. */

export class XmlError extends Error {}

const MAX_LEVELS = 8;
/** Start tags, end tags, comments and CDATA sections of one document. */
const MAX_TAGS = 40_000;
const APART = /<!\[CDATA\[[\s\S]*?(\]\]>|$)|<!--[\s\S]*?(-->|$)/g;
/** Anything but the five named references and numeric ones. */
const UNKNOWN_REFERENCE = /&(?!(?:lt|gt|amp|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)\S{0,12}/i;

const parser = new XMLParser({
  processEntities: { enabled: true, maxExpandedLength: Number.MAX_SAFE_INTEGER },
  htmlEntities: true,
  parseTagValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  isArray: (name) => name === 'Item',
});

/**
 * Reads a whole document. Attributes are skipped. An element with child elements becomes an object, and `Item`s become
 * a list. Document types, unknown entities, more than eight levels and truncated documents are refused.
 *
 * @returns the name of the outermost element, and its value
 * @throws XmlError
 */
export function readXml(source: string): { root: string; value: unknown } {
  if (source.split('<', MAX_TAGS + 1).length > MAX_TAGS) throw new XmlError(`more than ${MAX_TAGS} tags`);
  try {
    const checked = XMLValidator.validate(source);
    if (checked !== true) throw new XmlError(checked.err.msg);
    const plain = source.replace(APART, '');
    if (/<!/.test(plain)) throw new XmlError('document types and entities are not accepted');
    const [reference] = UNKNOWN_REFERENCE.exec(plain) ?? [];
    if (reference !== undefined) throw new XmlError(`${reference} is no known entity`);
    const document: unknown = parser.parse(source);
    const [[root, value] = ['', ''], ...others] = Object.entries(document ?? {}).filter(([name]) => name !== '#text');
    if (root === '' || others.length > 0 || Array.isArray(value))
      throw new XmlError('there is not exactly one outermost element');
    return { root, value: contentOf(value, 1) };
  } catch (error) {
    throw error instanceof XmlError ? error : new XmlError((error as Error).message);
  }
}

/** The content without the white space between elements. */
function contentOf(value: unknown, depth: number): unknown {
  if (depth > MAX_LEVELS) throw new XmlError(`more than ${MAX_LEVELS} levels`);
  if (Array.isArray(value)) return value.map((one) => contentOf(one, depth));
  if (!isRecord(value)) return value;
  const { '#text': text = '', ...fields } = value;
  if (String(text).trim() !== '') throw new XmlError('an element mixes text and elements');
  const members = Object.entries(fields).map(([name, one]) => [name, contentOf(one, depth + 1)]);
  return members.length === 1 && members[0]?.[0] === 'Item' ? members[0][1] : Object.fromEntries(members);
}
