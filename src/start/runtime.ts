import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { presets } from '../../tools/groups.ts';
import { tools } from '../../tools/index.ts';
import { confirmationTemplate, templates } from '../../tools/surfaces/assistants.ts';
import type { Receipt } from '../catalogue/operation.ts';
import { secretNames } from '../catalogue/secrets.ts';
import type { Sandbox } from '../demo/sandbox/index.ts';
import { createHistory } from '../events/history.ts';
import { type Inbox, openInbox, type StoredEvent } from '../events/inbox.ts';
import { hasEnded, type PlatformEvent } from '../events/parse.ts';
import { openWatches, type Watches } from '../events/watch/watches.ts';
import { approvalOf } from '../gate/approval.ts';
import { Gate, type GateOptions } from '../gate/gate.ts';
import { type Action, Ledger } from '../gate/ledger/ledger.ts';
import { createSeal, type Seal, sealingKey } from '../gate/ledger/seal.ts';
import { type Changes, createChanges } from '../lib/changes.ts';
import { systemClock } from '../lib/clock.ts';
import { type Completions, createCompletions } from '../lib/completions.ts';
import { type Config, ConfigError } from '../lib/config.ts';
import { dataFile, openDataDir, UnsafeData } from '../lib/data-dir.ts';
import { createLog, type Log } from '../lib/log.ts';
import { createRedactor, type Redactor } from '../lib/redact.ts';
import { settingSecrets } from '../lib/setting-secrets.ts';
import { createClient } from '../platform/client.ts';
import type { Client } from '../platform/types.ts';
import { createSharedWindow } from '../store/window.ts';

/** Everything behind the surfaces, opened once a process. */
export interface Runtime {
  config: Config;
  gate: Gate;
  /** For tests and start-up; surfaces use the gate. */
  ledger: Ledger;
  client: Client;
  known: Completions;
  /** Resources that changed: confirmations of this process, orders and messages the platform told us of. */
  changes: Changes;
  /** The resources an event changes. */
  urisOf(event: PlatformEvent): string[];
  log: Log;
  redactor: Redactor;
  /** Of the platform: the configured one, or the embedded sandbox. */
  platformUrl: string;
  sandbox: Sandbox | undefined;
  seal: Seal;
  /** Events the platform told us of, and watched numbers; opened when first asked for. */
  inbox(): Inbox;
  watches(): Watches;
  /** Announces from now on what any process writes down: what the platform told, and actions that moved. */
  follow(): void;
  /** Looks now; without a `follow` before it, nothing. */
  look(): void;
  /** A file of this platform's state under DATA_DIR; the demo's are kept apart. */
  file(name: string): string;
  close(): Promise<void>;
}

const SWEEP_MS = 1000;
/** How often what other processes wrote is looked for, once somebody wants to be told. */
const FOLLOW_MS = 2000;
/** How often the ledger is asked whether another process has written; see LOOK_MS of the inbox. */
const NOTICE_MS = 250;
/** How far each look goes back. */
const FOLLOW_BACK_MS = 6_000;
const FOLLOW_SOON_MS = 100;
/** More actions than can move in that time. */
const FOLLOW_MOST = 10_000;
const LEAVE_MS = 1_000;
/** Delivery receipts looked at to find one message. */
const RECEIPTS = 1_000;
/** How often a process writes that it is alive. */
const BEAT_MS = 5_000;
/** A process that has not written so for this long is dead, or slept so long that its actions are no longer its own. */
const SILENT_MS = 30_000;
/** How often actions of dead processes and unknown outcomes are looked for. */
const RECOVER_MS = 10_000;

/**
 * Opens ledger, client and gate, takes up what a dead process left behind, and in demo mode joins the sandbox of a
 * running `switchboard start` or starts one of its own. `host`: this process keeps the demo others join.
 */
