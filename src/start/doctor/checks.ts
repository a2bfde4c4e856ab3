import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { operations } from '../../../tools/index.ts';
import { Inbox } from '../../events/inbox.ts';
import { deliveryUrls, eventsMissing, latestRegistration, ownWebhook, readRegistered } from '../../events/sync.ts';
import { approvalOf, waysFor } from '../../gate/approval.ts';
import { errorWords, failureText } from '../../language/outcome.ts';
import { createSeal, keyFile, storedKeys } from '../../ledger/seal.ts';
import { CHECK_MS, FETCH_MS, MINUTE_MS, REACH_MS, systemClock } from '../../lib/clock.ts';
import {
  accessProblem,
  type Config,
  dataFile,
  excessBudget,
  isOwn,
  NO_SETTINGS_FILE,
  readSettingsFile,
  unsafeListening,
} from '../../lib/config.ts';
import { causeOf } from '../../lib/errors.ts';
import { fetchDirect, Proxies } from '../../lib/proxies.ts';
import { defined, isRecord, textOf, urlHost } from '../../lib/values.ts';
import { type Client, createClient, readExpiry } from '../../platform/client.ts';
import { isStoreUnavailable, readOrElse } from '../../store/key-values.ts';
import { NUMBER } from '../../store/schema.ts';
import type { Store } from '../../store/types.ts';
import { localTime } from '../../surfaces/cli/table.ts';
import { RETURN_PATH } from '../../surfaces/web/session.ts';
import { Jobs } from '../../work/jobs.ts';
import { modelOf } from '../assistant.ts';
import {
  DATA_FILE,
  differences,
  hasSameKey,
  openInstallation,
  otherKey,
  otherPlatform,
  platformOf,
  readBinding,
} from '../installation.ts';
import { loadOAuth } from '../oauth/index.ts';

/**
 * The result of one check. `ok`: it works, or it is not configured. `warn`: it works, with a loss or a risk that the
 * line names. `FAIL`: it does not work.
 */
export type Verdict = 'ok' | 'warn' | 'FAIL';

/** One line of `switchboard doctor`. `what` is left out where it is the name of the check. */
export type Finding = readonly [verdict: Verdict, detail: string, what?: string];

/** Checks a part of an installation and changes nothing. An error that it throws is its failure. */
export type Check = (config: Config) => Iterable<Finding> | AsyncIterable<Finding>;

/** Names unknown and repeated settings, and a settings file that other users can read or change. */
export function* checkSettings(config: Config): Iterable<Finding> {
  const { settingsFile, unknownSettings } = config;
  if (unknownSettings.length === 0) yield ['ok', `all valid, from ${settingsFile ?? 'the environment'}`];
  for (const { name, nearest, place } of unknownSettings)
    yield ['warn', `${name} is not a setting${nearest === undefined ? '' : `; did you mean ${nearest}?`} (${place})`];
  const excess = excessBudget(config);
  if (excess !== undefined) yield ['warn', excess];
  const { repeated } = settingsFile === undefined ? NO_SETTINGS_FILE : readSettingsFile(settingsFile);
  for (const [name, lines] of Object.entries(repeated))
    yield ['warn', `${name} stands on the lines ${lines.join(' and ')} of ${settingsFile}; the last one counts`];
  const found = statSync(settingsFile ?? '', { throwIfNoEntry: false });
  if (found === undefined || process.platform === 'win32') return undefined;
  const mode = (found.mode & 0o777).toString(8).padStart(4, '0');
  const whatFor = (found.mode & 0o022) === 0 ? 'read' : 'changed';
  // Group members may read it, as a service's group does, but only its owner may change it.
  const isOpen = (found.mode & 0o026) !== 0;
  const problem = isOpen
    ? `can be ${whatFor} by other users (mode ${mode}); chmod 600 ${settingsFile}`
    : `belongs to another user (uid ${found.uid}), who can change the settings`;
  if (isOpen || (!isOwn(found) && found.uid !== 0)) yield ['warn', `${settingsFile} ${problem}`, 'settings file'];
  return undefined;
}

