import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { openInbox } from '../../events/inbox.ts';
import { eventHealth } from '../../events/metrics.ts';
import { SLACKBOT_SCOPE } from '../../language/assistants/slackbot.ts';
import { errorWords, failureText } from '../../language/failure.ts';
import { systemClock } from '../../lib/clock.ts';
import { type Config, ConfigError, colourEnvironment, unsafeListening } from '../../lib/config.ts';
import { accessProblem, dataFile } from '../../lib/data-dir.ts';
import { CHECK_MS, CLOCK_SKEW_MS, FETCH_MS } from '../../lib/durations.ts';
import { asSwitchboardError } from '../../lib/errors.ts';
import { isRecord } from '../../lib/json.ts';
import { Proxies } from '../../lib/proxies.ts';
import { hasColours, styleOf } from '../../lib/style.ts';
import { createClient } from '../../platform/client.ts';
import { onTerminal } from '../../surfaces/cli/prose.ts';
import { Jobs } from '../../work/jobs.ts';
import { modelOf } from '../assistant.ts';
import { demoData } from '../demo.ts';
import { DATA_FILE, openInstallation } from '../installation.ts';
import { checkOAuth } from '../oauth/check.ts';
import { readSettingsQuietly } from '../settings.ts';
import { proxyLines } from './doctor-proxies.ts';
import { registrationHealth } from './doctor-registration.ts';
import { sealHealth } from './doctor-seal.ts';

/** Width of `ok  ` and `FAIL` before each line. */
const MARK = 4;

/** `switchboard doctor`: prints one line for each check, and returns 1 if one fails. It changes nothing. */
export async function doctor(): Promise<number> {
  let failed = 0;
  const style = styleOf(hasColours(process.stdout, colourEnvironment()));
  const say = (ok: boolean, what: string, detail: string) => {
    if (!ok) failed += 1;
    const line = onTerminal(`${ok ? 'ok  ' : 'FAIL'} ${what}: ${detail}`, process.stdout, MARK);
    process.stdout.write(`${(ok ? style.green : style.red)(line.slice(0, MARK))}${line.slice(MARK)}\n`);
  };
  let config: Config;
  try {
    config = readSettingsQuietly();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const line of error.message.split('\n')) say(false, 'settings', line);
    return 1;
  }
  const from = config.settingsFile === undefined ? 'from the environment' : `from ${config.settingsFile}`;
  if (config.unknownSettings.length === 0) say(true, 'settings', `all valid, ${from}`);
  for (const { name, nearest, place } of config.unknownSettings) {
    const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
    say(false, 'settings', `${name} is not a setting${hint} (${place})`);
  }
  checkData(config, say);
  for (const line of proxyLines(config)) say(true, 'proxy', line);
  await checkPlatform(config, say);
  await checkSlack(config, say);
  await checkAssistant(config, say);
  await checkOAuth(config, say);
  await checkEvents(config, say);
  await checkServer(config, say);
  await checkDatabase(config, say);
  const seal = await sealHealth(config);
  if (seal !== undefined) say(seal.ok, 'sealing key', seal.line);
  return failed === 0 ? 0 : 1;
}

/** Checks that the data folder can be used, and that its files are private. */
function checkData({ DATA_DIR }: Config, say: Say): void {
  const isThere = existsSync(DATA_DIR);
  const problem = accessProblem(isThere ? DATA_DIR : nearestFolder(DATA_DIR));
  if (problem !== undefined) {
    const what = isThere ? 'written to' : 'created';
    say(false, 'data', `${DATA_DIR} cannot be ${what} (${problem}); set DATA_DIR to a folder of your own`);
    return;
  }
  if (!isThere) {
    say(true, 'data', `${DATA_DIR} is created when it is first needed`);
    return;
  }
  const listed = process.platform !== 'win32' && (statSync(DATA_DIR).mode & 0o077) !== 0;
  const state = listed ? 'can be listed by other users until the next start' : 'is private to this user';
  say(true, 'data', `${DATA_DIR} ${state}`);
}

/** The nearest folder above a path that exists. */
function nearestFolder(path: string): string {
  const above = dirname(path);
  return existsSync(above) || above === path ? above : nearestFolder(above);
}

