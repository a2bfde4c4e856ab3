import { createHash, randomUUID } from 'node:crypto';
import { presets } from '../../tools/groups.ts';
import { tools } from '../../tools/index.ts';
import { batchTemplate, confirmationTemplate, templates } from '../../tools/surfaces/assistants.ts';
import { references } from '../../tools/surfaces/records.ts';
import { Batches } from '../batches/batches.ts';
import { batchQuestion } from '../batches/question.ts';
import { BatchStore } from '../batches/store.ts';
import { isChange, type Listed, mayAsk, select, type Tool } from '../catalogue/operation.ts';
import { inboxHistories } from '../events/history.ts';
import { Inbox } from '../events/inbox.ts';
import type { PlatformEvent } from '../events/parse.ts';
import { Watches } from '../events/watches.ts';
import { approvalOf } from '../gate/approval.ts';
import type { Requesters } from '../gate/confirmation.ts';
import { Gate } from '../gate/gate.ts';
import { type Action, Ledger } from '../ledger/ledger.ts';
import { LATER } from '../ledger/rows.ts';
import type { Seal } from '../ledger/seal.ts';
import {
  CHECK_MS,
  type Clock,
  DAY_MS,
  FETCH_MS,
  HOUR_MS,
  LOOK_MS,
  SECOND_MS,
  sleep,
  systemClock,
} from '../lib/clock.ts';
import type { Config } from '../lib/config.ts';
import { SwitchboardError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { defined, textsIn } from '../lib/values.ts';
import { createClient } from '../platform/client.ts';
import { isPossiblePhone } from '../platform/dialect/phone.ts';
import { createCompletions, orderOf } from '../platform/dialect/verdict.ts';
import type { Token, TokenStore } from '../platform/wire.ts';
import { isStoreUnavailable, levelOf } from '../store/key-values.ts';
import type { Database, Store } from '../store/types.ts';
import { type Changes, createChanges } from '../surfaces/mcp/protocol.ts';
import { HOLD, Jobs } from '../work/jobs.ts';
import { PROCESS, Worker } from '../work/worker.ts';
import { openDemo } from './demo.ts';
import { openInstallation, openLog, openSeal, platformOf, settingDigests, watchAgreement } from './installation.ts';

export interface RuntimeOptions {
  /**
   * URL of the server with the confirmation pages, or what finds it in the opened store; left out where none are served.
   */
  pages?: string | ((opened: { store: Store; seal: Seal }) => Promise<string | undefined>) | undefined;
  /** In demo mode: this process runs the sandbox that others join. */
  host?: boolean;
  /** What this process serves, and so which requesters it knows; left out for a terminal. */
  serves?: 'http' | 'stdio';
  /** Maximum time in which a call tries to reach the platform. By default only the deadline of the call counts. */
  reachMs?: number;
  /** The system's clock if left out. */
  clock?: Clock;
  /** Receives the lines of the log, which go to stderr if this is left out. */
  writeLog?: (line: string) => void;
}

/**
 * Opens the ledger, the client and the gate, and takes over unfinished work of dead processes. In demo mode, joins the
 * sandbox of a running `switchboard start` or starts one.
 */
export async function openRuntime(config: Config, options: RuntimeOptions) {
  const { redactor, log } = openLog(config, options.writeLog);
  const seal = await openSeal(config);
  const demo = config.demo ? await openDemo(config, { host: options.host ?? false, seal, log }) : undefined;
  const store = await openInstallation(config, { clock: options.clock ?? systemClock, log, seal });
  // The clock is the database's, so that all processes agree about what has expired.
  const { clock } = store;
  const owner = randomUUID();
  const ledger = new Ledger({ db: store.database('ledger'), seal, clock, owner });
  await ledger.ready().catch(async (error: unknown) => {
    // If the database cannot be reached, the process still starts, and calls report it until the database is back.
    if (isStoreUnavailable(error)) return;
    await ledger.close();
    await store.close();
    throw error;
  });
  const jobs = new Jobs({ database: store.database('ledger'), clock, owner });
  const worker = new Worker({
    jobs,
    clock,
    log,
    process: { pid: process.pid, host: config.machine, settings: settingDigests(config, seal) },
  });
  const account = platformOf(config, demo);
  const database = store.database('budget');
  const tokens = sealedTokens({ database, seal, clock, owner, account });
  const client = createClient({ ...account, ...defined({ reachMs: options.reachMs }), clock, database, tokens, log });
  // Every call is sent with these, so its answer may repeat them.
  redactor.hold(() => client.secrets(), 1);
  redactor.hold(() => ledger.secrets());
  const inbox = new Inbox({ database: store.database('events'), clock, jobs });
  const watches = new Watches({ database: store.database('watches'), clock });
  const known = createCompletions();
  const batchStore = new BatchStore({ db: store.database('ledger'), seal, clock, owner });
  const all = [...tools, batchQuestion({ store: batchStore, gate: { actions: ledger }, clock, worker }, tools)];
  const requesters = createRequesters(config, options.serves);
  const gate = new Gate({
    requesters,
    references,
    platformUrl: account.baseUrl,
    timeZone: account.timeZone,
    approval: approvalOf(config),
    // The platform may go on working on a call at least as long as the client waits for its answer.
    settleMs: Math.max(config.PLATFORM_SETTLE_SECONDS * 1000, config.PLATFORM_TIMEOUT_MS),
    confirmSeconds: config.CONFIRM_TTL_SECONDS,
    ...defined({ defaultAccountId: config.PLATFORM_ACCOUNT_ID }),
    pages: typeof options.pages === 'function' ? await options.pages({ store, seal }) : options.pages,
    tools: all,
    client,
    ledger,
    clock,
    worker,
    redactor,
    completions: known,
    history: inboxHistories({ inbox, watches, ledger, clock, tools: all }),
    log,
  });
  const finder = tools.find((tool) => tool.kind === 'workflow' && tool.ends !== undefined);
  const batches = new Batches({ store: batchStore, gate, clock, worker, finder: finder?.id });
  batches.work();
  const changes = createChanges();
  const follower = createFollower({ changes, ledger, batches, inbox, clock, log });
  gate.onChange((action) => follower.actionChanged(action));
  const { expire, send, read } = gate.handlers();
  worker.on(LATER.expire, expire);
  worker.on(LATER.send, send);
  worker.on(LATER.read, read, { most: MOST_READINGS });
  worker.on(LATER.secrets, async () => void (await ledger.vault.dropExpired()));
  worker.repeat(LATER.retention, HOUR_MS, async () => {
    for (const old of [ledger, batchStore]) await old.deleteOld(config.LEDGER_KEEP_DAYS * DAY_MS);
  });
  // The process that held it is gone. The job ends, and nothing else is left to do.
  for (const kind of [HOLD, PROCESS]) worker.on(kind, async () => undefined);
  worker.start();
  const agreement = options.serves && watchAgreement({ config, seal, store, log });

  return {
    config,
    clock,
    gate,
    requesters,
    client,
    ledger,
    /** The store of all data: an SQLite file in DATA_DIR, or the database that DATABASE_URL names. */
    store,
    known,
    /** Announces resources that change: confirmations, and the orders, messages and numbers that events are about. */
    changes,
    log,
    redactor,
    /** The configured platform, or the embedded sandbox. */
    platformUrl: account.baseUrl,
    sandbox: demo?.sandbox,
    /** Undefined outside demo mode. */
    demo,
    seal,
    /** The jobs of this process and of others. */
    jobs,
    /** Runs the kinds of jobs that a handler is registered for. */
    worker,
    /** One operation over a list of rows. */
    batches,
    /** The platform's events and the watched numbers. */
    inbox: () => inbox,
    watches: () => watches,
    /** From now on, also announces events and changed actions that other processes write. */
    follow: () => follower.start(),
    close: async () => {
      follower.stop();
      clearInterval(agreement);
      await worker.stop();
      // Calls that change something have ended. A read that hangs must not delay closing.
      await Promise.race([client.close(), sleep(clock, CHECK_MS)]);
      await ledger.close();
      await store.close();
      await demo?.close();
    },
  };
}

/** Everything that the surfaces of one process share. */
export type Runtime = Awaited<ReturnType<typeof openRuntime>>;

/** Readings wait for the platform, so they leave room for other jobs. */
const MOST_READINGS = 2;

type Asked = Parameters<Requesters['refusal']>[0];

/**
 * Requesters by the settings of this process, and by Slack once its surface is open.
 *
 * @param serves what this process serves; undefined for a terminal, whose user confirms only what they asked for there
 */
export function createRequesters(config: Config, serves: 'http' | 'stdio' | undefined) {
  const { MCP_HTTP_TOKENS: tokens, MCP_OAUTH_ISSUER: issuer, MCP_ROLE, MCP_TOOLSETS, MCP_READ_ONLY } = config;

  async function refusal(asked: Asked, tool: Tool): Promise<string | undefined> {
    const isOverStdio = asked.actorId.startsWith('mcp:stdio:');
    const isAtTerminal = asked.person.startsWith('local:') && asked.surface !== 'mcp';
    if (serves === undefined || isAtTerminal) return undefined;
    // A process over stdio has settings of its own.
    if (serves === 'http' && isOverStdio) return undefined;
    if (serves === 'stdio' && !isOverStdio)
      throw untold('Only switchboard start knows whether its requester may still ask for it.', 'Confirm it there.');
    const lost = await lostRole(asked, tool);
    if (lost !== undefined) return lost;
    // Assistants have the toolsets of the settings.
    if (asked.surface !== 'mcp' && asked.surface !== 'assistant') return undefined;
    if (MCP_READ_ONLY) return 'MCP_READ_ONLY is set now';
    const offered = select([tool as Listed], presets, { toolsets: MCP_TOOLSETS, readOnly: false, role: 'operator' });
    return offered.length > 0 ? undefined : `MCP_TOOLSETS does not have ${tool.id} any more`;
  }

  async function lostRole({ actorId, person }: Asked, tool: Tool): Promise<string | undefined> {
    if (person.startsWith('slack:')) {
      if (requesters.isOperatorInSlack === undefined) return 'Slack is not connected any more';
      const isOperator = await requesters.isOperatorInSlack(person);
      if (isOperator === undefined)
        throw untold('Slack does not say whether its requester is still an operator.', 'Try again in a minute.');
      return isOperator ? undefined : 'they do not have the role operator in Slack any more';
    }
    if (person.startsWith('token:')) {
      const role = tokens.find(({ name }) => person === `token:${name}`)?.role;
      if (role === undefined) return 'their token is not in MCP_HTTP_TOKENS any more';
      return mayAsk(role, tool) ? undefined : `their token has the role ${role} now`;
    }
    if (person.startsWith('oauth:'))
      return issuer === undefined ? 'nobody signs in with OAuth any more (MCP_OAUTH_ISSUER)' : undefined;
    if (actorId === 'mcp:http' && (tokens.length > 0 || issuer !== undefined)) return 'callers need a token now';
    return actorId.startsWith('mcp:') && !mayAsk(MCP_ROLE, tool) ? `MCP_ROLE is ${MCP_ROLE} now` : undefined;
  }

  const requesters: Requesters & {
    /** Tells whether a person (`slack:T…/U…`) is an operator in Slack now; undefined if Slack does not say. */
    isOperatorInSlack?: (person: string) => Promise<boolean | undefined>;
  } = { refusal };
  return requesters;
}

function untold(message: string, next: string): SwitchboardError {
  return new SwitchboardError({ code: 'unavailable', outcome: 'not_done', message, effect: 'nothing_sent', next });
}

interface Row {
  sealed: Uint8Array | null;
  until: number;
  fetcher: string;
  fetching: number;
}

/** The sealed content. It has the expiry as a time span (`marginMs`), because the clocks of machines differ. */
type Sealed = Pick<Token, 'value' | 'tokenExpiry'> & {
  /** Time from the end of its use until its expiry, in ms. */
  marginMs: number;
};

/** The platform's tokens in the store, sealed, so that one process fetches each and all use it. */
export function sealedTokens(options: {
  /** The store's area `budget`. */
  database: Database;
  seal: Seal;
  clock: Clock;
  /** This process. */
  owner: string;
  /** The platform's account. A token of another account, or of an earlier secret, is never found. */
  account: { baseUrl: string; accountKey: string; accountSecret: string };
}): TokenStore {
  const { database, seal, clock, owner, account } = options;
  const keyOf = (url: string) =>
    seal.digest(JSON.stringify(['token', account.baseUrl, account.accountKey, account.accountSecret, url]));
  return {
    acquire(url: string): Promise<{ token: Token } | { isMine: boolean }> {
      const key = keyOf(url);
      return database.transaction(async (tx) => {
        await tx.run('INSERT INTO tokens (key) VALUES (?) ON CONFLICT (key) DO NOTHING', key);
        const row = await tx.get<Row>(
          `SELECT sealed, usable_until AS until, fetcher, fetch_until AS fetching FROM tokens WHERE key = ? FOR UPDATE`,
          key,
        );
        const now = await tx.now();
        if (row?.sealed && row.until > now) {
          const { value, tokenExpiry, marginMs } = seal.open(row.sealed, recordOf(key)) as Sealed;
          const usableUntil = clock.now() + row.until - now;
          return { token: { value, tokenExpiry, usableUntil, expiresAt: usableUntil + marginMs } };
        }
        if (row && row.fetching > now && row.fetcher !== owner) return { isMine: false };
        await tx.run('UPDATE tokens SET fetcher = ?, fetch_until = ? WHERE key = ?', owner, now + FETCH_MS, key);
        return { isMine: true };
      });
    },

    async write(url: string, token: Token): Promise<void> {
      const key = keyOf(url);
      const { value, tokenExpiry, expiresAt, usableUntil } = token;
      const content: Sealed = { value, tokenExpiry, marginMs: expiresAt - usableUntil };
      const left = Math.floor(usableUntil - clock.now());
      await database.transaction(async (tx) => {
        const now = await tx.now();
        await tx.run(
          `INSERT INTO tokens (key, sealed, digest, usable_until) VALUES (?, ?, ?, ?)
             ON CONFLICT (key) DO UPDATE SET sealed = excluded.sealed, digest = excluded.digest,
               usable_until = excluded.usable_until, fetcher = '', fetch_until = 0`,
          ...[key, seal.seal(content, recordOf(key)), digestOf(value), now + left],
        );
        await tx.run('DELETE FROM tokens WHERE usable_until <= ? AND fetch_until <= ?', now, now);
      });
    },

    async release(url: string): Promise<void> {
      const sql = `UPDATE tokens SET fetcher = '', fetch_until = 0 WHERE key = ? AND fetcher = ?`;
      await database.run(sql, keyOf(url), owner);
    },

    async remove(url: string, value: string): Promise<void> {
      const sql = `UPDATE tokens SET sealed = NULL, digest = '', usable_until = 0 WHERE key = ? AND digest = ?`;
      await database.run(sql, keyOf(url), digestOf(value));
    },
  };
}

function recordOf(key: string): string {
  return `token ${key}`;
}

/** Tokens have enough entropy for a plain digest. */
function digestOf(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}

/** Time span that each read looks back, because an entry may reach the disk later than it is dated. */
const BACK_MS = 3 * LOOK_MS;
/** Maximum number of entries per read, which is more than can change within `BACK_MS`. */
const MAX_ENTRIES = 10_000;

/**
 * Announces resources that change. Actions of this process are announced at once. From `start` on, events and actions
 * that any process writes to the shared files are announced too.
 */
function createFollower(options: {
  changes: Changes;
  ledger: Pick<Ledger, 'since'>;
  batches: Pick<Batches, 'updatedSince'>;
  inbox: Inbox;
  clock: Clock;
  log: Log;
}) {
  const { changes, ledger, batches, inbox, clock, log } = options;
  /** Changes that were announced already, with their times. */
  const announced = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  async function look(startedAt: number): Promise<void> {
    const from = clock.now() - BACK_MS;
    for (const [key, at] of announced) if (at < from) announced.delete(key);
    const isNew = (key: string, at: number): boolean => {
      if (at < startedAt || announced.has(key)) return false;
      announced.set(key, at);
      return true;
    };
    for (const { id, arrivedAt, event } of await inbox.since(from, MAX_ENTRIES))
      if (isNew(`event ${id} ${arrivedAt}`, arrivedAt)) announce(urisOfEvent(event));
    for (const action of await ledger.since(from, MAX_ENTRIES))
      if (isNew(keyOf(action), action.updatedAt)) announce(urisOf(action));
    for (const { id, at } of await batches.updatedSince(from))
      if (isNew(`batch ${id} ${at}`, at)) announce([fill(batchTemplate.uriTemplate, id)]);
  }

  /** Returns the URIs of the MCP resources that an action changes: its confirmation, its order and its numbers. */
  function urisOf(action: Action): string[] {
    const { id, operation, state, shown, known, result } = action;
    const order = orderOf(action);
    const tool = tools.find((one) => one.id === operation);
    const isDone = CHANGED.includes(state) && tool !== undefined && isChange(tool);
    const texts = isDone ? textsIn([shown, known, result]).map(({ value }) => value) : [];
    return [
      fill(confirmationTemplate.uriTemplate, id),
      ...(order === undefined ? [] : [uriOf('order', order)]),
      ...[...new Set(texts.filter(isPossiblePhone))].map((phone) => uriOf('number', phone)),
    ];
  }

  function announce(uris: readonly string[]): void {
    for (const uri of uris) changes.announce(uri);
  }

  return {
    /** Announces an action of this process. */
    actionChanged: (action: Action) => {
      if (timer !== undefined) announced.set(keyOf(action), action.updatedAt);
      announce(urisOf(action));
    },
    /** Follows the shared files from now on. */
    start: () => {
      const startedAt = clock.now();
      const failed = (error: unknown) => {
        const message = 'changes of other processes could not be read; trying again';
        log(levelOf(error, 'warn'), { error: String(error) }, message);
      };
      timer ??= setInterval(() => void look(startedAt).catch(failed), SECOND_MS).unref();
    },
    stop: () => clearInterval(timer),
  };
}

function keyOf({ id, updatedAt, state }: Action): string {
  return `${id} ${updatedAt} ${state}`;
}

/** Returns the URIs of the MCP resources that an event changes. */
function urisOfEvent(event: PlatformEvent): string[] {
  switch (event.kind) {
    case 'order':
      return [uriOf('order', event.orderId)];
    case 'message':
    case 'status':
      return [event.from, ...event.to].map((phone) => uriOf('messages', phone));
    case 'watch':
      return [uriOf('number', event.phone)];
    default:
      return [];
  }
}

/** States in which something was or may have been changed. */
const CHANGED: readonly Action['state'][] = ['done', 'partly', 'unknown'];

function uriOf(name: string, id: string): string {
  return fill(templates.find((template) => template.name === name)?.uriTemplate ?? '', id);
}

function fill(template: string, id: string): string {
  return `${template.split('{')[0] ?? ''}${id}`;
}
