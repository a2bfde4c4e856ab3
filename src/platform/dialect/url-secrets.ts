import { REDACTED } from '../../lib/hide.ts';
import { textOf } from '../../lib/json.ts';
import { mapLeaves, type Part, recordAround, textsIn } from '../../lib/leaves.ts';

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
    if (ADDRESS.test(name) || ADDRESS.test(text))
      return mapLeaves(value, { leaf: (part) => (isAddress(part) ? hidden(part) : part.value) }) as T;
  return value;
}

/** The row of a change names its member, and holds the addresses before and after. */
function isAddress(part: Part): boolean {
  return ADDRESS.test(part.name) || ADDRESS.test(textOf(recordAround(part)?.member));
}

function hidden({ value }: Part): unknown {
  return typeof value === 'string' ? hideUrlSecrets(value) : value;
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
  if (
    SECRET_NAME.test(
      decoded(name)
        .replace(/([a-z])([A-Z])/g, '$1_$2')
        .toLowerCase(),
    )
  )
    return true;
  return looksRandom(plain) && !NUMBER.test(plain);
}

/** True for a value that is not a word: letters and digits mixed, a long run without spaces, or a PIN. */
function looksRandom(value: string): boolean {
  if (!/^[\w.~+/=$-]{6,}$/.test(value)) return false;
  const [hasDigit, hasLower, hasUpper] = [/\d/.test(value), /[a-z]/.test(value), /[A-Z]/.test(value)];
  if (!hasLower && !hasUpper) return hasDigit;
  return value.length >= 24 || (hasDigit && value.length >= (hasLower && hasUpper ? 8 : 12));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that begins no escape.
    return text;
  }
}
