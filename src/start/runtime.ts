import { randomUUID } from 'node:crypto';
import { tools } from '../../tools/index.ts';
import { references } from '../../tools/surfaces/records.ts';
import { Batches } from '../batches/batches.ts';
import { batchQuestion } from '../batches/question.ts';
import { BatchStore } from '../batches/store.ts';
import { InboxHistories } from '../events/history.ts';
import { Inbox } from '../events/inbox.ts';
import { Watches } from '../events/watches.ts';
import { approvalOf } from '../gate/approval.ts';
import type { Step } from '../gate/decisions.ts';
import { Gate } from '../gate/gate.ts';
import { LATER } from '../ledger/later.ts';
import { Ledger } from '../ledger/ledger.ts';
import type { Seal } from '../ledger/seal.ts';
import { CHECK_MS, type Clock, DAY_MS, HOUR_MS, sleep, systemClock } from '../lib/clock.ts';
import type { Config } from '../lib/config.ts';
import { dataFile } from '../lib/data-dir.ts';
import { defined } from '../lib/values.ts';
import { createClient } from '../platform/client.ts';
import { createCompletions } from '../platform/dialect/orders.ts';
import { isStoreUnavailable } from '../store/key-values.ts';
import type { Store } from '../store/types.ts';
import { createChanges } from '../surfaces/mcp/protocol.ts';
import { HOLD, Jobs } from '../work/jobs.ts';
import { PROCESS, Worker } from '../work/worker.ts';
import { type Demo, openDemo } from './demo.ts';
import { Follower } from './follower.ts';
import { openInstallation, openLog, openSeal, platformOf, settingDigests, watchAgreement } from './installation.ts';
import { ConfiguredRequesters } from './requesters.ts';
import { SealedTokens } from './sealed-tokens.ts';

export interface RuntimeOptions {
  /**
   * URL of the server with the confirmation pages, or what finds it in the opened store; left out where none are served.
   */
  pages?: string | ((opened: { store: Store; seal: Seal }) => Promise<string | undefined>) | undefined;
  /** In demo mode: this process runs the sandbox that others join. */
  host?: boolean;
  /** What this process serves, and so which requesters it knows; left out for a terminal. */
  serves?: 'http' | 'stdio';
  /** Called after every durable step of an action. Tests stop the process in it. */
  onStep?: (step: Step, actionId: string) => void;
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
  await ready(ledger, store);
  const jobs = new Jobs({ database: store.database('ledger'), clock, owner });
  const worker = new Worker({
    jobs,
    clock,
    log,
    process: { pid: process.pid, host: config.machine, settings: settingDigests(config, seal) },
  });
  const account = platformOf(config, demo);
  const database = store.database('budget');
  const tokens = new SealedTokens({ database, seal, clock, owner, account });
  const client = createClient({ ...account, ...defined({ reachMs: options.reachMs }), clock, database, tokens, log });
  // Every call is sent with these, so its answer may repeat them.
  redactor.hold(() => client.secrets?.() ?? [], 1);
  redactor.hold(() => ledger.secrets());
  const inbox = new Inbox({ database: store.database('events'), clock, jobs });
  const watches = new Watches({ database: store.database('watches'), clock });
  const known = createCompletions();
  const batchStore = new BatchStore(store.database('ledger'), clock, seal);
  const all = [...tools, batchQuestion({ store: batchStore, gate: { actions: ledger }, clock, worker }, tools)];
  const history = new InboxHistories({ inbox, watches, ledger, clock, tools: all });
  const requesters = new ConfiguredRequesters(config, options.serves);
  const gate = new Gate({
    requesters,
    references,
    ...gateSettings(config, demo),
    pages: typeof options.pages === 'function' ? await options.pages({ store, seal }) : options.pages,
    tools: all,
    client,
    ledger,
    clock,
    worker,
    redactor,
    completions: known,
    history,
    log,
  });
  const finder = tools.find((tool) => tool.kind === 'workflow' && tool.ends !== undefined);
  const batches = new Batches({ store: batchStore, gate, clock, worker, finder: finder?.id });
  batches.work();
  const changes = createChanges();
  const follower = new Follower({ changes, ledger, batches, tools, inbox, clock, log });
  if (options.onStep) gate.onStep(options.onStep);
  gate.onChange((action) => follower.actionChanged(action));
  registerHandlers(worker, gate, ledger, batchStore, config.LEDGER_KEEP_DAYS);
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
    /** Looks for such changes without delay; does nothing before `follow`. */
    look: () => follower.lookSoon(),
    /** Returns the path of a data file in DATA_DIR. The demo's files are in a separate folder. */
    file: (name: string) => dataFile(config, name),
    close: async () => {
      follower.stop();
      clearInterval(agreement);
      await worker.stop();
      // Calls that change something have ended. A read that hangs must not delay closing.
      await Promise.race([client.close(), sleep(clock, CHECK_MS)]);
      inbox.close();
      await ledger.close();
      await store.close();
      await demo?.close();
    },
  };
}

/** Everything that the surfaces of one process share. */
export type Runtime = Awaited<ReturnType<typeof openRuntime>>;

/**
 * Opens the ledger. If the database cannot be reached, the process still starts, and calls report it until the database
 * is back.
 */
async function ready(ledger: Ledger, store: Store): Promise<void> {
  try {
    await ledger.ready();
  } catch (error) {
    if (isStoreUnavailable(error)) return;
    await ledger.close();
    await store.close();
    throw error;
  }
}

function gateSettings(config: Config, demo: Demo | undefined) {
  const { baseUrl, timeZone } = platformOf(config, demo);
  return {
    platformUrl: baseUrl,
    timeZone,
    approval: approvalOf(config),
    // The platform may go on working on a call at least as long as the client waits for its answer.
    settleMs: Math.max(config.PLATFORM_SETTLE_SECONDS * 1000, config.PLATFORM_TIMEOUT_MS),
    confirmSeconds: config.CONFIRM_TTL_SECONDS,
    ...defined({ defaultAccountId: config.PLATFORM_ACCOUNT_ID }),
  };
}

/** Readings wait for the platform, so they leave room for other jobs. */
const MOST_READINGS = 2;

/** Registers what this process does later for the gate and the ledger. @param days LEDGER_KEEP_DAYS */
function registerHandlers(worker: Worker, gate: Gate, ledger: Ledger, batches: BatchStore, days: number): void {
  const { expire, send, read } = gate.handlers();
  worker.on(LATER.expire, expire);
  worker.on(LATER.send, send);
  worker.on(LATER.read, read, { most: MOST_READINGS });
  worker.on(LATER.secrets, async () => {
    await ledger.vault.dropExpired();
    return undefined;
  });
  worker.repeat(LATER.retention, HOUR_MS, async () => {
    await ledger.deleteOld(days * DAY_MS);
    await batches.deleteOld(days * DAY_MS);
  });
  // The process that held it is gone. The job ends, and nothing else is left to do.
  for (const kind of [HOLD, PROCESS]) worker.on(kind, async () => undefined);
}
