import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import { type Config, ConfigError, loadConfig } from '../config.ts';
import { asSwitchboardError } from '../errors.ts';
import { openInbox } from '../events/inbox.ts';
import { eventHealth } from '../events/metrics.ts';
import { createClient } from '../platform/client.ts';

/** `switchboard doctor`: one line a check, exit 1 if any fails. Nothing is changed anywhere. */
export async function doctor(): Promise<number> {
  let failed = 0;
  const say = (ok: boolean, what: string, detail: string) => {
    if (!ok) failed += 1;
    process.stdout.write(`${ok ? 'ok  ' : 'FAIL'} ${what}: ${detail}\n`);
  };
  let config: Config;
  try {
    config = loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const line of error.message.split('\n')) say(false, 'settings', line);
    return 1;
  }
  say(true, 'settings', 'all valid');
  await checkPlatform(config, say);
  await checkSlack(config, say);
  await checkEvents(config, say);
  say(true, 'redis', 'not used: state is kept in DATA_DIR');
  return failed === 0 ? 0 : 1;
}

type Say = (ok: boolean, what: string, detail: string) => void;

async function checkPlatform(config: Config, say: Say): Promise<void> {
  if (config.demo) return say(true, 'platform', 'demo mode, no PLATFORM_* settings: the embedded sandbox is used');
  const client = createClient({
    baseUrl: config.PLATFORM_BASE_URL ?? '',
    accountKey: config.PLATFORM_ACCOUNT_KEY ?? '',
    accountSecret: config.PLATFORM_ACCOUNT_SECRET ?? '',
    timeZone: config.PLATFORM_TIME_ZONE,
    requestsPerMinute: config.PLATFORM_REQUESTS_PER_MINUTE,
    timeoutMs: Math.min(config.PLATFORM_TIMEOUT_MS, 10_000),
    clock: systemClock,
  });
  try {
    const { tokenExpiry } = await client.token('/v1.0/numbers/inventory', {
      priority: 'person',
      deadline: Date.now() + 15_000,
    });
    say(true, 'platform', `${config.PLATFORM_BASE_URL} accepts the credentials; the token lasts until ${tokenExpiry}`);
  } catch (error) {
    say(false, 'platform', asSwitchboardError(error).message);
  } finally {
    await client.close();
  }
}

const NEEDED_SCOPES = ['commands', 'chat:write', 'im:write', 'users:read'];
/** Without these everything works, but a message may appear twice after Slack answered late. */
const HISTORY_SCOPES = ['channels:history', 'groups:history', 'im:history', 'mpim:history'];

async function checkSlack(config: Config, say: Say): Promise<void> {
  if (config.SLACK_BOT_TOKEN === undefined)
    return say(true, 'slack', 'not configured: the playground page stands in for it');
  const base = config.SLACK_API_URL ?? 'https://slack.com/api/';
  try {
    const answer = await fetch(new URL('auth.test', base.endsWith('/') ? base : `${base}/`), {
      method: 'POST',
      headers: { authorization: `Bearer ${config.SLACK_BOT_TOKEN}` },
      signal: AbortSignal.timeout(10_000),
    });
    const body = (await answer.json()) as { ok: boolean; error?: string; team?: string; user?: string };
    if (!body.ok) return say(false, 'slack', `the bot token is refused: ${body.error ?? answer.status}`);
    const scopes = (answer.headers.get('x-oauth-scopes') ?? '').split(',').map((scope) => scope.trim());
    const missing = scopes.length > 1 ? NEEDED_SCOPES.filter((scope) => !scopes.includes(scope)) : [];
    say(
      missing.length === 0,
      'slack',
      missing.length === 0
        ? `signed in to ${body.team} as ${body.user}`
        : `scopes are missing: ${missing.join(', ')}; reinstall the app from manifest.json`,
    );
    const unread = scopes.length > 1 ? HISTORY_SCOPES.filter((scope) => !scopes.includes(scope)) : [];
    if (unread.length > 0)
      say(
        true,
        'slack history',
        `cannot be read, so a message may appear twice after Slack answered late; scopes are missing: ${unread.join(', ')}; reinstall the app from manifest.json`,
      );
  } catch (error) {
    say(false, 'slack', `cannot be reached: ${error instanceof Error ? error.message : String(error)}`);
  }
  return undefined;
}

const NONE_YET = 'none received yet; switchboard webhooks sync has the platform deliver them here';

/** Events that could not be shown to anybody wait on the dead-letter list. */
async function checkEvents(config: Config, say: Say): Promise<void> {
  const path = join(config.DATA_DIR, config.demo ? 'demo-events.db' : 'events.db');
  if (!existsSync(path)) return say(true, 'events', NONE_YET);
  try {
    const inbox = openInbox({ path, clock: systemClock });
    const { ok, line } = eventHealth(inbox, systemClock);
    say(ok, 'events', line.replace(/^events: /, ''));
    inbox.close();
  } catch (error) {
    say(false, 'events', `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  return undefined;
}
