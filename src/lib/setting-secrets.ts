import type { Config } from './config.ts';
import { listSettings, type Setting } from './settings.ts';
import { parseUrl } from './url.ts';

/**
 * The secrets of a configuration, for redaction by value. Short ones are replaced only as whole words (lib/hide.ts).
 */
export function settingSecrets(config: Partial<Config>): string[] {
  return listSettings()
    .flatMap(({ name, secret }) => (secret === undefined ? [] : SECRETS[secret](config[name])))
    .filter((secret) => secret !== '');
}

const SECRETS: Readonly<Record<NonNullable<Setting['secret']>, (value: unknown) => string[]>> = {
  value: (value) => [value].flat().filter((one) => typeof one === 'string'),
  tokens: (value) => (Array.isArray(value) ? value.map(({ token }: { token: string }) => token) : []),
  // The password as written and decoded.
  password: (value) => {
    const password = typeof value === 'string' ? parseUrl(value)?.password : undefined;
    return password === undefined ? [] : [password, decoded(password)];
  },
};

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The password is not percent-encoded, so it is used as written.
    return text;
  }
}
