import { randomBytes } from 'node:crypto';
import { groups } from '../../../tools/groups.ts';
import { tools } from '../../../tools/index.ts';
import type { Playground } from '../../demo/playground/page.ts';
import type { Workspace } from '../../demo/playground/workspace.ts';
import type { Config } from '../../lib/config.ts';
import { isLoopback, urlHost } from '../../lib/http.ts';
import { forgetActivity } from '../../store/schema.ts';
import { SqliteStore } from '../../store/sqlite.ts';
import type { SlackConfig } from '../../surfaces/slack/app.ts';
import type { Surface, SurfaceContext } from '../surface.ts';
import { createSlackApp, slackEvents } from './slack.ts';

/** The workspace's own interface, below the page's path. */
const PREFIX = '/playground/slack';

/** In demo mode without Slack settings, a local page takes Slack's place. */
export async function openPlayground({
  config,
  runtime,
  assistant,
  port,
}: SurfaceContext): Promise<Surface | undefined> {
  if (config.slack || !config.demo) return undefined;
  const base = `http://${isLoopback(config.HOST) ? urlHost(config.HOST) : '127.0.0.1'}:${port}`;
  const [{ createWorkspace }, { BOT_EVENTS }] = await Promise.all([
    import('../../demo/playground/workspace.ts'),
    import('../../surfaces/slack/manifest.ts'),
  ]);
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
  const slack = await createSlackApp(slackConfig(config, workspace, base), { runtime, assistant });
  const page = await createPage(config, workspace, `${base}/mcp`);
  await slack.start();
  // The workspace loses its messages when the process ends, so the feed's records of them are in memory too.
  const shown = new SqliteStore({ path: ':memory:', clock: runtime.clock }).database('slack-events');
  return {
    name: 'playground',
    routes: [
      slackEvents(slack),
      {
        path: '/playground',
        below: true,
        access: 'demo',
        handle: async (request, response, path) =>
          (path.startsWith(PREFIX) && (await workspace.handle(request, response))) || page.handle(request, response),
      },
    ],
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

function slackConfig(config: Config, workspace: Workspace, base: string): SlackConfig {
  const { ids } = workspace;
  return {
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
}

async function createPage(config: Config, workspace: Workspace, mcpUrl: string): Promise<Playground> {
  const [
    { createPlayground },
    { ScriptedSlackbot },
    { EXAMPLES, tourOf },
    { commandList },
    { guideShortcut, IDS },
    { guidesFor },
  ] = await Promise.all([
    import('../../demo/playground/page.ts'),
    import('../../demo/playground/slackbot.ts'),
    import('../../demo/playground/tour.ts'),
    import('../../surfaces/slack/listeners/commands.ts'),
    import('../../surfaces/slack/types.ts'),
    import('../../../tools/surfaces/tasks.ts'),
  ]);
  return createPlayground({
    workspace,
    slackbot: new ScriptedSlackbot({ workspace, mcpUrl }),
    commands: commandList(tools, groups, config.SLACK_COMMAND_PREFIX).map(({ command, description, hint }) => ({
      command,
      description,
      usageHint: hint,
    })),
    messageShortcuts: [{ callbackId: IDS.messageShortcut, name: 'Look up numbers' }],
    globalShortcuts: [
      { callbackId: IDS.globalShortcut, name: 'Look up a number' },
      ...guidesFor(tools).map(({ name, title }) => ({ callbackId: guideShortcut(name), name: title })),
    ],
    tour: tourOf(workspace.ids, IDS.confirm),
    answers: { model: config.ASSISTANT_MODEL },
    ...EXAMPLES,
  });
}