/** Checks version, rights, clock and tables of DATABASE_URL, without changing anything. */
async function checkDatabase(config: Config, say: Say): Promise<void> {
  if (config.DATABASE_URL === undefined)
    return say(true, 'database', `none configured: state is kept in an SQLite file in ${config.DATA_DIR}`);
  const store = await openInstallation(config, { clock: systemClock, log: () => undefined });
  try {
    const { version, clockDifferenceMs, mayCreateTables, tables } = await store.health();
    say(isSupported(version), 'database', `${version}${isSupported(version) ? '' : '; version 13 or later is needed'}`);
    if (!mayCreateTables)
      say(
        tables === 'current',
        'database rights',
        'the user may not create tables in its schema; GRANT CREATE ON SCHEMA',
      );
    if (tables === 'other') say(false, 'database tables', 'belong to another version of Switchboard');
    else
      say(true, 'database tables', tables === 'missing' ? 'are made at the next start' : 'are those of this version');
    const seconds = Math.round(Math.abs(clockDifferenceMs) / 1000);
    if (Math.abs(clockDifferenceMs) > CLOCK_SKEW_MS)
      say(false, 'database clock', `differs by ${seconds} s from this machine's; the database's counts. Set up NTP`);
  } catch (error) {
    const { message, detail } = asSwitchboardError(error);
    say(false, 'database', detail === undefined ? message : `cannot be used (${detail.replace(/^database: /, '')})`);
  } finally {
    await store.close();
  }
  return undefined;
}

function isSupported(version: string): boolean {
  return Number(/\d+/.exec(version)?.[0]) >= 13;
}

/** Checks whether `start` accepts these settings, and whether it is running. */
async function checkServer(config: Config, say: Say): Promise<void> {
  const unsafe = unsafeListening(config);
  if (unsafe !== undefined) return say(false, 'server', unsafe);
  if (config.PORT === 0) return say(true, 'server', 'PORT is 0: start takes a free port');
  const host = config.HOST.includes(':') ? `[${config.HOST.replace(/[[\]]/g, '')}]` : config.HOST;
  const url = `http://${/^(0\.0\.0\.0|\[::\])$/.test(host) ? '127.0.0.1' : host}:${config.PORT}`;
  try {
    const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(CHECK_MS) });
    const body: unknown = await answer.json();
    const ours = answer.ok && isRecord(body) && 'ok' in body;
    return say(ours, 'server', ours ? `runs on ${url}` : `something else answers on ${url}; set PORT to a free port`);
  } catch {
    return say(true, 'server', `does not run on ${url}; switchboard start starts it`);
  }
}

type Say = (ok: boolean, what: string, detail: string) => void;

async function checkPlatform(config: Config, say: Say): Promise<void> {
  if (config.demo) {
    const data = demoData(config);
    const kept = data === undefined ? 'it starts with new data' : `its data are kept in ${data}`;
    return say(true, 'platform', `demo mode, no PLATFORM_* settings: the embedded sandbox is used; ${kept}`);
  }
  const client = createClient({
    baseUrl: config.PLATFORM_BASE_URL ?? '',
    accountKey: config.PLATFORM_ACCOUNT_KEY ?? '',
    accountSecret: config.PLATFORM_ACCOUNT_SECRET ?? '',
    timeZone: config.PLATFORM_TIME_ZONE,
    requestsPerMinute: config.PLATFORM_REQUESTS_PER_MINUTE,
    timeoutMs: Math.min(config.PLATFORM_TIMEOUT_MS, FETCH_MS),
    clock: systemClock,
    proxies: new Proxies(config),
  });
  try {
    const { tokenExpiry, Warning } = await client.token('/v1.0/numbers/inventory', {
      priority: 'person',
      deadline: Date.now() + FETCH_MS,
    });
    const zone = config.PLATFORM_TIME_ZONE;
    const until = Warning === undefined ? `; the token lasts until ${tokenExpiry} (${zone})` : '';
    say(true, 'platform', `${config.PLATFORM_BASE_URL} accepts the credentials${until}`);
    if (Warning !== undefined) say(false, 'platform token', Warning);
    const registration = await registrationHealth(config, client);
    if (registration !== undefined) say(registration.ok, 'registration', registration.line);
  } catch (error) {
    say(false, 'platform', failureText(asSwitchboardError(error).face, 'terminal'));
  } finally {
    await client.close();
  }
}

