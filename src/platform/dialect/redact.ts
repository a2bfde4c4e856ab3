import { SwitchboardError } from '../../lib/errors.ts';
import { type Hide, hideLabelled, hider, isSecretNumber, REDACTED, withoutUrlSecrets } from '../../lib/hide.ts';
import {
  BoundedMap,
  defined,
  type Fields,
  isRecord,
  leaves,
  mapLeaves,
  mapWords,
  type Part,
  partsOf,
  recordAround,
  textOf,
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

/** The value of the member `activation` in a record whose codes are withheld. */
export const WITHHELD = 'withheld';

const isActivation = (name: string) => NAMES.test(plain(name));

/** Names are compared without case and punctuation: the platform's spelling varies (PortOutPIN, port_out_pin). */
export function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
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
    const members = isRecord(around.value) ? Object.entries(around.value) : [];
    const phone = members.find(([name, text]) => NUMBER.test(plain(name)) && PHONE.test(textOf(text)))?.[1];
    if (phone !== undefined) return textOf(phone);
  }
  return undefined;
}

/** The records of a value whose codes are withheld, each with the number that it is about. */
export function withheldIn(value: unknown): { phone: string | undefined }[] {
  return textsIn(value)
    .filter((part) => part.key === 'activation' && part.value === WITHHELD)
    .map((part) => ({ phone: phoneAround(part) }));
}

/** The activation codes of an answer, in order. A text under another name may have several, and all can be scanned. */
function codesIn(value: unknown): { part: Part; code: string; isScanned: boolean }[] {
  return textsIn(value).flatMap((part) => {
    const { name, value: text } = part;
    if (text !== '' && isActivation(name)) return [{ part, code: text, isScanned: SCANNED.test(plain(name)) }];
    return [...text.matchAll(CODE)].map(([code]) => ({ part, code, isScanned: true }));
  });
}

/** The activation codes of an answer, by member; empty if there are none. */
export function activationsIn(value: unknown): Record<string, string> {
  return Object.fromEntries(codesIn(value).map(({ part, code }) => [part.name, code]));
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
  for (const { part, code, isScanned } of codesIn(value)) {
    if (!isScanned) continue;
    const known = found.get(code);
    if (known === undefined) found.set(code, { code, phone: phoneAround(part) });
    else known.phone ??= phoneAround(part);
  }
  return [...found.values()];
}

/** The secrets of one call, and what its caller wrote. */
interface CallTexts {
  /** Secrets that the call sends or receives, beside those that are held. */
  secrets?: readonly string[];
  /**
   * The caller's input. Held secrets that its texts contain are not removed, so that nothing can be tested by writing
   * it.
   */
  written?: unknown;
}

/**
 * Removes secrets by name and by value. Callers can write any text and read it again, so the difference between a
 * removed text and a kept one must not tell them a secret:
 * - what callers write is never compared with secrets (`omit`);
 * - a short secret is removed by value only from the answer to its own call and from the record that has it as a
 *   member, and there not from members that callers can write;
 * - a long secret cannot be guessed. It is removed from every text of the platform and of logs.
 */
export type Redactor = ReturnType<typeof createRedactor>;

/** Names that are secret in answers although no input field has them (PLATFORM.md, Number record). */
const ALWAYS = (
  'AuthCode AuthorizationCode token AccessToken RefreshToken AccountKey AccountSecret ClientSecret Secret Password' +
  ' Passcode Pin PortOutPin Authorization ApiKey Cookie SetCookie'
).split(' ');
/** Shorter values occur in too many texts by chance to be treated as secrets. */
const LEAST = 3;
/** A secret of at least this length cannot be guessed, so it is removed from every text. */
const UNGUESSABLE = 20;

/**
 * Members that hold the platform's own messages. A labelled value in them ("AuthCode: K7Q2") is replaced too. The body
 * of a text message is not changed: it is what a person wrote.
 */
const MESSAGE_MEMBER = /^(|status|error|orderstatus)message$/;

/**
 * Members whose texts come from fields of other names: the parts of a caller's name are the member `Cnam` of a number.
 */
const CALLERS_TEXT = /(name|cnam|body|description|title|label)$/;

/**
 * A secret member of an answer, in any spelling of its name. It keeps its type, because it is sent back in the same
 * form.
 */
export function keptSecret(answer: Fields, name: string): string | number | undefined {
  const [, value] = Object.entries(answer).find(([key]) => plain(key) === plain(name)) ?? [];
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? value : undefined;
}

/**
 * @param names fields that are secret
 * @param writableNames members that callers can write
 */
