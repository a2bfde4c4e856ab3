import { decoded } from './http.ts';
import { mapLeaves, type Part, recordAround, textOf, textsIn } from './json.ts';
import { BoundedMap } from './lists.ts';

/*
 * Removes known secret values from texts, in every form in which a text may contain them. redact.ts finds secrets by
 * the names of their fields.
 *
 * The length and form of a secret determine which parts of a text are replaced:
 * - eight characters or more, not all digits: anywhere in the text, in upper or lower case, also URL-encoded,
 *   JSON-escaped, HTML-escaped, in base64 and in hex;
 * - all digits (a PIN): only a whole run of digits, and not inside a phone number, a date, a decimal number or an id,
 *   so that a PIN of 2024 leaves 2024-01-31 and +12015552024 as they are; from eight digits on also in hex;
 * - three to seven characters: only as a whole word;
 * - fewer than three characters: never, because such a value occurs in too many texts by chance.
 */

export const REDACTED = '«redacted»';
/** Values of at least this length are replaced anywhere in a text. */
const LONG = 8;
const LEAST = 3;
/** The forms of a secret are computed once, because tokens are redacted in every answer. */
const MAX_CACHED = 2000;

export type Hide = (text: string) => string;

const forms = new BoundedMap<string, readonly string[]>(MAX_CACHED);

/** Returns a function that removes these secrets from a text. A text without secrets is returned unchanged. */
export function hider(secrets: Iterable<string>): Hide {
  const anywhere = new Set<string>();
  const digits = new Set<string>();
  const words = new Set<string>();
  for (const secret of new Set(secrets)) {
    if (secret.length < LEAST) continue;
    if (/^\d+$/.test(secret)) {
      digits.add(secret);
      if (secret.length >= LONG) anywhere.add(hex(secret));
    } else if (secret.length < LONG) for (const form of [secret, ...escapes(secret)]) words.add(form);
    else for (const form of formsOf(secret)) anywhere.add(form);
  }
  // The longest first: one secret may begin with another.
  const byLength = (all: Set<string>) => [...all].sort((a, b) => b.length - a.length);
  const [long, short] = [byLength(anywhere), byLength(words)];
  return (text) => {
    let kept = long.length === 0 ? text : withoutForms(text, long);
    for (const word of short) if (word.length <= kept.length && kept.includes(word)) kept = withoutWord(kept, word);
    return digits.size > 0 ? withoutDigits(kept, digits) : kept;
  };
}

/** True if this number is one of the secrets. An AuthCode may be returned as the number 482913. */
export function isSecretNumber(value: number, secrets: Iterable<string>): boolean {
  const text = String(value);
  if (text.length < LEAST) return false;
  for (const secret of secrets)
    if (secret === text || (/^0*\d+$/.test(secret) && secret.replace(/^0+/, '') === text)) return true;
  return false;
}

function formsOf(secret: string): readonly string[] {
  const known = forms.get(secret);
  if (known) return known;
  const written = [secret, secret.toUpperCase(), secret.toLowerCase()].flatMap((text) => [text, ...escapes(text)]);
  const made = [...new Set([...written, ...base64(secret), hex(secret)].map(folded))];
  forms.set(secret, made);
  return made;
}

/**
 * Removes these forms from a text in any letter case. `forms` are folded, the longest first.
 */
function withoutForms(text: string, forms: readonly string[]): string {
  const shortest = forms.at(-1)?.length ?? Number.POSITIVE_INFINITY;
  if (text.length < shortest) return text;
  let kept = text;
  let plain = folded(text);
  for (const form of forms) {
    if (!plain.includes(form)) continue;
    let cut = '';
    let from = 0;
    for (let at = plain.indexOf(form); at >= 0; at = plain.indexOf(form, from)) {
      cut += kept.slice(from, at) + REDACTED;
      from = at + form.length;
    }
    kept = cut + kept.slice(from);
    plain = folded(kept);
  }
  return kept;
}

/**
 * A text in lower case, with every character at the same index. The two letters whose lower case depends on their
 * neighbours or has another length (Σ, İ) become the plain letter.
 */
