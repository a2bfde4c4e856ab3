import {
  BoundedMap,
  type Fields,
  isRecord,
  mapLeaves,
  type Part,
  partsOf,
  recordAround,
  textsIn,
} from '../../lib/values.ts';

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

const activations = new BoundedMap<string, boolean>(2_000);

function isActivation(name: string): boolean {
  let known = activations.get(name);
  if (known === undefined) {
    known = NAMES.test(plain(name));
    if (name.length <= LONGEST_NAME) activations.set(name, known);
  }
  return known;
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
  const records = new Set<unknown>();
  let holdsCode = false;
  for (const part of partsOf(value)) {
    const isText = typeof part.value === 'string' && CODE_START.test(part.value);
    if (!isText && !isCode(part)) continue;
    holdsCode = true;
    if (isCode(part) || withheld(part) !== part.value) records.add(recordAround(part));
  }
  if (!holdsCode) return value;
  return mapLeaves(value, {
    leaf: withheld,
    member: (part) => (isCode(part) ? undefined : part.name),
    added: (record) => (records.has(record.value) ? { activation: WITHHELD } : undefined),
  }) as T;
}

/** True for a member that holds a code by its name. */
function isCode({ key, value }: Part): boolean {
  return typeof key === 'string' && value !== undefined && value !== null && value !== '' && isActivation(key);
}

function withheld({ value }: Part): unknown {
  return typeof value === 'string' ? value.replace(CODE, WITHHELD) : value;
}

/** The number that the innermost record with one is about. */
function phoneAround(part: Part): string | undefined {
  for (let { around } = part; around !== undefined; around = around.around) {
    const phone = isRecord(around.value) ? phoneIn(around.value) : undefined;
    if (phone !== undefined) return phone;
  }
  return undefined;
}

/** The records of a value whose codes are withheld, each with the number that it is about. */
export function withheldIn(value: unknown): { phone: string | undefined }[] {
  return textsIn(value)
    .filter((part) => part.key === 'activation' && part.value === WITHHELD)
    .map((part) => ({ phone: phoneAround(part) }));
}

/** The activation codes of an answer, by member; empty if there are none. */
export function activationsIn(value: unknown): Record<string, string> {
  const found: [string, string][] = [];
  for (const { name, value: text } of textsIn(value)) {
    if (text !== '' && isActivation(name)) found.push([name, text]);
    else for (const [code] of text.matchAll(CODE)) found.push([name, code]);
  }
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
  for (const part of textsIn(value)) {
    const { name, value: text } = part;
    if (text !== '' && SCANNED.test(plain(name))) add(text, phoneAround(part));
    else if (!isActivation(name)) for (const [code] of text.matchAll(CODE)) add(code, phoneAround(part));
  }
  return [...found.values()];
}

/** The number that a record is about. */
function phoneIn(record: Fields): string | undefined {
  const own = Object.entries(record).find(
    ([name, member]) => NUMBER.test(plain(name)) && typeof member === 'string' && PHONE.test(member),
  );
  return own && String(own[1]);
}
