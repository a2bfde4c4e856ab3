import { randomBytes, randomUUID } from 'node:crypto';
import type { Seal } from '../gate/ledger/seal.ts';
import type { Clock } from '../lib/clock.ts';
import { isLoopback } from '../lib/config.ts';
import { invalidInput } from '../lib/errors.ts';
import { withoutTrailing } from '../lib/text.ts';
import { addColumns, openDatabase } from '../store/database.ts';
import type { Credentials } from './http.ts';

/** Ids of the operations that register us; the catalogue has them, not this file. */
export interface SyncOperations {
  createWebhook: string;
  deleteWebhook: string;
  updateMessageRoute: string;
}

export interface Basic {
  username: string;
  password: string;
}

export interface SyncRequest {
  /** PUBLIC_URL: `/events/…` is appended. */
  url: string;
  operations: SyncOperations;
  /** Every event the platform can be subscribed to. */
  events: readonly string[];
  /** MRID ids of the routes that shall point at us. */
  messageRoutes: readonly string[];
  credentials: Basic;
  accountId?: string | undefined;
  /** The webhook made the last time; it is deleted once the new one stands. */
  replaces?: { webhookId: string; accountId?: string | undefined } | undefined;
  /** What an earlier sync registered in the same way, by `partOf` of its step: it is not done again. */
  standing?: ReadonlySet<string> | undefined;
}

export interface PlanStep {
  operation: string;
  input: Record<string, unknown>;
  why: string;
}

/** PLATFORM.md, Limits: webhook field lengths. */
const MAX_URL = 255;
const MAX_EVENTS = 255;

/** What has to be done so that the platform delivers to us: a pure function of what is wanted and what is known. */
export function planSync(request: SyncRequest): PlanStep[] {
  const { operations, credentials } = request;
  const at = (path: string) => `${base(request.url)}/events/${path}`;
  const account = request.accountId === undefined ? {} : { AccountId: request.accountId };
  const subscribed = [...new Set(request.events)].join(',');
  if (request.events.length === 0) throw invalidInput('events', 'events: there is nothing to subscribe to.');
  if (subscribed.length > MAX_EVENTS) throw invalidInput('events', `events: at most ${MAX_EVENTS} characters in all.`);
  if (at('platform').length > MAX_URL)
    throw invalidInput('url', `url: too long; with /events/platform it may have ${MAX_URL} characters.`);
  const steps: PlanStep[] = [
    {
      operation: operations.createWebhook,
      input: {
        WebhookUrl: at('platform'),
        SubscribedEvents: subscribed,
        Method: 'POST',
        DataFormat: 'json',
        AuthenticationType: 'Basic',
        AuthenticationUsername: credentials.username,
        AuthenticationPassword: credentials.password,
        ...account,
      },
      why: `Have the platform deliver ${subscribed.split(',').join(', ')} to ${at('platform')}.`,
    },
  ];
  for (const route of new Set(request.messageRoutes)) {
    steps.push({
      operation: operations.updateMessageRoute,
      input: {
        MessageRouteId: route,
        MessageUrl: at('messages'),
        MessageUrlMethod: 'POST',
        MessageAuthenticationType: 'Basic',
        MessageUsername: credentials.username,
        MessagePasswordToken: credentials.password,
        CallbackMessageUrl: at('message-status'),
        CallbackMessageUrlMethod: 'POST',
        CallbackMessageAuthenticationType: 'Basic',
        CallbackMessageUsername: credentials.username,
        CallbackMessagePasswordToken: credentials.password,
        ...account,
      },
      why: `Point message route ${route} at us, for inbound messages and delivery receipts. Where it points now is overwritten.`,
    });
  }
  if (request.replaces) {
    const { webhookId, accountId } = request.replaces;
    steps.push({
      operation: operations.deleteWebhook,
      input: { WebhookId: webhookId, ...(accountId === undefined ? {} : { AccountId: accountId }) },
      why: `Delete webhook ${webhookId} of the last sync; the new one stands by then, and what both deliver counts once.`,
    });
  }
  const { standing } = request;
  return standing === undefined ? steps : steps.filter((step) => !standing.has(partOf(step)));
}

/** A step without its credentials: two steps with the same text register the same. */
export function partOf({ operation, input }: PlanStep): string {
  const named = Object.entries(input).filter(([name]) => !/(Username|Password|PasswordToken)$/.test(name));
  return JSON.stringify([operation, Object.fromEntries(named)]);
}

