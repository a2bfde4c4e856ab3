import * as z from 'zod';
import {
  hasCredentials,
  hasSpaces,
  isAscii,
  NO_CREDENTIALS,
  NO_SPACES,
  parseUrl,
  plainHost,
  plainUrl,
} from '../../src/lib/values.ts';
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
    .refine((url) => !hasSpaces(url), { message: NO_SPACES })
    .overwrite(plainUrl)
    .max(max, `at most ${max} characters`)
    .refine(isHttps, { message: 'must be an HTTPS URL, for example https://example.com/hook' })
    .refine((url) => !hasCredentials(url), { message: NO_CREDENTIALS })
    .meta({ kind: 'url', examples: ['https://example.com/hook'] });
}

/** A `wss:` address. */
export const wssUrl = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .refine((url) => !hasSpaces(url), { message: NO_SPACES })
  .overwrite(plainUrl)
  .max(2000)
  .refine((url) => /^wss:\/\/\S+$/i.test(url), {
    message: 'must be a secure websocket address, for example wss://example.com/stream',
  })
  .refine((url) => !hasCredentials(url), { message: NO_CREDENTIALS });

/** A host name, an IP address, or a range of addresses. */
export function host(max = 255) {
  return text(max)
    .refine((value) => !hasSpaces(value), { message: NO_SPACES })
    .overwrite(plainHost)
    .refine(isAscii, { message: NOT_ASCII });
}

/** A SIP address, or a part of a host name. */
export function sipAddress() {
  return text(255)
    .refine((value) => !hasSpaces(value), { message: NO_SPACES })
    .refine(isAscii, { message: NOT_ASCII });
}

const NOT_ASCII = 'has letters that look like others; write the host in its ASCII form (xn--…)';

/** A webhook's URL: 255 characters (PLATFORM.md, Limits). */
export const httpsUrl = httpsUrlUpTo(255);

/** A route's or an attachment's URL. The platform states no length; common servers accept this one. */
export const longHttpsUrl = httpsUrlUpTo(2000);

function isHttps(text: string): boolean {
  const url = parseUrl(text);
  return (
    url?.protocol === 'https:' || (url?.protocol === 'http:' && /^(127\.0\.0\.1|localhost|\[::1\])$/.test(url.hostname))
  );
}