function folded(text: string): string {
  return text.replaceAll('\u0130', 'i').toLowerCase().replaceAll('\u03c2', '\u03c3');
}

function hex(secret: string): string {
  return Buffer.from(secret).toString('hex');
}

function escapes(secret: string): string[] {
  const url = encodeURIComponent(secret.replace(/\p{Cs}/gu, '\ufffd'));
  const lower = (text: string) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  const form = new URLSearchParams({ s: secret }).toString().slice(2);
  const html = secret
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
  return [url, lower(url), form, lower(form), html, JSON.stringify(secret).slice(1, -1)];
}

/** The base64 characters that depend on this secret alone, for each of its three possible alignments. */
function base64(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const start = before === 0 ? 0 : before + 1;
    const end = text.length - ((before + bytes.length) % 3 === 0 ? 0 : 1);
    const core = text.slice(start, end);
    return core.length < LONG ? [] : [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Removes a whole word. A letter or digit next to it makes it part of another word; an escape (%3D, \n) does not. */
function withoutWord(text: string, word: string): string {
  let kept = '';
  let from = 0;
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at < from) continue;
    const before = text.slice(Math.max(0, at - 6), at);
    const inside = /[\p{L}\p{N}]$/u.test(before) && !/(?:%[0-9A-Fa-f]{2}|\\[bfnrt]|\\u[0-9A-Fa-f]{4})$/.test(before);
    if (inside || /^[\p{L}\p{N}]/u.test(text.slice(at + word.length, at + word.length + 2))) continue;
    kept += text.slice(from, at) + REDACTED;
    from = at + word.length;
  }
  return kept + text.slice(from);
}

/**
 * Texts with digits that are not secrets (phone numbers, dates, times, ids, decimal numbers), then any run of digits.
 */
const DIGITS = new RegExp(
  [
    String.raw`\+\d{7,15}(?!\d)`,
    String.raw`(?<!\d)(?:\+?1[ .-]?)?\(?\d{3}\)?[ .-]{1,2}\d{3}[ .-]\d{4}(?!\d)`,
    String.raw`(?<!\d)\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)?(?!\d)`,
    String.raw`(?<!\d)\d{1,2}/\d{1,2}/\d{4}(?!\d)`,
    '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}',
    '(?<![A-Za-z0-9])[0-9a-fA-F]{12,}(?![A-Za-z0-9])',
    String.raw`(?<![\d.])\d{1,15}\.\d{1,6}(?![\d])`,
    String.raw`\d+`,
  ].join('|'),
  'g',
);
/** The digits of an escape are not part of the number that follows: `%201234` is a space and 1234. */
const ESCAPED_DIGITS = /(%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4})(\d{3,})/g;

function withoutDigits(text: string, digits: ReadonlySet<string>): string {
  // Most texts have none of them, and the pattern is slow.
  if (![...digits].some((one) => text.includes(one))) return text;
  const once = text.replace(DIGITS, (found) => (digits.has(found) ? REDACTED : found));
  if (!once.includes('%') && !once.includes('\\u')) return once;
  return once.replace(ESCAPED_DIGITS, (all, before: string, run: string) =>
    digits.has(run) ? `${before}${REDACTED}` : all,
  );
}

/**
 * Secrets that are recognized by their form: a JWT anywhere, and the value after `AuthCode:` or `"Password":` in a text
 * if it contains a digit ("Password: must be longer" is a sentence).
 */
