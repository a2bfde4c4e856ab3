import { BoundedMap } from '../../lib/bounded-map.ts';
import { type Fields, isRecord } from '../../lib/json.ts';

/*
 * The activation link, code and QR code of an eSIM let any reader load a customer's SIM. The gate withholds them from
 * every result, and hands them out by `Gate.reveal` alone.
 */

/** Member names as the platform writes them (QRCode, QrCode, QrActivationLink), without case and punctuation. */
const NAMES = /qrcode|qractivation|activation(?:code|link|url|string)|^lpa|^matchingid$|^confirmationcode$/;
/** Members that hold the text of a QR code. The others are entered by hand. */
const SCANNED = /qrcode|qractivation|activation(?:code|link|url|string)|^lpa/;
/** Members that name the number of their record. */
const NUMBER = /^(?:phone)?number(?:assigned)?$/;
const PHONE = /^\+\d{7,15}$/;
/** GSMA SGP.22: `LPA:1$SMDP.EXAMPLE.COM$MATCHING-ID`, also URL-encoded inside a link. */
const CODE = /(?:https?:\/\/[^\s"'<>]{0,500})?LPA:1(?:\$|%24)[^\s"'<>]{1,500}/gi;

/** Every code has this. */
const CODE_START = /LPA:1(?:\$|%24)/i;
/** Maximum length of a name that is cached. Longer names do not come from the platform. */
const LONGEST_NAME = 100;
/** Cached, because answers repeat the same few names. */
const plainNames = new BoundedMap<string, string>(2_000);

/** The value of the member `activation` in a record whose codes are withheld. */
export const WITHHELD = 'withheld';

function isActivation(name: string): boolean {
  return NAMES.test(plain(name));
}

/** Names are compared without case and punctuation: the platform's spelling varies (PortOutPIN, port_out_pin). */
export function plain(name: string): string {
  let known = plainNames.get(name);
  if (known === undefined) {
    known = name.toLowerCase().replace(/[^a-z0-9]/g, '');
    if (name.length <= LONGEST_NAME) plainNames.set(name, known);
  }
  return known;
}

/**
 * A copy without activation codes at any depth. A record that had one has `activation: "withheld"` instead. A value
 * without codes, as most are, is returned as it is.
 */
export function withholdActivation<T>(value: T): T {
  return holdsCode(value) ? (withheld(value) as T) : value;
}

function holdsCode(value: unknown): boolean {
  if (typeof value === 'string') return CODE_START.test(value);
  if (Array.isArray(value)) return value.some(holdsCode);
  if (!isRecord(value)) return false;
  return Object.entries(value).some(([key, member]) => (isActivation(key) && !isEmpty(member)) || holdsCode(member));
}

function withheld(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(CODE, WITHHELD);
  if (Array.isArray(value)) return value.map(withheld);
  if (!isRecord(value)) return value;
  let hasCode = false;
  const members = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    const isCode = isActivation(key) && !isEmpty(member);
    const kept = isCode ? member : withheld(member);
    hasCode ||= isCode || (kept !== member && textsOf(member) !== textsOf(kept));
    return isCode ? [] : [[key, kept]];
  });
  return Object.fromEntries(hasCode ? [...members, ['activation', WITHHELD]] : members);
}

/** The texts of a value that is no record: those that belong to the record around it. */
function textsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textsOf).join('\n');
  return typeof value === 'string' ? value : '';
}

/** The records of a value whose codes are withheld, each with the number that it is about. */
export function withheldIn(value: unknown): { phone: string | undefined }[] {
  const found: { phone: string | undefined }[] = [];
  const walk = (part: unknown, phone: string | undefined): void => {
    if (Array.isArray(part)) for (const member of part) walk(member, phone);
    if (!isRecord(part)) return;
    const own = phoneIn(part) ?? phone;
    if (part.activation === WITHHELD) found.push({ phone: own });
    for (const member of Object.values(part)) walk(member, own);
  };
  walk(value, undefined);
  return found;
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
