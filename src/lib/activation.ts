import { type Fields, isRecord } from './json.ts';

/*
 * The activation link, code and QR code of an eSIM let any reader load a customer's SIM. They are shown to the requester and
 * to the person who confirmed, and never to a channel.
 */

/** Member names as the platform writes them (QRCode, QrCode, QrActivationLink), without case and punctuation. */
const NAMES = /qrcode|qractivation|activation(?:code|link|url|string)|^lpa|^matchingid$|^confirmationcode$/;
/** Members that hold the text of a QR code. The others are entered by hand. */
const SCANNED = /qrcode|qractivation|activation(?:code|link|url|string)|^lpa/;
/** Members that name the number of their record. */
const NUMBER = /^(?:phone)?number(?:assigned)?$/;
const PHONE = /^\+\d{7,15}$/;
const MAX_NAME = 100;
/** GSMA SGP.22: `LPA:1$SMDP.EXAMPLE.COM$MATCHING-ID`, also URL-encoded inside a link. */
const CODE = /(?:https?:\/\/[^\s"'<>]{0,500})?LPA:1(?:\$|%24)[^\s"'<>]{1,500}/gi;

const ACTIVATION_HIDDEN = 'shown only to the requester and the person who confirmed';

function isActivation(name: string): boolean {
  return NAMES.test(plain(name));
}

function plain(name: string): string {
  return name
    .slice(0, MAX_NAME)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

/**
 * A copy for a channel: activation codes at any depth are replaced by a note.
 *
 * @param note by default, who is shown them
 */
export function withoutActivation<T>(value: T, note: string = ACTIVATION_HIDDEN): T {
  return stripped(value, note) as T;
}

function stripped(value: unknown, note: string): unknown {
  if (typeof value === 'string') return value.replace(CODE, () => note);
  if (Array.isArray(value)) return value.map((member) => stripped(member, note));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      isActivation(key) && !isEmpty(member) ? note : stripped(member, note),
    ]),
  );
}

/** The activation codes of an answer, by member; empty if there are none. */
export function activationsIn(value: unknown): Record<string, string> {
  const found: [string, string][] = [];
  const walk = (part: unknown, name: string): void => {
    if (typeof part === 'string') {
      if (part !== '' && isActivation(name)) found.push([name, part]);
      else for (const [code] of part.matchAll(CODE)) found.push([name, code]);
    } else if (Array.isArray(part)) for (const member of part) walk(member, name);
    else if (isRecord(part)) for (const [key, member] of Object.entries(part)) walk(member, key);
  };
  walk(value, '');
  return Object.fromEntries(found);
}

/** A code that a telephone scans to install an eSIM. */
export interface Activation {
  /** The text of the QR code: `LPA:1$…`, or a link. */
  code: string;
  /** The number that the eSIM is for, if the answer says so beside the code. */
  phone: string | undefined;
}

/** The codes of an answer that can be scanned, each once, in order. */
export function activationsOf(value: unknown): Activation[] {
  const found = new Map<string, Activation>();
  const add = (code: string, phone: string | undefined) => {
    const known = found.get(code);
    if (known === undefined) found.set(code, { code, phone });
    else known.phone ??= phone;
  };
  const walk = (part: unknown, name: string, phone: string | undefined): void => {
    if (typeof part === 'string') {
      if (part !== '' && SCANNED.test(plain(name))) add(part, phone);
      else if (!isActivation(name)) for (const [code] of part.matchAll(CODE)) add(code, phone);
    } else if (Array.isArray(part)) for (const member of part) walk(member, name, phone);
    else if (isRecord(part))
      for (const [key, member] of Object.entries(part)) walk(member, key, phoneIn(part) ?? phone);
  };
  walk(value, '', undefined);
  return [...found.values()];
}

/** The number that a record is about. */
function phoneIn(record: Fields): string | undefined {
  const own = Object.entries(record).find(
    ([name, member]) => NUMBER.test(plain(name)) && typeof member === 'string' && PHONE.test(member),
  );
  return own && String(own[1]);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