const JWT = /\beyJ[\w-]{8,400}\.[\w-]{2,4000}\.[\w-]{0,2000}/g;
const LABELLED =
  /\b(auth(?:orization)?[ _-]?code|access[ _-]?token|account[ _-]?secret|client[ _-]?secret|pass(?:word|code)|port[ _-]?out[ _-]?pin|pin)(\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?)([^\s"'\\,;&<>}\]]{3,200})/gi;

export function hideLabelled(text: string): string {
  return text
    .replace(JWT, REDACTED)
    .replace(LABELLED, (all, name: string, between: string, value: string) =>
      /\d/.test(value) ? `${name}${between}${REDACTED}` : all,
    );
}

/*
 * Receivers of events and messages often take a token in the address of the webhook or route. The token is a secret; the
 * rest of the address says where traffic goes, so people must see it.
 */

/** Members that hold the address of a route, a webhook or an announcement, and `Url`, a record's address in a question. */
const ADDRESS =
  /^(?:Url|(?:Callback)?(?:Webhook|Message|Voice)Url|Announcement(?:Url|Uri)|WssUr[il]|Trunk\d?Ur[il]\d?)$/;
/** Words in the name of a parameter whose value is a secret. */
const SECRET_NAME =
  /(?:^|[^a-z])(?:key|sig|code|pin|otp|pw|sid|psk|tk)(?:$|[^a-z])|key$|tok(?:en)?|secret|pass|pwd|auth|cred|sign|api_?key|jwt|hmac|hash|bearer|session|nonce|otp|access|private|kennwort|passwort/;
const NUMBER = /^(?:\+\d{7,15}|1?\d{10})$/;

/** A copy in which the addresses of routes and webhooks do not show the secrets in them. */
export function withoutUrlSecrets<T>(value: T): T {
  // A text that is the name of an address may name the member of a row.
  for (const { name, value: text } of textsIn(value))
    if (ADDRESS.test(name) || ADDRESS.test(text)) return mapLeaves(value, { leaf: withoutSecrets }) as T;
  return value;
}

/** The row of a change names its member, and holds the addresses before and after. */
function withoutSecrets(part: Part): unknown {
  const isAddress = ADDRESS.test(part.name) || ADDRESS.test(textOf(recordAround(part)?.member));
  return isAddress && typeof part.value === 'string' ? hideUrlSecrets(part.value) : part.value;
}

/** An address without its user name and password, and without secret values in its query and fragment. */
export function hideUrlSecrets(url: string): string {
  const [, start = '', user, rest = ''] = /^([a-z][a-z0-9+.-]*:(?:\/\/)?)(?:([^/?#\s]*)@)?(.*)$/is.exec(url) ?? [];
  if (start === '') return url;
  const [, path = '', query, fragment] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(rest) ?? [];
  return [
    start,
    user === undefined ? '' : `${hideUser(user, start)}@`,
    path,
    query === undefined ? '' : `?${hideParameters(query)}`,
    fragment === undefined ? '' : `#${hideParameters(fragment)}`,
  ].join('');
}

/** The user of a SIP address is a name; its password is none. */
function hideUser(user: string, start: string): string {
  if (start.endsWith('//')) return REDACTED;
  const [name = '', password] = user.split(/:(.*)/s);
  return password === undefined ? name : `${name}:${REDACTED}`;
}

function hideParameters(text: string): string {
  return text.replace(/[^&;]+/g, (parameter) => {
    const [, name = '', value] = /^([^=]*)=(.*)$/s.exec(parameter) ?? [];
    if (value === undefined) return isSecret('', parameter) ? REDACTED : parameter;
    return value !== '' && isSecret(name, value) ? `${name}=${REDACTED}` : parameter;
  });
}

function isSecret(name: string, value: string): boolean {
  const plain = decoded(value);
  const words = decoded(name).replace(/([a-z])([A-Z])/g, '$1_$2');
  if (SECRET_NAME.test(words.toLowerCase())) return true;
  return looksRandom(plain) && !NUMBER.test(plain);
}

/** True for a value that is not a word: letters and digits mixed, a long run without spaces, or a PIN. */
function looksRandom(value: string): boolean {
  if (!/^[\w.~+/=$-]{6,}$/.test(value)) return false;
  const [hasDigit, hasLower, hasUpper] = [/\d/.test(value), /[a-z]/.test(value), /[A-Z]/.test(value)];
  if (!hasLower && !hasUpper) return hasDigit;
  return value.length >= 24 || (hasDigit && value.length >= (hasLower && hasUpper ? 8 : 12));
}
