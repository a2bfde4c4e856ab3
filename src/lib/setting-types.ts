import * as z from 'zod';
import { type Role, WAYS, type Way } from './actor.ts';
import { hasCredentials, isSafeUrl, NO_CREDENTIALS, parseUrl } from './http.ts';
import type { RoleRule } from './roles.ts';

/* The types of settings: each reads one value of the environment or says what is wrong with it. */

export const text = z.string();
export const like = (pattern: RegExp, message: string) => z.string().regex(pattern, message);
export const atLeast8 = z.string().min(8, 'must have at least 8 characters');
export const channel = like(
  /^[CG][A-Z0-9]+$/,
  "must be a channel id (C…), not a name; Slack shows it at the end of the channel's details",
);
export const oneOf = <const T extends readonly string[]>(...values: T) =>
  z.enum(values, { error: `must be ${values.length > 2 ? `one of ${values.join(', ')}` : values.join(' or ')}` });
export const flag = z
  .enum(['true', 'false', '1', '0'], { error: 'must be true, false, 1 or 0' })
  .transform((value) => value === 'true' || value === '1');
export const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);
export const list = z.string().transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

const url = (isValid: (value: string) => boolean, message: string) =>
  z
    .string()
    .refine(isValid, message)
    .refine((value) => !hasCredentials(value), NO_CREDENTIALS);
export const safeUrl = (example: string) =>
  url(isSafeUrl, `must be an https:// URL (http:// only on loopback), for example ${example}`);
export const webUrl = (example: string) =>
  url(
    (value) => /^https?:$/.test(parseUrl(value)?.protocol ?? ''),
    `must be an https:// or http:// URL, for example ${example}`,
  );
/** A URL without a query and a fragment. */
export const base = (type: z.ZodString, why: string) =>
  type.refine((value) => !/[?#]/.test(value), `must have no query and no fragment, because ${why}`);
export const databaseUrl = z
  .string()
  .refine(
    (url) => /^postgres(ql)?:\/\//.test(url) && parseUrl(url) !== undefined,
    'must be postgres://user:password@host/database, with / # ? @ in the password percent-encoded (%2F %23 %3F %40)',
  );
/** Other programs take a proxy without its scheme, so `proxy:3128` is read as they read it. A word alone is a slip. */
export const proxyUrl = z
  .string()
  .transform((value) => (value.includes('://') || !/[.:]/.test(value) ? value : `http://${value}`))
  .refine((value) => /^https?:\/\/[^/]+\/?$/.test(value) && parseUrl(value) !== undefined, {
    message:
      'must be http://host:port or https://host:port, with a user name and password before the host if it asks for them (http://user:password@host:port)',
  });
/** Host names as the Host header has them, so that each can match one. */
export const hostNames = list.transform((given, context) =>
  given.map((name) => {
    const url = parseUrl(`http://${name}`);
    if (url?.href === `http://${url?.hostname}/` && /^[\w.[\]:-]+$/.test(url.hostname)) return url.hostname;
    context.addIssue({
      code: 'custom',
      message: 'must be host names without scheme, port or path, separated by commas',
    });
    return name;
  }),
);
/** Other programs read these as well, each its own patterns (`*.local`, `<local>`), so only what none of them reads is refused. */
export const hosts = z
  .string()
  .transform((value) => value.split(/[,\s]+/).filter((host) => host !== ''))
  .refine((names) => names.every((name) => /^[\p{L}\p{N}_.*:/[\]<>%-]+$/u.test(name) && /[\p{L}\p{N}*]/u.test(name)), {
    message: 'must be host names, addresses or networks (10.0.0.0/8), separated by commas, or *',
  });
export const zone = z.string().refine(
  (value) => {
    // The default is not looked up, because reading the time zones takes a tenth of a start.
    if (value === 'UTC') return true;
    try {
      new Intl.DateTimeFormat('en', { timeZone: value });
      return true;
    } catch {
      return false;
    }
  },
  { message: 'must be an IANA time zone, for example UTC or America/Denver' },
);
export const who = list.refine((ids) => ids.every((id) => id === '*' || /^[USW][A-Z0-9]+$/.test(id)), {
  message: 'must be user ids U…, user-group ids S… or *, separated by commas',
});
export const ways = list.transform((given, context): Way[] => {
  const found = WAYS.filter((way) => given.includes(way));
  if (given.length > 0 && given.every((way) => found.some((known) => known === way))) return found;
  context.addIssue({ code: 'custom', message: `must be among ${WAYS.join(', ')}, separated by commas` });
  return z.NEVER;
});
export const keys32 = list.refine(
  (keys) => keys.length > 0 && keys.every((key) => Buffer.from(key, 'base64').length === 32),
  {
    message:
      'must be 32 bytes in base64, or several such keys separated by commas; generate one with: openssl rand -base64 32',
  },
);
export const tokens = list.transform((entries, context) => {
  const read = entries.map((entry) => {
    const [name = '', role = '', ...rest] = entry.split(':');
    const token = rest.join(':');
    // Other characters cannot be sent in a header.
    if (name === '' || !['viewer', 'operator', 'approver'].includes(role) || !/^[!-~]{8,}$/.test(token)) {
      context.addIssue({
        code: 'custom',
        message:
          'must be name:role:token entries separated by commas; roles are viewer, operator, approver; a token has at least 8 letters, digits or signs of ASCII, without spaces',
      });
    }
    return { name, role: role as Role, token };
  });
  // A name is an identity and a token belongs to one: with duplicates, it would be unclear who confirmed.
  for (const [at, { name, token }] of read.entries()) {
    if (read.findIndex((one) => one.name === name) < at)
      context.addIssue({ code: 'custom', message: `contains the name ${name} twice; give each entry its own name` });
    const first = read.findIndex((one) => one.token === token);
    if (first < at)
      context.addIssue({
        code: 'custom',
        message: `has the same token for ${read[first]?.name} and ${name}; give each entry its own token`,
      });
  }
  return read;
});
const NO_ROLE_RULE =
  'must be claim=value:role entries separated by commas, for example groups=support:operator; roles are viewer, operator, approver';
export const roleRules = list.transform((entries, context): RoleRule[] => {
  if (entries.length === 0) context.addIssue({ code: 'custom', message: NO_ROLE_RULE });
  return entries.flatMap((entry) => {
    // A value may hold colons, a claim's name may not hold an equals sign.
    const [, claim = '', value = '', role = ''] = /^([^=]+)=(.+):([^:]+)$/.exec(entry) ?? [];
    if (['viewer', 'operator', 'approver'].includes(role)) return [{ claim, value, role: role as Role }];
    context.addIssue({ code: 'custom', message: NO_ROLE_RULE });
    return [];
  });
});