/** Reads the ways to confirm from the settings. */
export function* checkConfirmations(config: Config): Iterable<Finding> {
  const approval = approvalOf(config);
  const ways = waysFor('', undefined, approval).filter(({ way }) => way === 'slack' || way === 'page');
  const open = ways.filter(({ reason }) => reason === undefined).map(({ way }) => way);
  const reasons = ways.map(({ way, reason }) => `${way}: ${reason}`).join('; ');
  const wayOut = 'set SLACK_APPROVERS, or an approver in MCP_HTTP_TOKENS (name:approver:token)';
  // The user of a client or of a terminal answers only what they asked for themselves.
  const own = approval.twoPerson ? [] : approval.via.filter((way) => way === 'client' || way === 'terminal');
  const user = `the user of a ${own.join(' or ')}`;
  const beside = own.length > 0 ? `; ${user} confirms what they asked for there` : '';
  if (open.length > 0) yield ['ok', `confirm by ${open.join(' and ')}${beside}`];
  else if (own.length > 0) yield ['warn', `only ${user} may confirm (${reasons}); ${wayOut}`];
  else yield ['FAIL', `nobody may confirm what needs an approver (${reasons}); ${wayOut}`];
}

/** Checks whether `start` accepts these settings, whether it is running, and whether PUBLIC_URL leads to it. */
export async function* checkServer(config: Config): AsyncIterable<Finding> {
  const unsafe = unsafeListening(config);
  if (unsafe !== undefined) return yield ['FAIL', unsafe];
  const host = /^(0\.0\.0\.0|::)$/.test(config.HOST) ? '127.0.0.1' : config.HOST;
  const url = `http://${urlHost(host)}:${config.PORT}`;
  const problem = config.PORT === 0 ? 'PORT is 0' : await problemOf(url, fetchDirect);
  if (config.PORT === 0) yield ['ok', 'PORT is 0: start takes a free port'];
  else if (problem === undefined) yield ['ok', `runs on ${url}`];
  else if (problem === ANOTHER) yield ['FAIL', `something else answers on ${url}; set PORT to a free port`];
  else yield ['ok', `does not run on ${url}; switchboard start starts it`];
  const { PUBLIC_URL: address } = config;
  if (address === undefined) return undefined;
  const what = 'server address';
  const outside = await problemOf(address, new Proxies(config).fetch);
  if (outside === undefined) return yield ['ok', `PUBLIC_URL ${address} leads to a server of Switchboard`, what];
  const effect = 'links in cards and the events of the platform go there';
  // Without a running server, a proxy in front of it has nothing to answer with.
  return yield [problem === undefined ? 'FAIL' : 'warn', `PUBLIC_URL ${address}: ${outside}; ${effect}`, what];
}

const ANOTHER = 'something other than Switchboard answers';

/** The reason why no server of Switchboard answers at an address; undefined if one does. */
async function problemOf(address: string, fetchFrom: typeof fetch): Promise<string | undefined> {
  try {
    const answer = await fetchFrom(`${address}/healthz`, { signal: AbortSignal.timeout(CHECK_MS) });
    // Another program may answer with something that is no JSON.
    const body: unknown = await answer.json().catch(() => undefined);
    return answer.ok && isRecord(body) && 'ok' in body ? undefined : ANOTHER;
  } catch (error) {
    return `it cannot be reached from this computer (${causeOf(error)})`;
  }
}

/** Names each proxy in force, and what is reached directly, of the servers that these settings name. */
export function* checkProxies(config: Config): Iterable<Finding> {
  if (config.HTTPS_PROXY === undefined && config.HTTP_PROXY === undefined)
    return yield ['ok', 'none is set (HTTPS_PROXY, HTTP_PROXY): other servers are reached directly'];
  const proxies = new Proxies(config);
  const servers: Record<string, string | undefined | false> = {
    'the platform': config.PLATFORM_BASE_URL,
    Slack: config.SLACK_BOT_TOKEN !== undefined && (config.SLACK_API_URL ?? 'https://slack.com/api/'),
    'the model': config.ASSISTANT_MODEL !== undefined && (config.ASSISTANT_URL ?? 'https://api.anthropic.com/v1'),
    OAuth: config.MCP_OAUTH_ISSUER,
  };
  for (const [name, url] of Object.entries(servers)) {
    if (!url) continue;
    const proxy = proxies.of(url);
    const way = proxy === undefined ? 'reached directly' : `reached through ${proxy.url} (${proxy.setting})`;
    yield ['ok', `${name} ${new URL(url).host}: ${way}`];
  }
  return undefined;
}

