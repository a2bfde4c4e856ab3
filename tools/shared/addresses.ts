import * as z from 'zod';
import {
  hasCredentials,
  hasSpaces,
  isAscii,
  isSafeUrl,
  NO_CREDENTIALS,
  NO_SPACES,
  plainHost,
  plainUrl,
} from '../../src/lib/values.ts';
import { text } from './fields.ts';

/*
 * Fields for URLs and hosts. They are normalized as programs read them, so that a person confirms the address that is
 * used.
 */

/** An address of at most `max` characters that `isOne` accepts. `form`: what it must be. */
function address(given: z.ZodString, max: number, isOne: (text: string) => boolean, form: string) {
  return given
    .refine((text) => !hasSpaces(text), { message: NO_SPACES })
    .overwrite(plainUrl)
    .max(max, `at most ${max} characters`)
    .refine(isOne, { message: `must be ${form}` })
    .refine((text) => !hasCredentials(text), { message: NO_CREDENTIALS });
}

/** `https` only, except `http` on loopback for local receivers (PLATFORM.md, Webhook). */
function httpsUrlUpTo(max: number) {
  const example = 'https://example.com/hook';
  const url = address(z.string().trim(), max, isSafeUrl, `an HTTPS URL, for example ${example}`);
  return url.meta({ kind: 'url', examples: [example] });
}

/** A `wss:` address. */
export const wssUrl = address(
  z.string().trim().min(1, 'must not be empty'),
  2000,
  (url) => /^wss:\/\/\S+$/i.test(url),
  'a secure websocket address, for example wss://example.com/stream',
);

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
