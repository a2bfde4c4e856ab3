/** Why a URL with a user name or password is refused. */
export const NO_CREDENTIALS =
  'must not contain a user name or password (https://user:password@…), because they would appear in logs and on cards';

/** True for `https://user:password@host`, and for a text that is not a valid URL if its host part contains `@`. */
export function hasCredentials(text: string): boolean {
  if (!URL.canParse(text)) return /^[a-z][a-z0-9+.-]{0,20}:\/\/[^/?#]*@/i.test(text);
  const { username, password } = new URL(text);
  return username !== '' || password !== '';
}

/** Whether a host name or address is this computer's own. */
export function isLoopback(host: string): boolean {
  return /^(127(\.\d+){3}|localhost|\[?::1\]?)$/.test(host);
}

/** Whether this is an https URL, or an http URL on loopback. */
export function isSafeUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}