/** Checks the credentials and the registration for events. */
export async function* checkPlatform(config: Config): AsyncIterable<Finding> {
  if (config.demo) return yield ['ok', 'demo mode, no PLATFORM_* settings: the embedded sandbox is used'];
  // The check of the database says why it cannot be used.
  const store = await storeOf(config).catch(() => null);
  const clock = store?.clock ?? systemClock;
  const client = createClient({
    ...platformOf(config),
    timeoutMs: Math.min(config.PLATFORM_TIMEOUT_MS, FETCH_MS),
    reachMs: REACH_MS,
    clock,
    // The requests of this command count in the budget of all processes.
    ...defined({ database: store?.database('budget') }),
  });
  try {
    const { tokenExpiry, Warning } = await client.token('/v1.0/numbers/inventory', {
      priority: 'person',
      deadline: clock.now() + FETCH_MS,
    });
    const end = Warning === undefined ? readExpiry(tokenExpiry, config.PLATFORM_TIME_ZONE) : undefined;
    const until = end === undefined ? '' : `; the token lasts until ${localTime(end)}`;
    yield ['ok', `${config.PLATFORM_BASE_URL} accepts the credentials${until}`];
    if (Warning !== undefined) yield ['warn', Warning, 'platform token'];
    const uncompared: Finding = ['FAIL', 'not compared, because the database cannot be used', 'registration'];
    const registration =
      store === null ? uncompared : await readOrElse(registrationFinding(config, client, store), uncompared);
    if (registration !== undefined) yield registration;
  } finally {
    await client.close();
    await store?.close();
  }
  return undefined;
}

const SYNC = 'switchboard webhooks sync';

/**
 * Reads what the platform delivers, as `webhooks sync` does, and compares it with this server. It changes nothing.
 *
 * @returns undefined if there is no address to compare with: nothing was registered and PUBLIC_URL is not set
 * @throws SwitchboardError where the platform cannot be read
 */
export async function registrationFinding(
  config: Config,
  client: Pick<Client, 'send'>,
  store?: Store,
): Promise<Finding | undefined> {
  const what = 'registration';
  const clock = store?.clock ?? systemClock;
  const made = store && (await latestRegistration(store.database('events'), config.PLATFORM_BASE_URL ?? ''));
  const url = made?.url ?? config.PUBLIC_URL;
  if (url === undefined) return undefined;
  const accountId = made?.accountId ?? config.PLATFORM_ACCOUNT_ID;
  const registered = await readRegistered({
    accountId,
    namedAccountId: made?.accountId,
    messageRoutes: [],
    read: (id, input) => {
      const operation = operations.find((one) => one.id === id);
      if (operation?.risk !== 'read') throw new Error(`${id} is not a reading operation`);
      const { method, path } = operation;
      const deadline = clock.now() + FETCH_MS;
      return client.send({ method, path, input, read: true, resend: true, priority: 'person', deadline });
    },
  });
  const { webhook: address, messages } = deliveryUrls(url);
  const own = ownWebhook({ url, accountId, registered, made: made?.webhookId === undefined ? [] : [made.webhookId] });
  if (own === undefined)
    return [made === undefined ? 'ok' : 'FAIL', `no webhook delivers to ${address}; ${SYNC} registers one`, what];
  const missing = eventsMissing(own);
  const isHere = own.WebhookUrl === address;
  const problem = isHere
    ? `does not deliver ${missing.join(', ')}`
    : `delivers to ${textOf(own.WebhookUrl)} instead of ${address}`;
  if (!isHere || missing.length > 0)
    return ['FAIL', `webhook ${own.WebhookId} ${problem}; ${SYNC} shows the difference`, what];
  const { routes } = registered;
  const here = routes.filter(({ MessageUrl }) => MessageUrl === messages).length;
  const counted = `${here} of ${routes.length} message routes deliver here`;
  return ['ok', `webhook ${own.WebhookId} delivers all events to ${address}; ${counted}`, what];
}

/** The store of this installation; undefined if it has no tables of this version, because reading would make or raise them. */
async function storeOf(config: Config): Promise<Store | undefined> {
  if (config.DATABASE_URL === undefined && !existsSync(dataFile(config, DATA_FILE))) return undefined;
  const store = await openInstallation(config);
  let isOpen = false;
  try {
    if ((await store.number()) !== NUMBER) return undefined;
    await store.database('ledger').ready();
    isOpen = true;
    return store;
  } finally {
    if (!isOpen) await store.close();
  }
}

const OTHER_MODEL = 'set ASSISTANT_MODEL to a model that calls tools';