function base(url: string): string {
  if (!URL.canParse(url))
    throw invalidInput('url', `url: ${url} is no URL; for example https://switchboard.example.com`);
  const parsed = new URL(url);
  const secure = parsed.protocol === 'https:' || (parsed.protocol === 'http:' && isLoopback(parsed.hostname));
  if (!secure)
    throw invalidInput('url', 'url: the platform delivers to https:// only (http:// on loopback, for the sandbox).');
  if (parsed.username !== '' || parsed.search !== '' || parsed.hash !== '')
    throw invalidInput('url', 'url: give it without credentials, query and fragment.');
  return `${parsed.origin}${withoutTrailing(parsed.pathname, '/')}`;
}

/** The plan as a person reads it before saying yes: without a secret in it. */
export function showPlan(steps: readonly PlanStep[]): string[] {
  if (steps.length === 0)
    return [
      'Nothing to do: Switchboard registered all of this before. --force registers it anew, for example after somebody deleted the webhook at the platform.',
    ];
  return steps.map((step, index) => `${index + 1}. ${step.why} (${step.operation})`);
}

export interface SyncOptions extends Omit<SyncRequest, 'credentials' | 'replaces' | 'standing'> {
  registrations: Registrations;
  /** Base URL of the platform: what was registered at another one does not stand at this one. */
  platform: string;
  /** Registers anew what was registered before. */
  force?: boolean;
  show: (lines: readonly string[]) => void;
  /** Asks the person; false ends it before anything is made. */
  ask: () => Promise<boolean>;
  /** Through the door. What needs a person's yes there is the caller's to bring along. */
  perform: (operation: string, input: Record<string, unknown>) => Promise<Record<string, unknown>>;
}

export interface SyncOutcome {
  kind: 'done' | 'declined' | 'failed';
  webhookId?: string;
  done: string[];
  /** What was not done, and why. */
  failed: { why: string; reason: string }[];
}

/**
 * Shows the plan, asks, and carries it out. The new credentials are sealed before the platform learns them, so that its
 * first delivery is let in; the old ones are dropped only when nothing uses them any more.
 */
export async function runSync(options: SyncOptions): Promise<SyncOutcome> {
  const { registrations } = options;
  const latest = registrations.current();
  // Of an earlier version it is not known at which platform it was registered.
  const before = latest?.platform === undefined || latest.platform === options.platform ? latest : undefined;
  const standing = options.force || before === undefined ? undefined : keptOf(before, options);
  const credentials: Basic = standing?.credentials ?? {
    username: `switchboard-${randomBytes(4).toString('hex')}`,
    password: randomBytes(24).toString('base64url'),
  };
  const steps = planSync({
    ...options,
    credentials,
    standing: standing?.parts,
    replaces:
      standing !== undefined || before?.webhookId === undefined
        ? undefined
        : { webhookId: before.webhookId, accountId: before.accountId },
  });
  options.show(showPlan(steps));
  if (steps.length === 0)
    return { kind: 'done', done: [], failed: [], ...(before?.webhookId ? { webhookId: before.webhookId } : {}) };
  if (!(await options.ask())) return { kind: 'declined', done: [], failed: [] };

  const { url, accountId, platform } = options;
  const id = standing?.id ?? registrations.add({ url, accountId, platform, credentials });
  const outcome: SyncOutcome = { kind: 'done', done: [], failed: [] };
  if (standing !== undefined && before?.webhookId !== undefined) outcome.webhookId = before.webhookId;
  for (const step of steps) {
    const creates = step.operation === options.operations.createWebhook;
    const last = step.operation === options.operations.deleteWebhook;
    // With routes still on the old credentials, the old webhook's are kept; the webhook itself is not needed any more.
    try {
      const result = await options.perform(step.operation, step.input);
      outcome.done.push(step.why);
      if (creates) {
        const webhookId = result.WebhookId;
        if (typeof webhookId !== 'string' || webhookId === '') throw new Error('the platform returned no WebhookId');
        registrations.made(id, webhookId);
        outcome.webhookId = webhookId;
      }
      if (!last) registrations.keepPart(id, partOf(step));
    } catch (error) {
      outcome.kind = 'failed';
      outcome.failed.push({ why: step.why, reason: error instanceof Error ? error.message : String(error) });
      // Without the new webhook nothing else is changed. Its credentials stay: an unknown outcome may mean it exists.
      if (creates) return outcome;
      if (last && before) registrations.orphaned(before.id);
    }
  }
  if (outcome.kind === 'done') registrations.keepOnly(id);
  return outcome;
}

