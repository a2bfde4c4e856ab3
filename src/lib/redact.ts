import { BoundedMap } from './bounded-map.ts';
import { SwitchboardError } from './errors.ts';
import { hideLabelled, hider, isSecretNumber, REDACTED } from './hide.ts';
import { defined, type Fields, isRecord } from './json.ts';
import { mapWords } from './words.ts';

/** Removes secrets by name and by value. Logs, results, Slack, pages and files all use it. */
export interface Redactor {
  /**
   * A copy without the members whose names are secret, at any depth, in which every secret value is replaced in texts,
   * numbers and member names: those found in the value itself, those given (what the call sent), and those held.
   */
  strip<T>(value: T, secrets?: Iterable<string>): T;
  /** The text with every given and every held secret value replaced. */
  text(text: string, secrets: Iterable<string>): string;
  /** The same for all texts of a `SwitchboardError`. Other errors are returned as they are. */
  error(error: unknown, secrets: Iterable<string>): unknown;
  /** The values of secret members, at any depth, as texts. */
  secretsIn(value: unknown): string[];
  isSecret(name: string): boolean;
  /** Adds a source of secrets that outlive one call (tokens, vault, settings). It is read at every redaction. */
  hold(source: () => Iterable<string>): void;
}

/** Names that are secret in answers although no input field has them (PLATFORM.md, Number record). */
const ALWAYS = [
  'AuthCode',
  'AuthorizationCode',
  'token',
  'AccessToken',
  'RefreshToken',
  'AccountKey',
  'AccountSecret',
  'ClientSecret',
  'Secret',
  'Password',
  'Passcode',
  'Pin',
  'PortOutPin',
  'Authorization',
  'ApiKey',
  'Cookie',
  'SetCookie',
];
/** Shorter values occur in too many texts by chance to be treated as secrets. */
const LEAST = 3;
/** A secret of at least this length is removed from the whole answer; a shorter one, such as a four-digit PIN, only from its row. */
const EVERYWHERE = 8;
/** Longer names are no names of the platform's. */
const LONGEST_NAME = 100;

/**
 * Members that hold the platform's own messages. A labelled value in them ("AuthCode: K7Q2") is replaced too. The body of a
 * text message is not changed: it is what a person wrote.
 */
const MESSAGE_MEMBER = /^(|status|error|orderstatus)message$/;

/** Answers have the same few names again and again. */
const plainNames = new BoundedMap<string, string>(2_000);

/** Names are compared without case and punctuation: the platform's spelling varies (PortOutPIN, port_out_pin). */
function plain(name: string): string {
  let known = plainNames.get(name);
  if (known === undefined) {
    known = name.toLowerCase().replace(/[^a-z0-9]/g, '');
    if (name.length <= LONGEST_NAME) plainNames.set(name, known);
  }
  return known;
}

/** A secret member of an answer, whatever the spelling of its name. It keeps its type, because it is sent back as it came. */
export function keptSecret(answer: Fields, name: string): string | number | undefined {
  const [, value] = Object.entries(answer).find(([key]) => plain(key) === plain(name)) ?? [];
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? value : undefined;
}

/** `names`: the secret fields the catalogue declares. */
export function createRedactor(names: Iterable<string>): Redactor {
  const secret = new Set([...ALWAYS, ...names].map(plain));
  const sources: (() => Iterable<string>)[] = [];
  const isSecret = (name: string) => secret.has(plain(name));

  const held = function* (): Iterable<string> {
    for (const source of sources) yield* source();
  };

  /** `intoLists`: look into lists too. */
  const collect = (value: unknown, found: string[], inside: boolean, intoLists: boolean): void => {
    if (Array.isArray(value)) {
      if (intoLists) for (const member of value) collect(member, found, inside, intoLists);
    } else if (isRecord(value)) {
      for (const [key, member] of Object.entries(value)) collect(member, found, inside || isSecret(key), intoLists);
    } else if (inside && (typeof value === 'string' || typeof value === 'number')) {
      const text = String(value);
      if (text.length >= LEAST) found.push(text);
    }
  };
  const secretsIn = (value: unknown): string[] => {
    const found: string[] = [];
    collect(value, found, false, true);
    return found;
  };
  const inRow = (value: unknown): string[] => {
    const found: string[] = [];
    collect(value, found, false, false);
    return found;
  };

  const strip = (value: unknown, hide: Hides, name = ''): unknown => {
    if (typeof value === 'string') {
      const text = hide.text(value);
      return MESSAGE_MEMBER.test(plain(name)) ? hideLabelled(text) : text;
    }
    if (typeof value === 'number') return hide.number(value) ? REDACTED : value;
    if (Array.isArray(value)) return value.map((row) => strip(row, more(hide, inRow(row)), name));
    if (value === null || typeof value !== 'object') return value;
    const kept: [string, unknown][] = [];
    for (const [key, member] of Object.entries(value))
      if (!isSecret(key)) kept.push([hide.text(key), strip(member, hide, key)]);
    // Not by assignment: a member called __proto__ would become the prototype.
    return Object.fromEntries(kept);
  };

  return {
    isSecret,
    secretsIn,
    strip: <T>(value: T, secrets: Iterable<string> = []) => {
      const long = secretsIn(value).filter((text) => text.length >= EVERYWHERE);
      return strip(value, hides([...held(), ...secrets, ...long, ...inRow(value)])) as T;
    },
    text: (text, secrets) => hideLabelled(hides([...held(), ...secrets]).text(text)),
    error: (error, secrets) => {
      if (!(error instanceof SwitchboardError)) return error;
      const hide = hides([...held(), ...secrets]);
      const text = (value: string) => hideLabelled(hide.text(value));
      const { message, next, field, transactionLogId } = error.face;
      const face = {
        ...error.face,
        message: mapWords(message, text),
        ...(next === undefined ? {} : { next: mapWords(next, text) }),
        ...(field === undefined ? {} : { field: text(field) }),
        ...(transactionLogId === undefined ? {} : { transactionLogId: text(transactionLogId) }),
      };
      return new SwitchboardError(face, {
        ...(error.detail === undefined ? {} : { detail: text(error.detail) }),
        ...defined({ cause: error.cause }),
      });
    },
    hold: (source) => {
      sources.push(source);
    },
  };
}

interface Hides {
  text: (text: string) => string;
  number: (value: number) => boolean;
}

/** Most answers have none besides the secrets that are held, which seldom change. */
let newest: { secrets: readonly string[]; hides: Hides } | undefined;

function hides(secrets: readonly string[]): Hides {
  if (newest?.secrets.length === secrets.length && secrets.every((secret, at) => secret === newest?.secrets[at]))
    return newest.hides;
  const hide = hider(secrets);
  const numbers = secrets.filter((text) => /^\d+$/.test(text));
  const made: Hides = { text: hide, number: (value) => isSecretNumber(value, numbers) };
  newest = { secrets, hides: made };
  return made;
}

/** Those of a row on top of those around it. */
function more(outer: Hides, secrets: readonly string[]): Hides {
  if (secrets.length === 0) return outer;
  const inner = hides(secrets);
  return {
    text: (text) => inner.text(outer.text(text)),
    number: (value) => outer.number(value) || inner.number(value),
  };
}
