import { createWorkspace, IDS, type Workspace } from '../../src/demo/playground/workspace.ts';
import type { Sandbox } from '../../src/demo/sandbox/index.ts';
import { atEnd } from './ending.ts';
import { makeFolder } from './folder.ts';
import { type ScriptedModel, scriptedModel } from './models.ts';
import { onSandbox, openSandbox } from './on-sandbox.ts';
import { type Running, startCli } from './process.ts';

/** A Slack workspace, a platform and a scripted model, for processes of the product that run beside the test. */
export interface Surroundings {
  ws: Workspace;
  sandbox: Sandbox;
  model: ScriptedModel;
  /** The settings of a process in these surroundings. */
  env: Record<string, string>;
  /** Starts `switchboard start`. All processes get Slack's events at their own address: see `Workspace.setRequestUrl`. */
  start(env?: Record<string, string>): Promise<SlackProcess>;
}

interface SlackProcess {
  running: Running;
  /** The address to which Slack delivers events. */
  events: string;
  /** Its working folder, with its DATA_DIR. */
  folder: string;
}

export async function surroundings(): Promise<Surroundings> {
  const sandbox = await openSandbox();
  const model = await scriptedModel('openai-compatible');
  const ws = createWorkspace();
  await ws.listen();
  const env = {
    ...onSandbox(sandbox.url),
    PORT: '0',
    LOG_LEVEL: 'warn',
    SLACK_BOT_TOKEN: ws.botToken,
    SLACK_SIGNING_SECRET: ws.signingSecret,
    SLACK_API_URL: ws.apiUrl,
    SLACK_OPERATORS: IDS.S_OPERATORS,
    SLACK_APPROVERS: IDS.S_APPROVERS,
    SLACK_APPROVALS_CHANNEL: IDS.C_APPROVALS,
    ASSISTANT_MODEL: 'scripted',
    ASSISTANT_URL: model.url,
  };
  atEnd(() => ws.close());
  return {
    ...{ ws, sandbox, model, env },
    start: async (more = {}) => {
      const folder = makeFolder();
      const running = startCli(['start'], folder, { ...env, ...more });
      const [, url = ''] = await running.said(/listens on (http:\/\/127\.0\.0\.1:\d+)/);
      return { running, events: `${url}/slack/events`, folder };
    },
  };
}
