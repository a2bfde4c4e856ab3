import type { Problem } from '../../src/catalogue/operation.ts';
import type { Fields } from '../../src/lib/values.ts';
import { sameId, text } from './before.ts';

/* The credentials with which the platform delivers to a URL. The secrets are write-only (PLATFORM.md, Message route). */

/** The members of one authentication. `secrets`: the secret that each of its types needs. */
export interface Credentials {
  type: string;
  username: string;
  secrets: Readonly<Record<string, string>>;
}

/** The members that the type of an authentication needs and that are not given, with that type. */
function missingFrom({ type, username, secrets }: Credentials, given: Fields, record: Fields = {}) {
  const kind = text(given[type] === undefined ? record[type] : given[type]) ?? 'None';
  if (/^none$/i.test(kind)) return [];
  const known = Object.entries(secrets).find(([name]) => sameId(name, kind));
  // A type that is not known, such as Bearer for Token, may have a secret too.
  const secret = known?.[1] ?? Object.values(secrets).at(-1) ?? '';
  const name = given[username] === undefined ? record[username] : given[username];
  const fields = [...(sameId(kind, 'Basic') && !name ? [username] : []), ...(given[secret] ? [] : [secret])];
  return fields.map((field) => ({ field, type, kind }));
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
export function credentialsAgain(record: Fields, given: Fields, all: readonly Credentials[]) {
  const [first, ...others] = all.flatMap((one) => missingFrom(one, given, record));
  if (first === undefined) return undefined;
  const also = others.map(({ field }) => field);
  const way = 'give it, or let a person enter it in the form of this operation';
  const lost = `could be lost${also.map((field) => `, and so is ${field}`).join('')}`;
  return { field: first.field, message: `cannot be read back and ${lost}: ${way}`, also };
}