/** Asks the model for one call of a tool, so that address, key, name and tools are checked together. */
export async function* checkAssistant(config: Config): AsyncIterable<Finding> {
  const model = modelOf(config);
  if (!model) return yield ['ok', 'no model is set (ASSISTANT_MODEL): the catalogue answers plain words'];
  const { probeModel } = await import('../../assistant/model.ts');
  const result = await probeModel(model, systemClock);
  const answers = `${model.model} answers`;
  const noCall = 'called no tool when it was asked to, so it may answer without a look';
  if (result.kind === 'calls') yield ['ok', `${answers}, and calls tools`];
  else if (result.kind === 'words') yield ['warn', `${answers}, but ${noCall}; ${OTHER_MODEL}`];
  else if (result.kind === 'no_tools') {
    const effect = `its endpoint refuses tools (${result.status}), so the catalogue answers instead`;
    yield ['FAIL', `${answers}, but ${effect}; ${OTHER_MODEL}`];
  } else if (result.kind === 'failed') {
    const where = model.url === undefined ? "Anthropic's own address" : new URL(model.url).origin;
    const look = `Check ASSISTANT_URL (${where}), ASSISTANT_MODEL, ASSISTANT_KEY and ASSISTANT_API.`;
    // Its next step is for users of the assistant, and leads to this command.
    const { next: _, ...failure } = result.failure;
    yield ['FAIL', `${model.model} (${model.api}): ${failureText(failure, 'terminal')} ${look}`];
  }
  return undefined;
}

/** Checks that the OAuth issuer answers, has keys, and can sign people in. Says what has to be registered there. */
export async function* checkOAuth(config: Config): AsyncIterable<Finding> {
  const url = config.PUBLIC_URL ?? `http://${config.HOST}:${config.PORT}`;
  const oauth = await loadOAuth(config, { url, clock: systemClock, log: () => undefined });
  if (!oauth) return undefined;
  const { MCP_OAUTH_ISSUER: issuer, MCP_OAUTH_AUDIENCE: audience = '' } = config;
  const { client: issuerClient, keys } = await oauth.provider.current();
  const metadata = issuerClient.serverMetadata();
  const count = keys.jwks().keys.length;
  const asked = `; clients ask for tokens for ${oauth.resource}, and the issuer must put ${audience} into aud`;
  const differs = oauth.resource === audience ? '' : asked;
  if (count === 0) yield ['FAIL', `${issuer} publishes no keys, so no token can be checked`];
  else yield ['ok', `${issuer} answers with ${count} ${count === 1 ? 'key' : 'keys'}${differs}`];
  const client = config.MCP_OAUTH_CLIENT_ID ?? audience;
  const signIn = 'oauth sign-in';
  if (metadata.authorization_endpoint !== undefined && metadata.token_endpoint !== undefined)
    yield ['ok', `register the client ${client} with the redirect URI ${url}${RETURN_PATH}`, signIn];
  else yield ['FAIL', `${issuer} has no authorization or token endpoint, so nobody can sign in on the page`, signIn];
  return undefined;
}

/** Checks that the data folder can be used, and that its files are private. */
export function* checkData({ DATA_DIR }: Config): Iterable<Finding> {
  const isThere = existsSync(DATA_DIR);
  const problem = accessProblem(isThere ? DATA_DIR : nearestFolder(DATA_DIR));
  const what = isThere ? 'written to' : 'created';
  if (problem !== undefined)
    yield ['FAIL', `${DATA_DIR} cannot be ${what} (${problem}); set DATA_DIR to a folder of your own`];
  else if (!isThere) yield ['ok', `${DATA_DIR} is created when it is first needed`];
  else if (process.platform !== 'win32' && (statSync(DATA_DIR).mode & 0o077) !== 0)
    yield ['warn', `${DATA_DIR} can be listed by other users until the next start; chmod 700 ${DATA_DIR}`];
  else yield ['ok', `${DATA_DIR} is private to this user`];
}

/** The nearest folder above a path that exists. */
function nearestFolder(path: string): string {
  const above = dirname(path);
  return existsSync(above) || above === path ? above : nearestFolder(above);
}

const NONE_YET = 'none received yet; switchboard webhooks sync has the platform deliver them here';

