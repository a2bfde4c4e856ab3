import type { Config } from './config.ts';

/**
 * The secrets of a configuration, for redaction by value. Short ones are replaced only as whole words (lib/hide.ts).
 */
export function settingSecrets(config: Partial<Config>): string[] {
  const single = [
    config.PLATFORM_ACCOUNT_SECRET,
    config.SLACK_BOT_TOKEN,
    config.SLACK_APP_TOKEN,
    config.SLACK_SIGNING_SECRET,
    config.SEALING_KEY,
    config.EVENTS_PASSWORD,
    config.EVENTS_TOKEN,
    config.ASSISTANT_KEY,
    config.MCP_OAUTH_CLIENT_SECRET,
  ];
  return [...single, ...(config.MCP_HTTP_TOKENS ?? []).map(({ token }) => token), ...inUrls(config)].filter(
    (secret): secret is string => secret !== undefined && secret !== '',
  );
}

/** `postgres://user:password@host`: the password, as written and decoded. */
function inUrls(config: Partial<Config>): string[] {
  return Object.values(config).flatMap((value) => {
    if (typeof value !== 'string' || !URL.canParse(value)) return [];
    const { password } = new URL(value);
    return password === '' ? [] : [password, decoded(password)];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The password is not percent-encoded, so it is used as written.
    return text;
  }
}
