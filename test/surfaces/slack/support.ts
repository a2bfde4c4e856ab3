import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { Field } from '../../../src/catalogue/field-types.ts';
import { fieldsOf } from '../../../src/catalogue/fields.ts';
import type { Message } from '../../../src/demo/playground/types.ts';
import { createWorkspace, IDS, type Workspace } from '../../../src/demo/playground/workspace.ts';
import { type Sandbox, startSandbox } from '../../../src/demo/sandbox/index.ts';
import type { Inbox } from '../../../src/events/inbox.ts';
import { Gate } from '../../../src/gate/gate.ts';
import { Ledger } from '../../../src/gate/ledger/ledger.ts';
import { createSeal } from '../../../src/gate/ledger/seal.ts';
import { type Clock as SlackClock, systemClock } from '../../../src/lib/clock.ts';
import type { Config } from '../../../src/lib/config.ts';
import { createRedactor } from '../../../src/lib/redact.ts';
import { createClient } from '../../../src/platform/client.ts';
import type { Client } from '../../../src/platform/types.ts';
import { createSlack, type Slack, type SlackConfig } from '../../../src/surfaces/slack/app.ts';
import { tools } from '../../../tools/index.ts';
import { everyWay } from '../../support/approval.ts';
import { SkippingClock } from '../../support/clock.ts';
import { keptIn } from '../../support/here.ts';
import { until } from '../../support/until.ts';

export { until };

export const { U_AGENT, U_LEAD, U_VIEW, U_OTHER, C_SUPPORT, C_APPROVALS, C_EVENTS, S_OPERATORS, S_APPROVERS } = IDS;

const cleanup: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const run of cleanup.splice(0).reverse()) await run();
});

export function later(run: () => Promise<unknown> | unknown): void {
  cleanup.push(run);
}

export interface Stage {
  ws: Workspace;
  gate: Gate;
  ledger: Ledger;
  client: Client;
  slack: Slack;
  inbox: Inbox;
  sandbox: Sandbox;
  clock: SkippingClock;
  logged: string[];
  /** Where the ledger's files are. */
  dir: string;
  /** Requests the platform saw, without tokens. */
  requests(path?: string): Promise<{ method: string; path: string; status: number }[]>;
  control(path: string, body?: unknown): Promise<unknown>;
  /** What `ana` typed, as somebody types it. */
  type(command: string, text?: string, user?: string, channel?: string): ReturnType<Workspace['command']>;
  /** Another process on the same ledger and workspace. */
  again(settings?: Partial<SlackConfig>): Promise<{ gate: Gate; slack: Slack }>;
  settled(): Promise<void>;
}

const CONFIG: SlackConfig = {
  SLACK_BOT_TOKEN: 'xoxb-playground-bot',
  SLACK_APP_TOKEN: undefined,
  SLACK_SIGNING_SECRET: 'playground-signing-secret',
  SLACK_API_URL: undefined,
  SLACK_COMMAND_PREFIX: undefined,
  SLACK_VIEWERS: [U_VIEW],
  SLACK_OPERATORS: [S_OPERATORS],
  SLACK_APPROVERS: [S_APPROVERS],
  SLACK_EVENTS_CHANNEL: C_APPROVALS,
  PLATFORM_ACCOUNT_ID: undefined,
};

