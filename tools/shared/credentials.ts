import type { Harm, Problem } from '../../src/catalogue/operation.ts';
import type { Fields } from '../../src/lib/json.ts';
import { text } from './before.ts';

/* The credentials with which the platform delivers to a URL. The secrets are write-only (PLATFORM.md, Message route). */

/** The members of one authentication. `secrets`: the secret that each of its types needs. */
export interface Credentials {
  type: string;
  username: string;
  secrets: Readonly<Record<string, string>>;
}

/** A member that the type of an authentication needs. `isStored`: the type is that of the record. */
interface Missing {
  field: string;
  type: string;
  kind: string;
  isStored: boolean;
}

function missingFrom({ type, username, secrets }: Credentials, given: Fields, record: Fields = {}): Missing[] {
  const kind = text(given[type] === undefined ? record[type] : given[type]) ?? 'None';
  const secret = secrets[kind];
  if (secret === undefined) return [];
  const isStored = given[type] === undefined || given[type] === record[type];
  const name = given[username] === undefined ? record[username] : given[username];
  const fields = [...(kind === 'Basic' && !name ? [username] : []), ...(given[secret] ? [] : [secret])];
  return fields.map((field) => ({ field, type, kind, isStored }));
}

/** The members of a new record that its authentication needs, all of them at once. */
export function missingCredentials(input: Fields, all: readonly Credentials[]): Problem[] {
  return all.flatMap((one) =>
    missingFrom(one, input).map(({ field, type, kind }) => ({
      field,
      message: `is needed when ${type} is ${kind}; or use None`,
    })),
  );
}

/**
 * Asks for the secrets that an endpoint which replaces the whole record would lose, and for those that a new type needs,
 * all of them at once. Switching the authentication off is no way out: deliveries would lose it for a mere rename.
 */
export function credentialsAgain(
  record: Fields,
  given: Fields,
  all: readonly Credentials[],
): { field: string; message: string } | undefined {
  const [first, ...others] = all.flatMap((one) => missingFrom(one, given, record));
  if (first === undefined) return undefined;
  const { field, type, kind, isStored } = first;
  const why =
    isStored && given[field] === undefined
      ? 'cannot be read back and could be lost'
      : `is needed when ${type} is ${kind}`;
  const also =
    others.length === 0
      ? ''
      : `, and so ${others.length === 1 ? 'is' : 'are'} ${others.map((one) => one.field).join(', ')}`;
  const them = others.length === 0 ? 'it' : 'them';
  return {
    field,
    message: `${why}${also}: give ${them}, or let a person enter ${them} in the form of this operation`,
  };
}

/** The reasons of the members of one authentication. `subject`: what is delivered with it, in the plural. */
export function credentialHarms(what: string, subject: string) {
  const refused = 'a receiver that expects others refuses them';
  const type: Harm<unknown> = {
    what,
    reason: (kind) =>
      kind === null || kind === 'None'
        ? `${subject} are no longer authenticated: a receiver that expects credentials refuses them.`
        : `${subject} are delivered with the authentication ${String(kind)}: ${refused}.`,
  };
  const secret: Harm<unknown> = {
    what,
    reason: (value) =>
      value === null
        ? `${subject} are delivered without these credentials: a receiver that expects them refuses them.`
        : `${subject} are delivered with the credentials given here: ${refused}.`,
  };
  return { type, secret };
}

/** The reason of another HTTP method. */
export function methodHarm(what: string, subject: string): Harm<unknown> {
  return {
    what,
    reason: (method) =>
      method === null
        ? `${subject} are delivered with a method that the platform chooses.`
        : `${subject} are delivered with ${String(method)}: a receiver that expects another method refuses them.`,
  };
}
