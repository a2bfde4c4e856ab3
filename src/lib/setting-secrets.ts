import type { Config } from './config.ts';
import { decoded, parseUrl } from './http.ts';
import { listSettings, type Setting } from './settings.ts';

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
  password: (value) => withDecoded(urlOf(value)?.password),
  login: (value) => {
    const url = urlOf(value);
    if (url === undefined) return SECRETS.value(value);
    return withDecoded(url.password || url.username);
  },
};

function urlOf(value: unknown): URL | undefined {
  return typeof value === 'string' ? parseUrl(value) : undefined;
}

/** A part of a URL as written and decoded. */
function withDecoded(part: string | undefined): string[] {
  return part === undefined ? [] : [part, decoded(part)];
}
