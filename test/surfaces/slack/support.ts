import { createServer } from 'node:http';
import { afterEach, beforeAll } from 'vitest';
import type { Assistant } from '../../../src/assistant/assistant.ts';
import { enterAll, type Given } from '../../../src/demo/playground/forms.ts';
import { type Message, objects } from '../../../src/demo/playground/types.ts';
import { createWorkspace, type Workspace } from '../../../src/demo/playground/workspace.ts';
import type { Inbox } from '../../../src/events/inbox.ts';
import { EventService } from '../../../src/events/service.ts';
import { deciderOf } from '../../../src/gate/decisions.ts';
import type { Clock as SlackClock } from '../../../src/lib/clock.ts';
import { type Config, loadConfig } from '../../../src/lib/config.ts';
import { createAttempts, createBearers } from '../../../src/lib/http.ts';
import { openAssistant } from '../../../src/start/assistant.ts';
import { createRouter } from '../../../src/start/listener.ts';
import { openRuntime, type Runtime } from '../../../src/start/runtime.ts';
import type { Route, Surface } from '../../../src/start/surface.ts';
import { openMcp } from '../../../src/start/surfaces/index.ts';
import { createSlackApp, slackEvents } from '../../../src/start/surfaces/slack.ts';
import type { Slack, SlackConfig } from '../../../src/surfaces/slack/app.ts';
import { actorOf } from '../../support/approval.ts';
import { SkippingClock } from '../../support/clock.ts';
import { atEnd, listen } from '../../support/ending.ts';
import { makeFolder } from '../../support/folder.ts';
import { isOnPostgres } from '../../support/ledger.ts';
import { controlSandbox, onSandbox, openSandbox } from '../../support/on-sandbox.ts';
import type { ScriptedReader } from '../../support/readers.ts';
import { makeSchema } from '../../support/stores.ts';
import { until } from '../../support/until.ts';
import { C_APPROVALS, C_SUPPORT, S_APPROVERS, S_OPERATORS, U_AGENT, U_LEAD, U_VIEW } from './ids.ts';

export { until };

/** An approver who says yes outside Slack's messages. */
const PERSON = actorOf('slack:x', { surface: 'slack' });

/** One process of the product, on the stage's platform and workspace. `mcpUrl` is the address that Slackbot calls. */
type Process = Pick<Runtime, 'gate' | 'ledger' | 'client' | 'store' | 'batches' | 'worker'> & {
  url: string;
  mcpUrl: string;
  inbox: Inbox;
  slack: Slack;
  assistant: Assistant;
};

export type Stage = Awaited<ReturnType<typeof stage>>;

/** The settings of a stage; each can be set otherwise. */
const SETTINGS = {
  SLACK_BOT_TOKEN: 'xoxb-playground-bot',
  SLACK_SIGNING_SECRET: 'playground-signing-secret',
  SLACK_VIEWERS: [U_VIEW],
  SLACK_OPERATORS: [S_OPERATORS],
  SLACK_APPROVERS: [S_APPROVERS],
  SLACK_APPROVALS_CHANNEL: C_APPROVALS,
  SLACK_EVENTS_CHANNEL: C_APPROVALS,
  CONFIRM_VIA: ['slack', 'page'],
} as const;

export type StageSettings = Partial<SlackConfig & Pick<Config, 'CONFIRM_VIA' | 'CONFIRM_OWN' | 'CONFIRM_TWO_PERSON'>>;

interface StageOptions {
  /** False: the app is created and not started. */
  start?: boolean;
  /** The time limit of one request to the platform. */
  timeoutMs?: number;
  /** The platform's address, instead of the sandbox. */
  platform?: string;
  requestsPerMinute?: number;
  /** The time limit of one call to Slack. */
  slackTimeoutMs?: number;
  /** The time of the Slack workspace. */
  slackClock?: SlackClock;
  /** The address of a confirmation's page. */
  pages?: string;
  /** Settings of the process, for example DATA_DIR or DATABASE_URL of data that is there already. */
  env?: Readonly<Record<string, string>>;
  /** Reads plain words without a model; the reader of the build by default. */
  reader?: () => ScriptedReader;
  /** True: the platform's events are taken at `/events`, and shown in the channel for events. */
  events?: boolean;
}