/** Checks the tables of the database, the sealing key, the inbox, and that it takes a write. */
export async function* checkStorage(config: Config): AsyncIterable<Finding> {
  const isFile = config.DATABASE_URL === undefined;
  if (isFile) yield ['ok', `none configured: state is kept in an SQLite file in ${config.DATA_DIR}`];
  if (isFile && !existsSync(dataFile(config, DATA_FILE))) {
    yield await sealingKeyFinding(config, undefined);
    return yield ['ok', NONE_YET, 'events'];
  }
  const store = await openInstallation(config);
  const what = 'database tables';
  try {
    const number = await store.number();
    // Reading would make or raise the tables.
    yield await sealingKeyFinding(config, number === NUMBER ? store : undefined);
    if (number === 0) yield ['ok', NONE_YET, 'events'];
    const next = atNextStart(number, config);
    if (next !== undefined) return yield ['ok', `${next} at the next start`, what];
    await store.database('ledger').ready();
    yield ['ok', 'are those of this version', what];
    yield* checkAgreement(config, store);
    yield await eventsFinding(store);
    // A database that is full, locked or read-only can still be read.
    await store.database('ledger').run('UPDATE installation SET schema = schema');
    await store.check();
    yield ['ok', `reach the ${isFile ? 'SQLite file' : 'database'}`, 'database writes'];
  } catch (error) {
    // The store says that it is away, which waiting may not help. Its cause says why.
    const which = isFile ? '' : 'the database of DATABASE_URL ';
    yield ['FAIL', isStoreUnavailable(error) ? `${which}cannot be used (${causeOf(error)})` : errorWords(error)];
  } finally {
    await store.close();
  }
}

/** What the next start does with stored data of this number; undefined if nothing, or if it is refused. */
function atNextStart(number: number | undefined, { demo }: Config): string | undefined {
  if (number === 0) return 'are made';
  if (number === undefined) return demo ? 'are of an older version: the demo begins anew' : undefined;
  return number < NUMBER ? `are raised from number ${number} to ${NUMBER}` : undefined;
}

/** Checks that the data is about the platform of the settings, and that the running processes have the same settings. */
async function* checkAgreement(config: Config, store: Store): AsyncIterable<Finding> {
  const keys = storedKeys(config.DATA_DIR, config.SEALING_KEY);
  if (keys === undefined) return;
  const seal = createSeal(...keys);
  const stored = await readBinding(store.database('ledger'));
  // What is stored are digests under the sealing key, so nothing can be compared with another one.
  if (hasSameKey(stored, seal) === false) return;
  const problem = otherPlatform(stored, seal, config);
  if (problem !== undefined) yield ['FAIL', problem, 'account of the data'];
  for (const line of await differences(config, seal, store)) yield ['warn', line, 'running processes'];
}

/** Looks for events on the dead-letter list. */
async function eventsFinding(store: Store): Promise<Finding> {
  const { clock } = store;
  const jobs = new Jobs({ database: store.database('ledger'), clock, owner: 'switchboard doctor' });
  const inbox = new Inbox({ database: store.database('events'), clock, jobs });
  const { open, dead, oldestOpenAt = clock.now() } = await inbox.counts();
  const minutes = Math.round((clock.now() - oldestOpenAt) / MINUTE_MS);
  const waiting = open === 0 ? 'none waiting' : `${open} waiting, the oldest for ${minutes} min`;
  const [last] = await inbox.dead(1);
  if (last === undefined) return ['ok', waiting, 'events'];
  const lost = `${dead} on the dead-letter list (last: ${last.stored.event.kind}, ${last.lastError})`;
  return ['FAIL', `${waiting}, ${lost}; see switchboard events list`, 'events'];
}

/**
 * Checks that this installation can read what was sealed. Makes no key.
 *
 * @param store left out if it holds no data yet
 */
async function sealingKeyFinding(config: Config, store: Store | undefined): Promise<Finding> {
  const { SEALING_KEY, DATA_DIR, demo } = config;
  const what = 'sealing key';
  const source = SEALING_KEY === undefined ? keyFile(DATA_DIR) : 'SEALING_KEY';
  const keys = storedKeys(DATA_DIR, SEALING_KEY);
  // For data that was never sealed, any key is right.
  const seal = createSeal(...(keys ?? [new Uint8Array(32)]));
  const isSame = store && hasSameKey(await readBinding(store.database('ledger')), seal);
  if (isSame === undefined)
    return ['ok', keys === undefined ? 'is made at the next start' : `is read from ${source}`, what];
  if (isSame) return ['ok', `${source} is the one that the data was sealed with`, what];
  const problem = otherKey(config);
  if (demo) return ['warn', `the next start of the demo begins with new data: ${problem}`, what];
  return ['FAIL', problem, what];
}
