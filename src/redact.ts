/** The one redactor: logs, results, Slack, pages and files go through it. */
export interface Redactor {
  /** A copy without the members whose names are secret, at any depth. */
  strip<T>(value: T): T;
  /** The text with every given secret value replaced. */
  text(text: string, secrets: readonly string[]): string;
  /** The values of secret members, at any depth, for `text`. */
  secretsIn(value: unknown): string[];
  isSecret(name: string): boolean;
}

/** Names that are secret in answers although no input field carries them (contract.md; gaps.md, Inventory). */
const ALWAYS = ['AuthCode', 'token', 'AccountKey', 'AccountSecret', 'PortOutPin', 'Authorization', 'ApiKey'];

/** `names`: the secret fields the catalogue declares. Case does not matter: the platform's spelling varies. */
export function createRedactor(names: Iterable<string>): Redactor {
  const secret = new Set([...ALWAYS, ...names].map((name) => name.toLowerCase()));
  const isSecret = (name: string) => secret.has(name.toLowerCase());
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip);
    if (value === null || typeof value !== 'object') return value;
    const kept: Record<string, unknown> = {};
    for (const [key, member] of Object.entries(value)) if (!isSecret(key)) kept[key] = strip(member);
    return kept;
  };
  const collect = (value: unknown, found: string[], inside: boolean): void => {
    if (Array.isArray(value)) for (const member of value) collect(member, found, inside);
    else if (value !== null && typeof value === 'object')
      for (const [key, member] of Object.entries(value)) collect(member, found, inside || isSecret(key));
    else if (inside && typeof value === 'string' && value.length >= 3) found.push(value);
  };
  return {
    isSecret,
    strip: <T>(value: T) => strip(value) as T,
    text: (text, secrets) =>
      secrets.reduce((kept, value) => (value.length < 3 ? kept : kept.replaceAll(value, '«redacted»')), text),
    secretsIn: (value) => {
      const found: string[] = [];
      collect(value, found, false);
      return found;
    },
  };
}