export async function openRuntime(
  config: Config,
  options: { pageUrl: (id: string) => string | undefined; host?: boolean; onStep?: GateOptions['onStep'] },
): Promise<Runtime> {
  const redactor = createRedactor(secretNames(tools));
  const log = createLog(config.LOG_LEVEL, {
    strip: (fields) => redactor.strip(fields),
    text: (text) => redactor.text(text, []),
  });
  redactor.hold(() => settingSecrets(config));
  const seal = openSeal(config);
  const demo = config.demo ? await openDemo(config, options.host ?? false) : undefined;
  const owner = { id: randomUUID(), pid: process.pid, host: config.machine };
  const file = (name: string) => dataFile(config, name);
  const ledger = new Ledger({ path: file('ledger.db'), seal, clock: systemClock, owner });
  const window = createSharedWindow(file('budget.db'), systemClock);
  const platformUrl = demo?.url ?? config.PLATFORM_BASE_URL ?? '';
  const client = createClient({
    baseUrl: platformUrl,
    accountKey: demo ? 'DID-sandbox' : (config.PLATFORM_ACCOUNT_KEY ?? ''),
    accountSecret: demo ? 'sandbox-secret' : (config.PLATFORM_ACCOUNT_SECRET ?? ''),
    timeZone: demo ? 'UTC' : config.PLATFORM_TIME_ZONE,
    requestsPerMinute: config.PLATFORM_REQUESTS_PER_MINUTE,
    timeoutMs: config.PLATFORM_TIMEOUT_MS,
    clock: systemClock,
    window,
    log,
  });
  redactor.hold(() => client.secrets?.() ?? []);
  redactor.hold(() => ledger.secrets());
  const known = createCompletions();
  const inbox = once(() => openInbox({ path: file('events.db'), clock: systemClock }));
  const watches = once(() => openWatches({ path: file('watches.db'), clock: systemClock }));
  const gate = new Gate({
    tools,
    client,
    ledger,
    clock: systemClock,
    redactor,
    completions: known,
    history: createHistory({ inbox: inbox.get, watches: watches.get, ledger, clock: systemClock, tools }),
    approval: approvalOf(config),
    // The platform may work on a call at least as long as we wait for its answer.
    settleMs: Math.max(config.PLATFORM_SETTLE_SECONDS * 1000, config.PLATFORM_TIMEOUT_MS),
    timeZone: demo ? 'UTC' : config.PLATFORM_TIME_ZONE,
    receipts: (from, since) => receiptsOf(inbox.get(), from, since),
    confirmSeconds: config.CONFIRM_TTL_SECONDS,
    pageUrl: options.pageUrl,
    platformUrl,
    ...(config.PLATFORM_ACCOUNT_ID === undefined ? {} : { defaultAccountId: config.PLATFORM_ACCOUNT_ID }),
    log,
    ...(options.onStep ? { onStep: options.onStep } : {}),
  });

  const changes = createChanges();
  const uriOf = (name: string) => {
    const [before = ''] = templates.find((template) => template.name === name)?.uriTemplate.split('{') ?? [];
    return (id: string) => `${before}${id}`;
  };
  const orderUri = uriOf('order');
  const numberUri = uriOf('number');
  const messagesUri = uriOf('messages');
  const urisOf = (event: PlatformEvent): string[] => {
    if (event.kind === 'order') return [orderUri(event.orderId)];
    if (event.kind === 'message' || event.kind === 'status') return [event.from, ...event.to].map(messagesUri);
    return event.kind === 'watch' ? [numberUri(event.phone)] : [];
  };
  const [confirmations = ''] = confirmationTemplate.uriTemplate.split('{');
  const announce = (action: Action) => {
    changes.announce(`${confirmations}${action.id}`);
    const order = action.result?.OrderId ?? action.shown.OrderId;
    if (typeof order === 'string') changes.announce(orderUri(order));
  };

  let following: ReturnType<typeof setInterval> | undefined;
  let noticing: ReturnType<typeof setInterval> | undefined;
  let lookNow: () => void = () => undefined;
  /** Told already, by when it was written: what was stamped before a look may be on the disk only after it. */
  const told = new Map<string, number>();
  const keyOf = ({ id, updatedAt, state }: Action) => `${id} ${updatedAt} ${state}`;
  gate.onChange((action) => {
    if (following) told.set(keyOf(action), action.updatedAt);
    announce(action);
  });
  const follow = () => {
    if (following) return;
    const begin = systemClock.now();
    const fresh = (key: string, at: number): boolean => {
      if (at < begin || told.has(key)) return false;
      told.set(key, at);
      return true;
    };
    /** An update of an order that has ended meanwhile tells nothing new. */
    const isStraggler = ({ event }: StoredEvent): boolean => {
      if (event.kind !== 'order') return false;
      const now = inbox.get().told(event.subject)?.status ?? event.status;
      return hasEnded(now) && now !== event.status;
    };
    const look = () => {
      const from = systemClock.now() - FOLLOW_BACK_MS;
      for (const [key, at] of told) if (at < from) told.delete(key);
      for (const { id, at } of inbox.get().arrivals(from)) {
        const kept = fresh(`event ${id} ${at}`, at) ? inbox.get().get(id) : undefined;
        if (kept && !isStraggler(kept)) for (const uri of urisOf(kept.event)) changes.announce(uri);
      }
      for (const action of ledger.since(from, FOLLOW_MOST))
        if (fresh(keyOf(action), action.updatedAt)) announce(action);
    };
    lookNow = () => {
      try {
        look();
      } catch (error) {
        log('warn', { error: String(error) }, 'what other processes wrote could not be read; it is read again');
      }
    };
    following = setInterval(lookNow, FOLLOW_MS);
    following.unref();
    // What another process writes is told within a moment; the interval above is for what was stamped before it was written.
    inbox.get().onWork(lookSoon);
    let version = ledger.version();
    noticing = setInterval(() => {
      const now = ledger.version();
      if (now !== version) lookSoon();
      version = now;
    }, NOTICE_MS);
    noticing.unref();
  };
  let looking = false;
  /** Soon, and once for all that arrives until then. */
  const lookSoon = () => {
    if (looking || !following) return;
    looking = true;
    systemClock.setTimeout(() => {
      looking = false;
      if (following) lookNow();
    }, FOLLOW_SOON_MS);
  };

  let recovering: Promise<void> | undefined;
  const recover = () => {
    recovering ??= gate
      .recover(SILENT_MS)
      .catch((error: unknown) => log('error', { error: String(error) }, 'taking up interrupted actions failed'))
      .finally(() => {
        recovering = undefined;
      });
  };
  const guarded = (what: string, work: () => void) => () => {
    try {
      work();
    } catch (error) {
      log('error', { error: String(error) }, `${what} failed; it is tried again`);
    }
  };
  recover();
  const timers = [
    setInterval(
      guarded('expiring confirmations', () => gate.sweepExpired()),
      SWEEP_MS,
    ),
    setInterval(
      guarded('writing that this process is alive', () => ledger.beat()),
      BEAT_MS,
    ),
    setInterval(recover, RECOVER_MS),
  ];
  for (const timer of timers) timer.unref();

  return {
    config,
    gate,
    ledger,
    client,
    known,
    changes,
    urisOf,
    follow,
    look: lookSoon,
    log,
    redactor,
    platformUrl,
    sandbox: demo?.sandbox,
    seal,
    inbox: inbox.get,
    watches: watches.get,
    file,
    close: async () => {
      for (const timer of timers) clearInterval(timer);
      clearInterval(following);
      clearInterval(noticing);
      following = undefined;
      await recovering;
      await gate.idle();
      // Changes are through by now; a reading or a token that hangs keeps nobody waiting.
      await Promise.race([
        client.close(),
        new Promise<void>((resolve) => void systemClock.setTimeout(resolve, LEAVE_MS)),
      ]);
      inbox.made()?.close();
      watches.made()?.close();
      gate.close();
      ledger.close();
      window.close();
      await demo?.close();
    },
  };
}

