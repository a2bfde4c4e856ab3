import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { groups } from '../../tools/groups.ts';
import { tools } from '../../tools/index.ts';
import type { EventFeed } from '../events/feed.ts';
import { systemClock } from '../lib/clock.ts';
import type { Config } from '../lib/config.ts';
import type { SlackConfig } from '../surfaces/slack/app.ts';
import type { Runtime } from './runtime.ts';

/** A part of the server: answers true when the request was its own. */
export type RequestHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
) => Promise<boolean> | boolean;

/** What Slack and the playground add to the server. */
export interface Parts {
  /** Called from elsewhere, with credentials of their own. */
  open: RequestHandler[];
  /** For people at this computer; Host and Origin are checked before. */
  guarded: RequestHandler[];
  /** For the start-up text. */
  lines: string[];
  home: string | undefined;
  /** Shows events of the platform to people; undefined where there is nobody to show them to. */
  show: EventFeed | undefined;
  /** Rejects with a reason when Slack cannot be reached. */
  slackReady: () => Promise<void>;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  close(): Promise<void>;
}

const PREFIX = '/playground/slack';

/** Slack as configured; otherwise, in a demo, the local playground stands in for it. */
export async function openParts(config: Config, runtime: Runtime, port: number): Promise<Parts> {
  if (config.slack) return openSlack(config, runtime);
  if (config.demo) return openPlayground(config, runtime, port);
  return {
    open: [],
    guarded: [],
    lines: ['  Slack          not configured (SLACK_BOT_TOKEN)'],
    home: undefined,
    show: undefined,
    slackReady: async () => undefined,
    upgrade: () => false,
    close: async () => undefined,
  };
}

async function openSlack(config: Config, runtime: Runtime): Promise<Parts> {
  const slack = await makeSlack(config, runtime);
  await slack.start();
  return {
    open: [
      async (request, response, path) => {
        if (path !== '/slack/events') return false;
        await slack.handle(request, response);
        return true;
      },
    ],
    guarded: [],
    lines: [`  Slack          ${config.slack === 'socket' ? 'Socket Mode' : 'HTTP at /slack/events'}`],
    home: undefined,
    show: slack.openEvents(runtime.file('slack-events.db')),
    slackReady: () => slack.health(),
    upgrade: () => false,
    close: () => slack.close(),
  };
}

async function openPlayground(config: Config, runtime: Runtime, port: number): Promise<Parts> {
  const [{ createWorkspace }, { createPlayground }, { commandList }, { guideShortcut, SHORTCUTS }, { guidesFor }] =
    await Promise.all([
      import('../demo/playground/workspace.ts'),
      import('../demo/playground/page.ts'),
      import('../surfaces/slack/listeners/commands.ts'),
      import('../surfaces/slack/ids.ts'),
      import('../surfaces/slack/flows/guide.ts'),
    ]);
  const base = `http://127.0.0.1:${port}`;
  const workspace = createWorkspace({
    clock: systemClock,
    prefix: PREFIX,
    baseUrl: base,
    requestUrl: `${base}/slack/events`,
    // Made at each start: what a page or a program learned of an earlier one is worth nothing.
    botToken: `xoxb-${randomBytes(24).toString('hex')}`,
    appToken: `xapp-${randomBytes(24).toString('hex')}`,
    signingSecret: randomBytes(24).toString('hex'),
  });
  const { ids } = workspace;
  const slack = await makeSlack(
    {
      ...config,
      SLACK_BOT_TOKEN: workspace.botToken,
      SLACK_SIGNING_SECRET: workspace.signingSecret,
      SLACK_API_URL: `${base}${PREFIX}/api/`,
      SLACK_VIEWERS: ['*'],
      SLACK_OPERATORS: [ids.S_OPERATORS],
      SLACK_APPROVERS: [ids.S_APPROVERS],
      SLACK_EVENTS_CHANNEL: ids.C_EVENTS,
    },
    runtime,
  );
  const playground = createPlayground({
    workspace,
    commands: commandList(tools, groups, config.SLACK_COMMAND_PREFIX).map(({ command, description, hint }) => ({
      command,
      description,
      usageHint: hint,
    })),
    messageShortcuts: [{ callbackId: SHORTCUTS.message, name: 'Look up numbers' }],
    globalShortcuts: [
      { callbackId: SHORTCUTS.global, name: 'Look up a number' },
      ...guidesFor(tools).map(({ name, title }) => ({ callbackId: guideShortcut(name), name: title })),
    ],
    examples: [
      '/number +12015550101',
      '/numbers cancel +12015550103',
      '/numbers portin guide +13125550190',
      '/numbers help',
    ],
  });
  await slack.start();
  return {
    open: [
      async (request, response, path) => {
        if (path !== '/slack/events') return false;
        await slack.handle(request, response);
        return true;
      },
    ],
    guarded: [
      // The stand-in's own interface lies below the page's path, so it is asked first.
      async (request, response, path) => (path.startsWith(PREFIX) ? workspace.handle(request, response) : false),
      async (request, response, path) =>
        path.startsWith('/playground') ? playground.handle(request, response) : false,
    ],
    lines: [`  Playground     ${base}/playground (no SLACK_* settings: a local page stands in for Slack)`],
    home: '/playground',
    show: slack.openEvents(':memory:'),
    slackReady: async () => undefined,
    upgrade: (request, socket, head) => workspace.handleUpgrade(request, socket, head),
    close: async () => {
      await slack.close();
      await workspace.close();
    },
  };
}

async function makeSlack(config: SlackConfig, runtime: Runtime) {
  // Bolt is loaded where Slack is used, and nowhere else.
  const { createSlack } = await import('../surfaces/slack/app.ts');
  return createSlack({
    config,
    gate: runtime.gate,
    tools,
    groups,
    clock: systemClock,
    log: runtime.log,
    seenFile: runtime.file('slack-seen.db'),
  });
}
