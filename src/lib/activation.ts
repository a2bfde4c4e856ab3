import { isRecord } from './json.ts';

/*
 * The activation link, code and QR code of an eSIM let any reader load a customer's SIM. They are shown to the requester and
 * to the person who confirmed, and never to a channel.
 */

/** Member names as the platform writes them (QRCode, QrCode, QrActivationLink), without case and punctuation. */
const NAMES = /qrcode|qractivation|activation(?:code|link|url|string)|^lpa|^matchingid$|^confirmationcode$/;
const MAX_NAME = 100;
/** GSMA SGP.22: `LPA:1$SMDP.EXAMPLE.COM$MATCHING-ID`, also URL-encoded inside a link. */
const CODE = /(?:https?:\/\/[^\s"'<>]{0,500})?LPA:1(?:\$|%24)[^\s"'<>]{1,500}/gi;

const ACTIVATION_HIDDEN = 'shown only to the requester and the person who confirmed';

function isActivation(name: string): boolean {
  return NAMES.test(
    name
      .slice(0, MAX_NAME)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, ''),
  );
}

/** A copy for a channel: activation codes at any depth are replaced by a note on who is shown them. */
export function withoutActivation<T>(value: T): T {
  return stripped(value) as T;
}

function stripped(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(CODE, ACTIVATION_HIDDEN);
  if (Array.isArray(value)) return value.map(stripped);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      isActivation(key) && !isEmpty(member) ? ACTIVATION_HIDDEN : stripped(member),
    ]),
  );
}

/** The activation codes of an answer, by member; empty if there are none. */
export function activationsIn(value: unknown): Record<string, string> {
  const found: [string, string][] = [];
  const walk = (part: unknown, name: string): void => {
    if (typeof part === 'string') {
      if (part !== '' && isActivation(name)) found.push([name, part]);
      else for (const [code] of part.matchAll(CODE)) found.push([name, code]);
    } else if (Array.isArray(part)) for (const member of part) walk(member, name);
    else if (isRecord(part)) for (const [key, member] of Object.entries(part)) walk(member, key);
  };
  walk(value, '');
  return Object.fromEntries(found);
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