/** The registration made before, where its webhook is the one that is wanted now; undefined where it has to be replaced. */
function keptOf(before: Registration, options: SyncOptions) {
  const parts = new Set(before.parts);
  const credentials = options.registrations.credentials(before.id);
  if (credentials === undefined) return undefined;
  const [webhook] = planSync({ ...options, credentials, messageRoutes: [] });
  return webhook !== undefined && parts.has(partOf(webhook)) ? { id: before.id, parts, credentials } : undefined;
}

export interface Registration {
  id: string;
  url: string;
  accountId: string | undefined;
  webhookId: string | undefined;
  /** Base URL of the platform it was made at; not known of an earlier version. */
  platform: string | undefined;
  /** What was registered with its credentials, by `partOf`. */
  parts: readonly string[];
  createdAt: number;
}

interface Row {
  id: string;
  url: string;
  account: string | null;
  webhook: string | null;
  sealed: Uint8Array;
  created_at: number;
  orphaned: number;
  platform: string | null;
  parts: string | null;
}

const SCHEMA = `CREATE TABLE IF NOT EXISTS registrations (
  id TEXT PRIMARY KEY, url TEXT NOT NULL, account TEXT, webhook TEXT, sealed BLOB NOT NULL, created_at INTEGER NOT NULL,
  orphaned INTEGER NOT NULL DEFAULT 0
);`;
const REREAD_MS = 2000;

export type Registrations = ReturnType<typeof openRegistrations>;

/** What we are registered as, with the credentials sealed. May lie in the inbox's file. */
export function openRegistrations(options: { path: string; seal: Seal; clock: Clock }) {
  const { seal, clock } = options;
  const db = openDatabase(options.path, SCHEMA, { durable: true });
  addColumns(db, 'registrations', { platform: 'TEXT', parts: 'TEXT' });
  let cached: { at: number; credentials: Credentials[] } | undefined;

  return {
    add(fresh: { url: string; accountId?: string | undefined; platform: string; credentials: Basic }): string {
      const id = `reg_${randomUUID()}`;
      db.run(
        'INSERT INTO registrations (id, url, account, platform, sealed, created_at) VALUES (?, ?, ?, ?, ?, ?)',
        id,
        fresh.url,
        fresh.accountId ?? null,
        fresh.platform,
        seal.seal(fresh.credentials, id),
        clock.now(),
      );
      cached = undefined;
      return id;
    },
    made(id: string, webhookId: string): void {
      db.run('UPDATE registrations SET webhook = ? WHERE id = ?', webhookId, id);
    },
    /** Something was registered with its credentials. */
    keepPart(id: string, part: string): void {
      const row = db.get<Row>('SELECT * FROM registrations WHERE id = ?', id);
      const parts = new Set([...(row ? fromRow(row).parts : []), part]);
      db.run('UPDATE registrations SET parts = ? WHERE id = ?', JSON.stringify([...parts]), id);
    },
    /** What deliveries of this registration present. */
    credentials(id: string): Basic | undefined {
      const row = db.get<Row>('SELECT * FROM registrations WHERE id = ?', id);
      return row && (seal.open(row.sealed, row.id) as Basic);
    },
    /** Its webhook could not be deleted: it may still deliver, so its credentials stay. */
    orphaned(id: string): void {
      db.run('UPDATE registrations SET orphaned = 1 WHERE id = ?', id);
    },
    keepOnly(id: string): void {
      db.run('DELETE FROM registrations WHERE id <> ? AND orphaned = 0', id);
      cached = undefined;
    },
    /** The latest one whose webhook stands. */
    current(): Registration | undefined {
      const row = db.get<Row>(
        'SELECT * FROM registrations WHERE webhook IS NOT NULL ORDER BY created_at DESC, rowid DESC',
      );
      return row && fromRow(row);
    },
    /** Webhooks that a failed deletion left behind. */
    leftOver: (): Registration[] => db.all<Row>('SELECT * FROM registrations WHERE orphaned = 1').map(fromRow),
    /** What deliveries may present. Read again every two seconds: another process may have synced. */
    accepted(): readonly Credentials[] {
      if (!cached || clock.now() - cached.at >= REREAD_MS) {
        const rows = db.all<Row>('SELECT * FROM registrations');
        cached = { at: clock.now(), credentials: rows.map((row) => seal.open(row.sealed, row.id) as Basic) };
      }
      return cached.credentials;
    },
    close: () => db.close(),
  };
}

function fromRow(row: Row): Registration {
  return {
    id: row.id,
    url: row.url,
    accountId: row.account ?? undefined,
    webhookId: row.webhook ?? undefined,
    platform: row.platform ?? undefined,
    parts: row.parts === null ? [] : (JSON.parse(row.parts) as string[]),
    createdAt: row.created_at,
  };
}
