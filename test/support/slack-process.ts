import { createWorkspace, IDS, type Workspace } from '../../src/demo/playground/workspace.ts';
import { type Sandbox, startSandbox } from '../../src/demo/sandbox/index.ts';
import { makeFolder } from './folder.ts';
import { type ScriptedModel, scriptedModel } from './models.ts';
import { onSandbox } from './on-sandbox.ts';
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
  close(): Promise<void>;
}

interface SlackProcess {
  running: Running;
  /** The address to which Slack delivers events. */
  events: string;
  /** Its working folder, with its DATA_DIR. */
  folder: string;
}

export async function surroundings(): Promise<Surroundings> {
  const sandbox = await startSandbox();
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
  const closers: (() => unknown)[] = [() => ws.close(), () => sandbox.close(), () => model.close()];
  return {
    ...{ ws, sandbox, model, env },
    start: async (more = {}) => {
      const folder = makeFolder();
      const running = startCli(['start'], folder.path, { ...env, ...more });
      closers.push(folder.remove, () => running.stop('SIGKILL'));
      const [, url = ''] = await running.said(/listens on (http:\/\/127\.0\.0\.1:\d+)/);
      return { running, events: `${url}/slack/events`, folder: folder.path };
    },
    close: async () => {
      for (const close of closers.splice(0).reverse()) await close();
    },
  };
}