export async function stage(
  settings: Partial<SlackConfig & Pick<Config, 'CONFIRM_VIA' | 'CONFIRM_TWO_PERSON'>> = {},
  more: {
    start?: boolean;
    timeoutMs?: number;
    platform?: string;
    requestsPerMinute?: number;
    slackTimeoutMs?: number;
    slackClock?: SlackClock;
  } = {},
): Promise<Stage> {
  const sandbox = await startSandbox();
  const clock = new SkippingClock();
  // Slack's own time is the app's, so that a signature is as young as it says.
  const ws = createWorkspace({
    ...(more.slackClock ? { clock: more.slackClock } : {}),
    signatureTime: () => clock.now(),
  });
  await ws.listen();
  const dir = mkdtempSync(join(tmpdir(), 'switchboard-slack-'));
  later(async () => {
    await ws.close();
    await sandbox.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const logged: string[] = [];
  const log = (level: string, fields: Record<string, unknown>, message: string) => {
    logged.push(`${level} ${message} ${JSON.stringify(fields)}`);
  };
  const secrets = tools.flatMap((tool) => secretNames(fieldsOf(tool)));
  const redactor = createRedactor(secrets);
  const client = createClient({
    baseUrl: more.platform ?? sandbox.url,
    accountKey: 'DID-sandbox',
    accountSecret: 'sandbox-secret',
    timeZone: 'UTC',
    requestsPerMinute: more.requestsPerMinute ?? 120,
    timeoutMs: more.timeoutMs ?? 2_000,
    clock: systemClock,
  });
  later(() => client.close());
  let serial = 0;
  const open = async (changed: Partial<SlackConfig> = {}) => {
    serial += 1;
    const ledger = new Ledger({
      path: join(dir, 'ledger.db'),
      seal: createSeal(new Uint8Array(32).fill(7)),
      clock,
      owner: { id: `test-${serial}`, pid: process.pid, host: 'test' },
    });
    const kept = keptIn(ledger, clock, dir);
    const gate = new Gate({
      tools,
      client,
      ledger,
      clock,
      redactor,
      approval: everyWay({
        via: settings.CONFIRM_VIA ?? ['slack', 'page'],
        twoPerson: settings.CONFIRM_TWO_PERSON ?? false,
        slackApprovers: settings.SLACK_APPROVERS ?? CONFIG.SLACK_APPROVERS,
      }),
      confirmSeconds: 300,
      pageUrl: () => undefined,
      history: kept.history,
      log,
    });
    const slack = await createSlack({
      config: { ...CONFIG, SLACK_API_URL: ws.apiUrl, ...settings, ...changed },
      gate,
      tools,
      clock,
      log,
      ...(more.slackTimeoutMs === undefined ? {} : { timeoutMs: more.slackTimeoutMs }),
    });
    const server = createServer((req, res) => void slack.handle(req, res));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    if (!settings.SLACK_APP_TOKEN)
      ws.setRequestUrl(`http://127.0.0.1:${(server.address() as AddressInfo).port}/slack/events`);
    later(async () => {
      server.closeAllConnections();
      server.close();
      await slack.close();
      await gate.idle();
      kept.close();
      ledger.close();
    });
    if (more.start !== false) await slack.start();
    return { gate, ledger, slack, inbox: kept.inbox };
  };
  const { gate, ledger, slack, inbox } = await open();
  const control = async (path: string, body?: unknown) => {
    const response = await fetch(
      `${sandbox.url}/sandbox/${path}`,
      body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) },
    );
    return response.json();
  };
  return {
    ws,
    gate,
    ledger,
    client,
    slack,
    inbox,
    sandbox,
    clock,
    logged,
    dir,
    control,
    async requests(path) {
      const all = (await control('requests')) as { method: string; path: string; status: number }[];
      return all.filter((one) => !one.path.includes('oauth2') && (path === undefined || one.path.includes(path)));
    },
    type: (command, text = '', user = U_AGENT, channel = C_SUPPORT) => ws.command({ user, channel, command, text }),
    again: open,
    async settled() {
      await slack.idle();
      await gate.idle();
      await slack.idle();
    },
  };
}

export function secretNames(fields: readonly Field[]): string[] {
  return fields.flatMap((field) => [...(field.secret ? [field.name] : []), ...secretNames(field.fields ?? [])]);
}

/** Waits for a condition without a fixed sleep; real requests take real time. */
/** Everything a message shows, as one text. */
export function shown(message: Message | undefined): string {
  return message ? `${message.text}\n${JSON.stringify(message.blocks)}` : '';
}

/** Cards: durable messages of the app with a header. */
export function cards(ws: Workspace, channel: string = C_SUPPORT): Message[] {
  return ws
    .messages(channel)
    .filter(
      (message) =>
        message.ephemeralTo === undefined &&
        message.source === 'api' &&
        !message.threadTs &&
        message.blocks[0]?.type === 'header',
    );
}

export async function card(ws: Workspace, channel: string = C_SUPPORT): Promise<Message> {
  await until(() => cards(ws, channel).length > 0, 'a card');
  const found = cards(ws, channel).at(-1);
  if (!found) throw new Error('no card');
  return found;
}

/** Whispers to one person, newest last. */
export function whispers(ws: Workspace, user: string, channel: string = C_SUPPORT): Message[] {
  return ws.messages(channel).filter((message) => message.ephemeralTo === user);
}

/** The newest whisper once it says something. */
export async function whisper(
  ws: Workspace,
  user: string,
  says: string | RegExp,
  channel: string = C_SUPPORT,
): Promise<Message> {
  const fits = (message: Message) =>
    typeof says === 'string' ? shown(message).includes(says) : says.test(shown(message));
  await until(
    () => whispers(ws, user, channel).some(fits),
    `a whisper saying ${String(says)}; heard: ${whispers(ws, user, channel)
      .map((m) => m.text)
      .join(' | ')}`,
  );
  const found = whispers(ws, user, channel).filter(fits).at(-1);
  if (!found) throw new Error('no whisper');
  return found;
}

export function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
