import * as z from 'zod';
import * as http from '../../src/lib/http.ts';
import { text } from './fields.ts';

/*
 * Fields for URLs and hosts. They are normalized as programs read them, so that a person confirms the address that is
 * used.
 */

/** `https` only, except `http` on loopback for local receivers (PLATFORM.md, Webhook). */
function httpsUrlUpTo(max: number) {
  return z
    .string()
    .trim()
    .refine((url) => !http.hasSpaces(url), { message: http.NO_SPACES })
    .overwrite(http.plainUrl)
    .max(max, `at most ${max} characters`)
    .refine(isHttps, { message: 'must be an HTTPS URL, for example https://example.com/hook' })
    .refine((url) => !http.hasCredentials(url), { message: http.NO_CREDENTIALS })
    .meta({ kind: 'url', examples: ['https://example.com/hook'] });
}

/** A `wss:` address. */
export const wssUrl = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .refine((url) => !http.hasSpaces(url), { message: http.NO_SPACES })
  .overwrite(http.plainUrl)
  .max(2000)
  .refine((url) => /^wss:\/\/\S+$/i.test(url), {
    message: 'must be a secure websocket address, for example wss://example.com/stream',
  })
  .refine((url) => !http.hasCredentials(url), { message: http.NO_CREDENTIALS });

/** A host name, an IP address, or a range of addresses. */
export function host(max = 255) {
  return text(max)
    .refine((value) => !http.hasSpaces(value), { message: http.NO_SPACES })
    .overwrite(http.plainHost)
    .refine(http.isAscii, { message: NOT_ASCII });
}

/** A SIP address, or a part of a host name. */
export function sipAddress() {
  return text(255)
    .refine((value) => !http.hasSpaces(value), { message: http.NO_SPACES })
    .refine(http.isAscii, { message: NOT_ASCII });
}

const NOT_ASCII = 'has letters that look like others; write the host in its ASCII form (xn--…)';

/** A webhook's URL: 255 characters (PLATFORM.md, Limits). */
export const httpsUrl = httpsUrlUpTo(255);

/** A route's or an attachment's URL. The platform states no length; common servers accept this one. */
export const longHttpsUrl = httpsUrlUpTo(2000);

function isHttps(text: string): boolean {
  const url = http.parseUrl(text);
  return (
    url?.protocol === 'https:' || (url?.protocol === 'http:' && /^(127\.0\.0\.1|localhost|\[::1\])$/.test(url.hostname))
  );
}
