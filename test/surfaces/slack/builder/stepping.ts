import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Execution } from '../../../../src/demo/playground/types.ts';
import { C_APPROVALS, card, type Stage, type StageSettings, shown, stage, U_AGENT, U_LEAD, until } from '../support.ts';

export const CANCELLED = '+12015550103';

/** A product with steps switched on. */
export function stepStage(settings: StageSettings = {}, options: Parameters<typeof stage>[1] = {}): Promise<Stage> {
  return stage({ SLACK_WORKFLOW_STEPS: true, ...settings }, options);
}

/** Runs a step for Ana. Resolves to the id of its execution once the app has acknowledged it. */
export async function begin(s: Stage, callbackId: string, inputs: Record<string, unknown>): Promise<string> {
  const sent = await s.ws.runStep({ callbackId, inputs: { claimed_user: U_AGENT, ...inputs } });
  if (sent.status !== 200) throw new Error(`the step was answered with ${sent.status}: ${sent.body}`);
  return sent.executionId;
}

/** Returns an execution in Slack's present state. */
export function execution(s: Stage, id: string): Execution {
  const found = s.ws.state.executions.get(id);
  if (!found) throw new Error(`no execution ${id}`);
  return found;
}

/** The execution once it has ended. `skipMs`: time that passes between two looks. */
export async function ended(s: Stage, id: string, skipMs = 0): Promise<Execution> {
  await until(
    () => {
      s.clock.skip(skipMs);
      return execution(s, id).state !== 'running';
    },
    `the end of ${id}; errors: ${s.logged.filter((line) => /^(error|warn)/.test(line)).join('\n')}`,
  );
  return execution(s, id);
}

/** The card of a step's question, in the approvers' channel. */
export async function question(s: Stage): Promise<{ ts: string; text: string }> {
  const { ts } = await card(s.ws, C_APPROVALS);
  return { ts, text: shown(s.ws.message(ts)) };
}

/** Lee, an approver, presses a button of a card. */
export function press(s: Stage, ts: string, actionId: 'sb_confirm' | 'sb_decline', user: string = U_LEAD) {
  return s.ws.click({ user, messageTs: ts, actionId });
}

/** Lee declines by a card. Resolves when the window that asks why is open. */
export async function decline(s: Stage, ts: string): Promise<void> {
  await press(s, ts, 'sb_decline');
  const why = () => JSON.stringify(s.ws.openViews(U_LEAD).at(-1)?.definition ?? '');
  await until(() => why().includes('sb_reason'), 'the window');
}

/** The jobs of steps that are left. */
export function jobsOf(s: Stage): Promise<unknown[]> {
  return s.store.database('ledger').all("SELECT id FROM jobs WHERE kind LIKE 'slack.step%'");
}

/** Number of executions that have not begun completely. */
export async function begun(s: Stage): Promise<number> {
  const sql = "SELECT 1 FROM key_values WHERE kind = 'workflow step' AND value = 'begun'";
  return (await s.store.database('slack-seen').all(sql)).length;
}

/** Everything in the database file of the process, as text. */
export function storedBytes(s: Stage): string {
  return ['switchboard.db', 'switchboard.db-wal'].map((name) => read(join(s.dir, name))).join('');
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
