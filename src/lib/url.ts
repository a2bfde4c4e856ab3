/** The reason for refusing a URL with a user name or password. */
export const NO_CREDENTIALS =
  'must not contain a user name or password (https://user:password@…), because they would appear in logs and on cards';

/** A URL, or undefined for a text that is none. `URL.canParse` of Node 20 refuses some URLs with é, ü or ñ. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** A user name or password of a URL. One that is not percent-encoded is used as written. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** True for `https://user:password@host`, and for a text that is not a valid URL if its host part contains `@`. */
export function hasCredentials(text: string): boolean {
  const url = parseUrl(text);
  if (url === undefined) return /^[a-z][a-z0-9+.-]{0,20}:\/\/[^/?#]*@/i.test(text);
  return url.username !== '' || url.password !== '';
}

/** The reason for refusing white space: programs drop it, so that the address differs from the one a reader sees. */
export const NO_SPACES = 'must not contain spaces, tabs or line breaks';

/** True if a text has white space or control characters in it. */
export function hasSpaces(text: string): boolean {
  return /[\s\p{Cc}]/u.test(text);
}

/**
 * A URL as programs use it, so that what a person reads is what is sent: the host in punycode and plain numbers,
 * slashes for backslashes, other characters percent-encoded. A text that is no URL, or has white space, is returned
 * unchanged.
 */
export function plainUrl(text: string): string {
  const href = hasSpaces(text) ? undefined : parseUrl(text)?.href;
  return href === undefined || href === `${text}/` ? text : href;
}

/** A host name or address, with or without a port or a prefix length, as a URL with this host is used. */
export function plainHost(text: string): string {
  const [, host = '', rest = ''] = /^([^/:]+)([/:]\d+)?$/.exec(text) ?? [];
  const url = host === '' || hasSpaces(text) ? undefined : parseUrl(`https://${host}`);
  return url === undefined ? text : `${url.hostname}${rest}`;
}

/** True if a text has ASCII characters only: other letters look like them. */
export function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** True if a host name or address is this computer's own. */
export function isLoopback(host: string): boolean {
  return /^(127(\.\d+){3}|localhost|\[?::1\]?)$/.test(host);
}

/** A host name or address for a URL: an IPv6 address is put in brackets. */
export function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** True for an https URL, and for an http URL on loopback. */
export function isSafeUrl(value: string): boolean {
  const url = parseUrl(value);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
}
