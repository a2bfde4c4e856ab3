import { randomBytes } from 'node:crypto';
import { tools } from '../../../tools/index.ts';
import type { Assistant } from '../../assistant/assistant.ts';
import { SHOW_JOB } from '../../batches/store.ts';
import { LATER } from '../../ledger/rows.ts';
import { isLoopback, urlHost } from '../../lib/values.ts';
import { forgetActivity } from '../../store/schema.ts';
import { SqliteStore } from '../../store/sqlite.ts';
import type { Slack, SlackConfig, SlackOptions } from '../../surfaces/slack/app.ts';
import { remembered } from '../metrics.ts';
import type { Runtime } from '../runtime.ts';
import type { RequestHandler, Route, Surface, SurfaceContext } from '../surface.ts';

/** Slack as configured. In demo mode without Slack, the playground takes its place. */
export async function openSlack({ config, runtime, assistant }: SurfaceContext): Promise<Surface | undefined> {
  if (!config.slack) {
    if (config.demo) return undefined;
    // Nothing draws actions and batches here.
    for (const kind of [LATER.show, SHOW_JOB]) runtime.worker.on(kind, async () => undefined);
    return { name: 'slack', lines: ['  Slack          not configured (SLACK_BOT_TOKEN)'] };
  }
  const slack = await createSlackApp(config, { runtime, assistant });
  await slack.start();
  const answers = remembered(() => slack.health(), runtime.clock);
  return {
    name: 'slack',
    routes: [slackEvents(slack)],
    feed: slack.openEvents(runtime.store.database('slack-events')),
    slackbot: slack.slackbot,
    lines: [`  Slack          ${config.slack === 'socket' ? 'Socket Mode' : 'HTTP at /slack/events'}`],
    // While Socket Mode connects, the check does not call Slack. Its failure is not remembered, because that would hide
    // the connection.
    ready: () => (slack.connected ? answers() : slack.health()),
    warmUp: () => slack.warmUp(),
    close: () => slack.close(),
  };
}

/** `options.timeoutMs` is the timeout of one call to Slack, in ms. */
export async function createSlackApp(
  config: SlackConfig,
  { runtime, assistant }: { runtime: Runtime; assistant: Assistant },
  options: Pick<SlackOptions, 'timeoutMs'> = {},
): Promise<Slack> {
  // Bolt is large, so it is loaded only if Slack is used.
  const app = await import('../../surfaces/slack/app.ts');
  const { gate, batches, clock, log, jobs, worker, store } = runtime;
  const shared = { gate, batches, clock, log, jobs, worker, seen: store.database('slack-seen') };
  const slack = new app.Slack({ config, tools, assistant, ...shared, ...options });
  runtime.requesters.isOperatorInSlack = (person) => slack.isOperator(person);
  return slack;
}

/** Requests that Slack signs. */
export function slackEvents(slack: Slack): Route {
  return { path: '/slack/events', access: 'open', handle: (request, response) => slack.handle(request, response) };
}

/** The workspace's own interface, below the page's path. */
const PREFIX = '/playground/slack';

/** In demo mode without Slack settings, a local page takes Slack's place. */
export async function openPlayground(context: SurfaceContext): Promise<Surface | undefined> {
  const { config, runtime, assistant, port } = context;
  if (config.slack || !config.demo) return undefined;
  const base = `http://${isLoopback(config.HOST) ? urlHost(config.HOST) : '127.0.0.1'}:${port}`;
  const { createWorkspace } = await import('../../demo/playground/workspace.ts');
  const { createPlayground } = await import('../../demo/playground/page.ts');
  const { ScriptedSlackbot } = await import('../../demo/playground/slackbot.ts');
  const { EXAMPLES, tourOf } = await import('../../demo/playground/tour.ts');
  const { BOT_EVENTS } = await import('../../surfaces/slack/manifest.ts');
  const { commandList } = await import('../../surfaces/slack/listeners/commands.ts');
  const { guideShortcut, IDS } = await import('../../surfaces/slack/types.ts');
  const { guides } = await import('../../../tools/surfaces/tasks.ts');
  const workspace = createWorkspace({
    clock: runtime.clock,
    prefix: PREFIX,
    baseUrl: base,
    requestUrl: `${base}/slack/events`,
    events: BOT_EVENTS,
    // The page is shown on this computer, so its zone is the reader's.
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    // The secrets are new at each start, so those of an earlier start are worthless.
    botToken: `xoxb-${randomBytes(24).toString('hex')}`,
    appToken: `xapp-${randomBytes(24).toString('hex')}`,
    signingSecret: randomBytes(24).toString('hex'),
  });
  const { ids } = workspace;
  const slackConfig: SlackConfig = {
    ...config,
    SLACK_BOT_TOKEN: workspace.botToken,
    SLACK_SIGNING_SECRET: workspace.signingSecret,
    SLACK_API_URL: `${base}${PREFIX}/api/`,
    SLACK_VIEWERS: ['*'],
    SLACK_OPERATORS: [ids.S_OPERATORS],
    SLACK_APPROVERS: [ids.S_APPROVERS],
    SLACK_APPROVALS_CHANNEL: ids.C_APPROVALS,
    SLACK_EVENTS_CHANNEL: ids.C_EVENTS,
  };
  const slack = await createSlackApp(slackConfig, { runtime, assistant });
  const page = createPlayground({
    workspace,
    slackbot: new ScriptedSlackbot({ workspace, mcpUrl: `${base}/mcp` }),
    commands: commandList(tools, config.SLACK_COMMAND_PREFIX).map((one) => ({ ...one, usageHint: one.hint })),
    messageShortcuts: [{ callbackId: IDS.messageShortcut, name: 'Look up numbers' }],
    globalShortcuts: [
      { callbackId: IDS.globalShortcut, name: 'Look up a number' },
      ...guides.map(({ name, title }) => ({ callbackId: guideShortcut(name), name: title })),
    ],
    tour: tourOf(ids, IDS.confirm),
    answers: { model: config.ASSISTANT_MODEL },
    ...EXAMPLES,
  });
  await slack.start();
  // The workspace loses its messages when the process ends, so the feed's records of them are in memory too.
  const shown = new SqliteStore({ path: ':memory:', clock: runtime.clock }).database('slack-events');
  const handle: RequestHandler = async (request, response, path) =>
    (path.startsWith(PREFIX) && (await workspace.handle(request, response))) || page.handle(request, response);
  return {
    name: 'playground',
    routes: [slackEvents(slack), { path: '/playground', below: true, access: 'demo', handle }],
    slackbot: slack.slackbot,
    feed: slack.openEvents(shown),
    forget: async () => {
      await forgetActivity(shown);
      workspace.state.clear();
    },
    // Behind a public address the router refuses the page.
    lines: [
      config.public
        ? '  Playground     not served, because others can reach this server (PUBLIC_URL, HOST): set SLACK_* for a workspace'
        : `  Playground     ${base}/playground (no SLACK_* settings: a local page stands in for Slack)`,
    ],
    ...(config.public ? {} : { link: `${base}/playground` }),
    home: '/playground',
    upgrade: (request, socket, head) => workspace.handleUpgrade(request, socket, head),
    close: async () => {
      await slack.close();
      await workspace.close();
    },
  };
}
