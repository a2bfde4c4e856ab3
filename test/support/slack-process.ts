import { createWorkspace, IDS } from '../../src/demo/playground/workspace.ts';
import { atEnd } from './ending.ts';
import { scriptedModel } from './models.ts';
import { onSandbox, openSandbox } from './on-sandbox.ts';
import { startServer } from './process.ts';

export type Surroundings = Awaited<ReturnType<typeof surroundings>>;

/** A Slack workspace, a platform and a scripted model, for processes of the product that run beside the test. */
export async function surroundings() {
  const sandbox = await openSandbox();
  const model = await scriptedModel('openai-compatible');
  const ws = createWorkspace();
  await ws.listen();
  /** The settings of a process in these surroundings. */
  const env: Record<string, string> = {
    ...onSandbox(sandbox.url),
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
    /** Starts `switchboard start`. All processes get Slack's events at their own address: see `Workspace.setRequestUrl`. */
    start: async (more: Record<string, string> = {}) => {
      const started = await startServer({ ...env, ...more });
      return { ...started, events: `${started.url}/slack/events` };
    },
  };
}