/**
 * Opens the data folder and this installation's seal.
 *
 * @throws ConfigError when the folder or the key could be somebody else's
 */
export function openSeal(config: Config): Seal {
  try {
    openDataDir(config.DATA_DIR);
    if (config.demo) openDataDir(dirname(dataFile(config, 'ledger.db')));
    return createSeal(sealingKey(config.DATA_DIR, config.SEALING_KEY));
  } catch (error) {
    if (error instanceof UnsafeData) throw new ConfigError(error.message);
    throw error;
  }
}

export { presets, tools };

function once<T>(make: () => T): { get: () => T; made: () => T | undefined } {
  let made: T | undefined;
  return {
    get: () => {
      made ??= make();
      return made;
    },
    made: () => made,
  };
}

/** Receipts kept in the inbox; what another process received is there too. */
function receiptsOf(inbox: Inbox, from: string, since: number): Receipt[] {
  return inbox.since(since, RECEIPTS, { kinds: ['status'], about: [from] }).flatMap(({ event }) => {
    if (event.kind !== 'status') return [];
    const { messageId, to, text, status } = event;
    return [{ messageId, from: event.from, to, body: text, status }];
  });
}

/**
 * The demo's sandbox. A host starts a fresh one and leaves its address in DATA_DIR; others join it, or keep one of
 * their own in a file, so that two terminal commands in a row see the same platform.
 */
async function openDemo(
  config: Config,
  host: boolean,
): Promise<{ url: string; sandbox?: Sandbox; close(): Promise<void> }> {
  const note = dataFile(config, 'server.json');
  // One sandbox for one DATA_DIR: whoever comes second joins it.
  const running = await runningDemo(note);
  if (running !== undefined) return { url: running, close: async () => undefined };
  const { startSandbox } = await import('../demo/sandbox/index.ts');
  const sandbox = await startSandbox({
    port: 0,
    ...(host ? {} : { data: dataFile(config, 'sandbox.json') }),
  });
  if (host) writeFileSync(note, JSON.stringify({ url: sandbox.url, pid: process.pid }), { mode: 0o600 });
  return {
    url: sandbox.url,
    sandbox,
    close: async () => {
      if (host) rmSync(note, { force: true });
      await sandbox.close();
    },
  };
}

async function runningDemo(note: string): Promise<string | undefined> {
  if (!existsSync(note)) return undefined;
  const { url } = JSON.parse(readFileSync(note, 'utf8')) as { url: string };
  try {
    const answer = await fetch(new URL('/sandbox/state', url), { signal: AbortSignal.timeout(1000) });
    await answer.body?.cancel();
    return answer.ok ? url : undefined;
  } catch {
    // The host is gone without taking its note along: nothing listens there.
    return undefined;
  }
}