const NEEDED_SCOPES = ['commands', 'chat:write', 'im:write', 'users:read'];
/** Without these scopes everything works, but a message may appear twice after a late answer of Slack. */
const HISTORY_SCOPES = ['channels:history', 'groups:history', 'im:history', 'mpim:history'];
/** Scopes for files, with what is missing without them. */
const FILES_SCOPES: readonly (readonly [string, string])[] = [
  ['files:write', "an eSIM's QR code is shown as text only, and the rows of a batch cannot be sent as CSV"],
  ['files:read', 'a batch takes its list as typed lines only, not as a CSV file'],
];

async function checkSlack(config: Config, say: Say): Promise<void> {
  if (config.SLACK_BOT_TOKEN === undefined)
    return say(true, 'slack', config.demo ? 'not configured: the playground page stands in for it' : 'not configured');
  const base = config.SLACK_API_URL ?? 'https://slack.com/api/';
  try {
    const answer = await new Proxies(config).fetch(new URL('auth.test', base.endsWith('/') ? base : `${base}/`), {
      method: 'POST',
      headers: { authorization: `Bearer ${config.SLACK_BOT_TOKEN}` },
      signal: AbortSignal.timeout(FETCH_MS),
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
        `cannot be read, so a message may appear twice after a late response from Slack; scopes are missing: ${unread.join(', ')}; reinstall the app from manifest.json`,
      );
    const files = FILES_SCOPES.filter(([scope]) => scopes.length > 1 && !scopes.includes(scope));
    for (const [scope, effect] of files)
      say(true, 'slack files', `${effect}; the scope ${scope} is missing; reinstall the app from manifest.json`);
    // Slack signs requests to the address that the manifest declares with --url, which is https.
    const isReachable = config.SLACK_SIGNING_SECRET !== undefined && config.PUBLIC_URL?.startsWith('https:') === true;
    if (isReachable && scopes.length > 1 && !scopes.includes(SLACKBOT_SCOPE))
      say(
        true,
        'slackbot',
        `cannot call the tools: the scope ${SLACKBOT_SCOPE} is missing; reinstall the app from switchboard manifest --url ${config.PUBLIC_URL}`,
      );
  } catch (error) {
    say(false, 'slack', `cannot be reached: ${error instanceof Error ? error.message : String(error)}`);
  }
  return undefined;
}

/** Asks the model for one word, so that the address, the key and the model's name are checked together. */
async function checkAssistant(config: Config, say: Say): Promise<void> {
  const model = modelOf(config);
  if (!model) return say(true, 'assistant', 'no model is set (ASSISTANT_MODEL): the catalogue answers plain words');
  const { probeModel } = await import('../../assistant/probe.ts');
  const failure = await probeModel(model, systemClock);
  if (failure === undefined) return say(true, 'assistant', `${model.model} answers`);
  return say(false, 'assistant', `${model.model} (${model.api}): ${failureText(failure, 'terminal')}`);
}

const NONE_YET = 'none received yet; switchboard webhooks sync has the platform deliver them here';

/** Checks for events on the dead-letter list. */
async function checkEvents(config: Config, say: Say): Promise<void> {
  if (config.DATABASE_URL === undefined && !existsSync(dataFile(config, DATA_FILE)))
    return say(true, 'events', NONE_YET);
  const store = await openInstallation(config, { clock: systemClock, log: () => undefined });
  try {
    const { tables } = await store.health();
    // Reading the inbox would create the tables.
    if (tables === 'missing') return say(true, 'events', NONE_YET);
    const { clock } = store;
    const jobs = new Jobs({ database: store.database('ledger'), clock, owner: 'switchboard doctor' });
    const inbox = openInbox({ database: store.database('events'), clock, jobs });
    const { ok, line } = await eventHealth(inbox, clock);
    say(ok, 'events', line);
  } catch (error) {
    say(false, 'events', `the inbox cannot be read: ${errorWords(error)}`);
  } finally {
    await store.close();
  }
  return undefined;
}