export function createRedactor(names: Iterable<string>, writableNames: Iterable<string> = []) {
  const secret = new Set([...ALWAYS, ...names].map(plain));
  const writable = new Set([...writableNames].map(plain));
  const sources: { source: () => Iterable<string>; least: number }[] = [];
  /** Reads the name of a member. */
  const namedOf = cached(2_000, (name: string) => {
    const word = plain(name);
    const isMessage = MESSAGE_MEMBER.test(word);
    /** Callers can write the value. */
    const isOwn = !isMessage && (writable.has(word) || CALLERS_TEXT.test(word));
    return { isSecret: secret.has(word), isMessage, isOwn };
  });
  const isSecret = (name: string) => namedOf(name).isSecret;

  const heldFor = (written: unknown): string[] => {
    const held = sources.flatMap(({ source, least }) => [...source()].filter(({ length }) => length >= least));
    const texts = leaves(omit(written)).flatMap(({ value }) => (isText(value) ? [String(value)] : []));
    const isWritten = (hide: Hide) => texts.some((text) => hide(text) !== text);
    return texts.length > 0 && isWritten(hides(held).text) ? held.filter((one) => !isWritten(hider([one]))) : held;
  };

  /** The values of secret members. `into`: the parts to look into. */
  const collect = (value: unknown, into?: (part: Part) => boolean): string[] => {
    const found: string[] = [];
    for (const { key, value: member } of partsOf(value, into)) {
      if (typeof key === 'number' || !isSecret(key)) continue;
      for (const { value: one } of leaves(member, into))
        if (isText(one) && String(one).length >= LEAST) found.push(String(one));
    }
    return found;
  };
  const inRow = (value: unknown) => split(collect(value, (part) => !Array.isArray(part.value)));

  const withoutSecret = ({ name }: Part) => (isSecret(name) ? undefined : name);
  const omit = (value: unknown): unknown => mapLeaves(value, { member: withoutSecret });

  const strip = (value: unknown, long: Hides, short: Hides): unknown => {
    const inRows = new Map<Part, Hides>();
    /** The short secrets for a part: those of the answer, and of each row around it. */
    const shortAt = (part: Part | undefined): Hides => {
      let row = part;
      while (row !== undefined && (typeof row.key === 'string' || typeof row.value !== 'object')) row = row.around;
      if (row === undefined) return short;
      const known = inRows.get(row) ?? more(shortAt(row.around), inRow(row.value).short);
      inRows.set(row, known);
      return known;
    };
    return mapLeaves(value, {
      leaf: (part) => {
        const { value: one, name } = part;
        const { isMessage, isOwn } = namedOf(name);
        if (typeof one === 'string') {
          const text = isOwn ? long.text(one) : shortAt(part).text(long.text(one));
          return isMessage ? hideLabelled(text) : text;
        }
        if (typeof one !== 'number') return one;
        return long.number(one) || (!isOwn && shortAt(part).number(one)) ? REDACTED : one;
      },
      member: (part) => withoutSecret(part) && shortAt(part.around).text(long.text(part.name)),
    });
  };

  const text = (value: string, { secrets = [], written }: CallTexts = {}) =>
    withholdActivation(hideLabelled(hides([...heldFor(written), ...secrets]).text(value)));

  return {
    isSecret,
    /** The values of secret members, at any depth, as texts. */
    secretsIn: (value: unknown) => collect(value),
    /**
     * A copy without the members whose names are secret, at any depth, and without the secrets in the addresses of routes
     * and webhooks. All other texts are left as they are.
     */
    omit: <T>(value: T) => omit(withoutUrlSecrets(value)) as T,
    /** Like `omit`, and secret values are replaced in texts, numbers and member names. For answers, events and logs. */
    strip: <T>(value: T, { secrets = [], written }: CallTexts = {}) => {
      const { long, short } = split([...heldFor(written), ...secrets]);
      const inAnswer = split(collect(value)).long;
      return strip(value, hides([...long, ...inAnswer]), hides([...short, ...inRow(value).short])) as T;
    },
    /** The text with secret values replaced. */
    text,
    /** The same for all texts of a `SwitchboardError`. Other errors are returned as they are. */
    error: (error: unknown, call?: CallTexts): unknown => {
      if (!(error instanceof SwitchboardError)) return error;
      const hide = (words: string) => text(words, call);
      const { message, next, field, transactionLogId } = error.face;
      const face = {
        ...error.face,
        message: mapWords(message, hide),
        ...defined({
          next: next && mapWords(next, hide),
          field: field && hide(field),
          transactionLogId: transactionLogId && hide(transactionLogId),
        }),
      };
      return new SwitchboardError(face, defined({ detail: error.detail && hide(error.detail), cause: error.cause }));
    },
    /**
     * Adds a source of secrets that outlive one call (tokens, vault, settings). It is read at every redaction.
     * @param least shorter secrets are left out; by default those that can be guessed
     */
    hold: (source: () => Iterable<string>, least = UNGUESSABLE): void => {
      sources.push({ source, least });
    },
  };
}

function split(secrets: readonly string[]) {
  return {
    long: secrets.filter(({ length }) => length >= UNGUESSABLE),
    short: secrets.filter(({ length }) => length < UNGUESSABLE),
  };
}

/** Keeps what was made of the last `most` keys, because answers repeat the same few names and secrets seldom change. */
function cached<V>(most: number, make: (key: string) => V): (key: string) => V {
  const known = new BoundedMap<string, V>(most);
  return (key) => {
    const found = known.get(key) ?? make(key);
    if (!known.has(key)) known.set(key, found);
    return found;
  };
}

function isText(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

interface Hides {
  text: (text: string) => string;
  number: (value: number) => boolean;
}

const hidesOf = cached(8, (json): Hides => {
  const secrets = JSON.parse(json) as string[];
  const numbers = secrets.filter((text) => /^\d+$/.test(text));
  return { text: hider(secrets), number: (value) => isSecretNumber(value, numbers) };
});
const hides = (secrets: readonly string[]) => hidesOf(JSON.stringify(secrets));

/** Adds the secrets of a row to those of the answer around it. */
function more(outer: Hides, secrets: readonly string[]): Hides {
  if (secrets.length === 0) return outer;
  const inner = hides(secrets);
  return {
    text: (text) => inner.text(outer.text(text)),
    number: (value) => outer.number(value) || inner.number(value),
  };
}