/**
 * The product of `src/start` on the system's clock with skips, between two edges that a test scripts: a platform and a
 * Slack workspace.
 */
export async function stage(settings: StageSettings = {}, options: StageOptions = {}) {
  const sandbox = await openSandbox();
  const database = isOnPostgres ? await makeSchema() : undefined;
  const clock = new SkippingClock();
  // Slack's own time is the app's, so that a signature is as young as it says.
  const ws = createWorkspace({
    ...(options.slackClock ? { clock: options.slackClock } : {}),
    signatureTime: () => clock.now(),
  });
  await ws.listen();
  const dir = makeFolder();
  atEnd(async () => {
    await ws.close();
    await database?.drop();
  });
  const logged: string[] = [];
  const processes: Process[] = [];
  const open = async (changed: StageSettings = {}): Promise<Process> => {
    const config = loadConfig({
      ...onSandbox(options.platform ?? sandbox.url),
      PLATFORM_REQUESTS_PER_MINUTE: String(options.requestsPerMinute ?? 120),
      PLATFORM_TIMEOUT_MS: String(options.timeoutMs ?? 2_000),
      DATA_DIR: dir,
      LOG_LEVEL: 'debug',
      // Shorter than the default, so that tests of the expiry need few steps of the clock.
      CONFIRM_TTL_SECONDS: '300',
      ...(database && { DATABASE_URL: database.url }),
      ...environment({ ...SETTINGS, SLACK_API_URL: ws.apiUrl, ...settings, ...changed }),
      ...options.env,
    });
    const runtime = await openRuntime(config, {
      clock,
      pages: options.pages,
      writeLog: (line) => logged.push(logLine(line)),
    });
    const assistant = openAssistant(config, runtime, options.reader);
    const { slackTimeoutMs: timeoutMs } = options;
    const slack = await createSlackApp(config, { runtime, assistant }, timeoutMs === undefined ? {} : { timeoutMs });
    const bearers = createBearers(config, createAttempts(clock, runtime.log));
    const slackSurface = { name: 'slack', routes: [slackEvents(slack)], slackbot: slack.slackbot };
    const mcp = openMcp({ config, runtime, bearers, url: '', surfaces: [slackSurface] });
    const surfaces: Surface[] = [
      slackSurface,
      mcp,
      ...(options.events ? [{ name: 'events', routes: [eventRoute(runtime, slack)] }] : []),
    ];
    const router = createRouter({ config, surfaces, hosts: [], bearers, log: runtime.log });
    const server = createServer((request, response) => void router.handle(request, response));
    const url = await listen(server);
    if (config.slack === 'http') ws.setRequestUrl(`${url}/slack/events`);
    atEnd(async () => {
      server.closeAllConnections();
      server.close();
      await mcp.close?.();
      await assistant.close();
      await slack.close();
      await runtime.close();
    });
    if (options.start !== false) await slack.start();
    const { gate, ledger, client, store, batches, worker } = runtime;
    const inbox = runtime.inbox();
    const opened = { url, mcpUrl: `${url}/mcp`, gate, ledger, client, store, batches, inbox, slack, assistant, worker };
    processes.push(opened);
    return opened;
  };
  const first = await open();
  const { gate, slack } = first;
  const control = (path: string, body?: unknown): Promise<unknown> => controlSandbox(sandbox.url, path, body);
  const settled = async () => {
    await slack.idle();
    await gate.idle();
    await slack.idle();
  };
  const seen: ReturnType<typeof people> = people(ws, clock, settled);
  return {
    ...first,
    ...seen,
    ws,
    sandbox,
    clock,
    logged,
    /** DATA_DIR. */
    dir,
    control,
    /** Requests the platform saw, without tokens. */
    async requests(path?: string) {
      const all = (await control('requests')) as { method: string; path: string; status: number }[];
      return all.filter((one) => !one.path.includes('oauth2') && (path === undefined || one.path.includes(path)));
    },
    /** The action that waits and was asked for last. */
    async pending() {
      const [action] = await first.ledger.list({ states: ['pending'] });
      if (!action) throw new Error('nothing waits');
      return action;
    },
    /** Another approver changes a record, and says yes at once. */
    apply: (operation: string, input: Record<string, unknown>) =>
      gate.perform(operation, input, PERSON, { ask: async () => 'accept', decider: deciderOf(PERSON, 'slack') }),
    /** The platform delivers an event. */
    deliver: (path: string, body: object) =>
      fetch(`${first.url}/events/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    /** Another process on the same DATA_DIR and workspace. */
    again: open,
    settled,
    /** Resolves when no process has a job, change or Slack request under way, so that only time can bring more. */
    async quiet() {
      // A click begins a job, its end begins edits, and these may begin the next.
      for (let round = 0; round < 3; round += 1) {
        for (const one of processes) {
          await one.slack.idle();
          await one.worker.idle();
          await one.gate.idle();
        }
      }
    },
  };
}

/** A place with buttons: a message or its `ts`, the window on top, or the Home. */
type Place = { ts: string } | string | undefined;

/** What people see and do in the workspace: Ana (U_AGENT) asks and Lee (U_LEAD) decides unless another user is given. */
function people(ws: Workspace, clock: SkippingClock, settled: () => Promise<void>) {
  const view = (user: string = U_AGENT) => JSON.stringify(ws.openViews(user).at(-1)?.definition ?? '');
  const shows = (at: Place) => shown(ws.message(typeof at === 'string' ? at : (at?.ts ?? '')));
  const type = (command: string, text = '', user: string = U_AGENT, channel: string = C_SUPPORT) =>
    ws.command({ user, channel, command, text });
  /** Presses a button, and waits until its work has ended. */
  const press = async (at: Place, actionId: string, user: string = U_LEAD) => {
    const ts = typeof at === 'string' ? at : (at?.ts ?? '');
    const place = ts === 'view' || ts === 'home' ? { [ts]: true } : { messageTs: ts };
    const clicked = await ws.click({ user, actionId, ...place } as Parameters<Workspace['click']>[0]);
    await settled();
    return clicked;
  };
  /** Durable messages of the app with a header. */
  const cards = (channel: string = C_SUPPORT): Message[] =>
    ws
      .messages(channel)
      .filter(
        ({ ephemeralTo, source, threadTs, blocks }) =>
          ephemeralTo === undefined && source === 'api' && !threadTs && blocks[0]?.type === 'header',
      );
  /** Waits for a card, and returns the newest. */
  const card = async (channel?: string) => (await until(() => cards(channel).at(-1), 'a card')) as Message;
  /** Whispers to one person, newest last. */
  const whispers = (user: string = U_AGENT, channel: string = C_SUPPORT): Message[] =>
    ws.messages(channel).filter((message) => message.ephemeralTo === user);
  /** Waits until the window on top says this, and returns all that it says. */
  const opened = async (user: string = U_AGENT, says = '"type"'): Promise<string> => {
    await until(() => view(user).includes(says), `a window that says ${says}`);
    return view(user);
  };
  return {
    type,
    press,
    opened,
    /** The window on top, as one text. */
    view,
    /** Types a command that opens a form, and returns what the form says. */
    async form(command: string, line = '', user: string = U_AGENT) {
      await type(command, line, user);
      return opened(user);
    },
    /** Presses a button that opens a window, and returns what the window says. */
    async opens(at: Place, actionId: string, user: string = U_AGENT, says?: string) {
      await press(at, actionId, user);
      return opened(user, says);
    },
    /** Says yes on the newest card, and returns it as it is afterwards. */
    async confirm(user: string = U_LEAD, channel?: string): Promise<Message> {
      const { ts } = await card(channel);
      await press(ts, 'sb_confirm', user);
      return ws.message(ts) as Message;
    },
    /** What the Home of a person shows when they open it. */
    async home(user: string = U_AGENT): Promise<string> {
      await ws.openHome({ user });
      await until(() => ws.home(user) !== undefined, 'the Home');
      await settled();
      return JSON.stringify(ws.home(user)?.definition);
    },
    /** What a message shows now. */
    shows,
    /** Presses a button that the message had before, which its reader still sees, and returns the answers. */
    async pressOld(at: Place, actionId: string, value: string, user: string = U_LEAD): Promise<string[]> {
      await settled();
      const before = whispers(user).length;
      const old = { type: 'button', action_id: actionId, text: { type: 'plain_text', text: 'x' }, value };
      const message = ws.message(typeof at === 'string' ? at : (at?.ts ?? ''));
      message?.blocks.push({ type: 'actions', block_id: `old ${actionId}`, elements: [old] });
      await ws.click({ user, messageTs: message?.ts ?? '', actionId, blockId: `old ${actionId}` });
      await settled();
      return whispers(user).slice(before).map(shown);
    },
    /** Takes everybody off the groups of operators and approvers, which is known after ten seconds. */
    dismiss() {
      for (const id of [S_APPROVERS, S_OPERATORS]) ws.state.groups.get(id)?.users.splice(0);
      clock.skip(10_000);
    },
    /** Sends the window on top with these values over those that it started from. */
    async sends(values: Record<string, Given> = {}, user: string = U_AGENT) {
      const window = ws.openViews(user).at(-1);
      if (window) enterAll(window, values);
      const sent = await ws.submit({ user });
      await settled();
      return sent;
    },
    /** What is entered for inputs of the window on top, by their path and type. Records are looked up in their pickers. */
    async fills(valueAt: (path: string, type: string) => Given | undefined, user: string = U_AGENT) {
      const entered: Record<string, Given> = {};
      for (const block of objects(ws.openViews(user).at(-1)?.definition.blocks)) {
        const [blockId, { type, action_id: actionId }] = [String(block.block_id), record(block.element)];
        const value = block.type === 'input' ? valueAt(blockId, String(type)) : undefined;
        if (value === undefined) continue;
        entered[blockId] = value;
        if (type === 'external_select')
          await ws.suggest({ user, view: true, actionId: String(actionId), blockId, value: String(value) });
      }
      return entered;
    },
    /** Types into a picker of the window on top, and returns what it offers. */
    suggest: (blockId: string, value: string, user: string = U_AGENT) =>
      ws.suggest({ user, view: true, actionId: 'sb_pick', blockId, value }),
    /** What the app wrote to a person alone, as one text. */
    direct: (user: string = U_AGENT) => ws.messages(ws.state.im(user).id).map(shown).join('\n'),
    /** Waits until a message says this, and returns all that it shows. */
    async says(at: Place, text: string | RegExp): Promise<string> {
      const fits = () => (typeof text === 'string' ? shows(at).includes(text) : text.test(shows(at)));
      await until(fits, `a message that says ${text}`);
      return shows(at);
    },
    card,
    cards,
    whispers,
    /** All whispers to a person as one text. */
    whispered: (user?: string) => whispers(user).map(shown).join('\n'),
    /** Waits until a whisper contains this text, and returns the newest one. */
    async whisper(says: string | RegExp, user?: string, channel?: string): Promise<Message> {
      const fits = (message: Message) =>
        typeof says === 'string' ? shown(message).includes(says) : says.test(shown(message));
      const heard = () => whispers(user, channel).map(({ text }) => text);
      return until(() => whispers(user, channel).findLast(fits), `a whisper saying ${says}`).catch((error) => {
        throw new Error(`${error}; heard: ${heard().join(' | ')}`);
      }) as Promise<Message>;
    },
    /** Waits for a reply of the app in a thread of the channel that says this. It tells an outcome to the requester. */
    async told(says: string, channel: string = C_SUPPORT): Promise<string> {
      const isReply = (one: Message) => one.threadTs !== undefined && shown(one).includes(says);
      return shown(await until(() => ws.messages(channel).findLast(isReply), `a reply saying ${says}`));
    },
  };
}

/**
 * One stage for all tests of a `describe`. Each test finds it as if it were new: the platform's records are the first ones,
 * and no action, message, window or line of the log is left. A stage for each test would take most of its time.
 */
export function sharedStage(settings: StageSettings = {}): () => Stage {
  let shared: Stage | undefined;
  beforeAll(async () => {
    shared = await stage(settings, { requestsPerMinute: 10_000 });
    // A start warms up too. Without it, the first form waits for the roles of its person and is not opened in time.
    await shared.slack.warmUp();
    await renewed(shared);
  });
  afterEach(async () => shared && renewed(shared));
  return () => {
    if (!shared) throw new Error('the stage is opened before the first test');
    return shared;
  };
}

async function renewed(s: Stage): Promise<void> {
  await s.settled();
  await s.store.database('ledger').run('DELETE FROM actions');
  s.ws.state.clear();
  s.logged.length = 0;
  await s.control('reset', { keepTokens: true });
  // Many calls wait for no limit.
  await s.control('settings', { requestsPerMinute: 10_000 });
}

/** Takes the platform's events and handles those of the inbox as `switchboard start` does. */
function eventRoute(runtime: Runtime, slack: Slack): Route {
  const feed = slack.openEvents(runtime.store.database('slack-events'));
  if (!feed) throw new Error('no channel for events');
  const service = new EventService(runtime, feed);
  atEnd(() => service.close());
  return {
    path: '/events',
    below: true,
    access: 'open',
    handle: (request, response, path) => service.handle(request, response, path),
  };
}

/** Returns settings as environment variables: lists with commas, without the unset ones. */
function environment(settings: Readonly<Record<string, unknown>>): Record<string, string> {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    given.map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : String(value)]),
  );
}

/** A line of the log as `warn message {"field":…}`. */
function logLine(line: string): string {
  const { level, time: _, msg, ...fields } = record(JSON.parse(line));
  return `${LEVELS[Number(level)] ?? String(level)} ${String(msg)} ${JSON.stringify(fields)}`;
}

const LEVELS: Readonly<Record<number, string>> = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error' };

/** Everything a message shows, as one text. */
export function shown(message: Message | undefined): string {
  return message ? `${message.text}\n${JSON.stringify(message.blocks)}` : '';
}

/** Makes the choices that other fields of the form depend on. Each may bring another one. */
export async function choose(s: Stage, user: string, input: Record<string, unknown>): Promise<void> {
  const made = new Set<string>();
  for (;;) {
    const next = objects(s.ws.openViews(user).at(-1)?.definition.blocks).find(
      (block) => block.dispatch_action === true && !made.has(String(block.block_id)),
    );
    if (!next) return;
    const blockId = String(next.block_id);
    made.add(blockId);
    if (input[blockId] === undefined) continue;
    const value = String(input[blockId]);
    await s.ws.click({ user, view: true, actionId: String(record(next.element).action_id), blockId, value });
    await s.settled();
  }
}

/** A click on Decline. The window that opens afterwards stays open. */
export async function decline(s: Pick<Stage, 'ws'>, at: ClickAt, reason?: string): Promise<void> {
  await s.ws.click({ ...at, actionId: 'sb_decline' });
  const asks = () => JSON.stringify(s.ws.openViews(at.user).at(-1)?.definition ?? '').includes('sb_reason');
  await until(asks, 'the window that declines');
  await s.ws.submit({ user: at.user, values: reason === undefined ? {} : { sb_reason: reason } });
}

/** The place of a button: on a message, or in the window on top. */
type ClickAt = { user: string } & ({ messageTs: string } | { view: true });

export function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
