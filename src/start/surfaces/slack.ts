import { groups } from '../../../tools/groups.ts';
import { tools } from '../../../tools/index.ts';
import type { Assistant } from '../../assistant/assistant.ts';
import { SHOW_JOB } from '../../batches/store.ts';
import { WATCH_ENDED } from '../../events/watches.ts';
import { LATER } from '../../ledger/later.ts';
import type { Slack, SlackConfig, SlackOptions } from '../../surfaces/slack/app.ts';
import { remembered } from '../metrics.ts';
import type { Runtime } from '../runtime.ts';
import type { Route, Surface, SurfaceContext } from '../surface.ts';

/** Slack as configured. In demo mode without Slack, the playground takes its place. */
export async function openSlack({ config, runtime, assistant }: SurfaceContext): Promise<Surface | undefined> {
  if (!config.slack) {
    if (config.demo) return undefined;
    // Nothing draws actions, batches and watches here.
    for (const kind of [LATER.show, SHOW_JOB, WATCH_ENDED]) runtime.worker.on(kind, async () => undefined);
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
  const slack = new app.Slack({
    config,
    gate: runtime.gate,
    batches: runtime.batches,
    tools,
    groups,
    assistant,
    clock: runtime.clock,
    log: runtime.log,
    seen: runtime.store.database('slack-seen'),
    jobs: runtime.jobs,
    worker: runtime.worker,
    ...options,
  });
  runtime.requesters.isOperatorInSlack = (person) => slack.isOperator(person);
  return slack;
}

/** Requests that Slack signs. */
export function slackEvents(slack: Slack): Route {
  return {
    path: '/slack/events',
    access: 'open',
    handle: (request, response) => slack.handle(request, response),
  };
}
