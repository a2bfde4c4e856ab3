import { describe, expect, it } from 'vitest';
import type { Action } from '../../../../src/ledger/ledger.ts';
import type { Actor } from '../../../../src/lib/actor.ts';
import { stepsOf } from '../../../../src/surfaces/slack/types.ts';
import { ASSISTANT, C_APPROVALS, card, cards, type Stage, stage, U_AGENT, U_LEAD, until } from '../support.ts';
import {
  begin,
  begun,
  CANCELLED,
  decline,
  ended,
  execution,
  jobsOf,
  press,
  question,
  stepStage,
  storedBytes,
} from './stepping.ts';

const HOUR_MS = 3_600_000;

/** Starts a step that cancels a number for a person. `event` is the delivery that Slack may send again. */
async function cancelling(s: Stage, person: string) {
  const inputs = { number: CANCELLED, claimed_user: person };
  const sent = await s.ws.runStep({ callbackId: 'request_cancellation', inputs });
  const { event } = JSON.parse(s.ws.bytesToApp().at(-1)?.raw ?? '');
  return { sent, event };
}

/** The step has begun, and what came of it was not noted. */
async function seemsBegun(s: Stage): Promise<void> {
  await s.store.database('slack-seen').run("UPDATE key_values SET value = 'begun' WHERE kind = 'workflow step'");
}

describe('an execution', () => {
  it('asks once, however often Slack sends it', async () => {
    const s = await stepStage();
    const { sent, event } = await cancelling(s, U_AGENT);
    await s.ws.event(event, { retryNum: 1 });
    const { ts } = await question(s);
    await press(s, ts, 'sb_confirm');
    await ended(s, sent.executionId);
    // A new delivery, also after a restart, when its job is long done.
    await s.ws.event(event);
    await s.slack.close();
    await s.again();
    await s.ws.event(event);
    await until(async () => (await jobsOf(s)).length === 0, 'no job is left');
    expect(await s.gate.actions.list({ whole: true })).toHaveLength(1);
    expect(s.ws.calls('functions.completeSuccess')).toHaveLength(1);
  });

  it('whose start was interrupted finds the question that it asked', async () => {
    const s = await stepStage();
    const { sent, event } = await cancelling(s, U_AGENT);
    const { ts } = await question(s);
    await until(async () => (await begun(s)) === 0, 'it has begun');
    s.ws.fail('functions.completeSuccess', { status: 503 }, 3);
    await press(s, ts, 'sb_confirm');
    await until(() => s.ws.calls('functions.completeSuccess').length === 3, 'Slack is away');
    // This is the state after a crash right after the question was asked.
    await seemsBegun(s);
    await s.ws.event(event);
    expect((await ended(s, sent.executionId, 1_000)).outputs).toMatchObject({ status: 'done' });
    await until(async () => (await jobsOf(s)).length === 0, 'no job is left');
    expect(await s.gate.actions.list({ whole: true })).toHaveLength(1);
  });

  it('ends when its change is decided after a restart', async () => {
    const s = await stepStage();
    const id = await begin(s, 'request_cancellation', { number: CANCELLED });
    const { ts } = await question(s);
    await s.slack.close();
    await s.again();
    expect(execution(s, id).state).toBe('running');
    await press(s, ts, 'sb_confirm');
    expect((await ended(s, id)).outputs).toMatchObject({ status: 'done' });
  });

  it('ends after a restart when its change was decided while the app was down', async () => {
    const s = await stepStage();
    const id = await begin(s, 'request_cancellation', { number: CANCELLED });
    await question(s);
    const [asked] = await s.gate.actions.list({ whole: true });
    await s.slack.close();
    await s.ledger.decline(asked?.id ?? '', { person: 'token:lee', name: 'lee', way: 'page' });
    await s.again();
    expect((await ended(s, id)).outputs).toMatchObject({ status: 'declined', decided_by: 'token:lee (lee)' });
  });

  it('asks nobody if its time was over before a process could begin it', async () => {
    const s = await stepStage({}, { start: false });
    const id = await begin(s, 'request_cancellation', { number: CANCELLED, deadline_hours: 1 });
    s.clock.skip(HOUR_MS);
    await s.slack.start();
    expect((await ended(s, id)).outputs).toMatchObject({ status: 'expired', operation_id: '' });
    expect(await s.gate.actions.list({})).toEqual([]);
  });

  it('of the same question is told its end too', async () => {
    const s = await stepStage();
    const first = await begin(s, 'request_cancellation', { number: CANCELLED });
    const { ts } = await question(s);
    const second = await begin(s, 'request_cancellation', { number: CANCELLED });
    await until(
      async () => stepsOf((await s.gate.actions.list({ whole: true }))[0] as Action)[second] !== undefined,
      'both wait',
    );
    expect(cards(s.ws, C_APPROVALS)).toHaveLength(1);
    await press(s, ts, 'sb_confirm');
    expect((await ended(s, first)).outputs).toMatchObject({ status: 'done' });
    expect((await ended(s, second)).outputs).toMatchObject({ status: 'done' });
    expect(await s.requests('/cancel-order-submit')).toHaveLength(1);
  });

  it('of the same question asks again if that expires before its own deadline', async () => {
    const s = await stepStage({}, { env: { CONFIRM_TTL_SECONDS: '86400' } });
    const change = { operation: 'numbers update', parameters: `${CANCELLED} CnamFirstName=Bob` };
    const first = await begin(s, 'ask_for_change', { ...change, deadline_hours: 1 });
    await question(s);
    s.clock.skip(59 * 60_000);
    const second = await begin(s, 'ask_for_change', { ...change, deadline_hours: 24 });
    await until(
      async () => stepsOf((await s.gate.actions.list({ whole: true }))[0] as Action)[second] !== undefined,
      'both wait',
    );
    s.clock.skip(60_000);
    expect((await ended(s, first, 1_000)).outputs).toMatchObject({ status: 'expired' });
    await until(() => cards(s.ws, C_APPROVALS).length === 2, 'a second question');
    expect(execution(s, second).state).toBe('running');
    await press(s, cards(s.ws, C_APPROVALS).at(-1)?.ts ?? '', 'sb_confirm');
    expect((await ended(s, second)).outputs).toMatchObject({ status: 'done' });
  });

  it('that was interrupted after it had joined a question of others is told the end of that', async () => {
    const s = await stepStage();
    await s.type('/numbers', `cancel ${CANCELLED}`);
    await card(s.ws);
    const { sent, event } = await cancelling(s, U_LEAD);
    await until(async () => (await s.gate.actions.list({ whole: true }))[0]?.notes.steps !== undefined, 'it waits');
    await until(async () => (await begun(s)) === 0, 'it has begun');
    await s.slack.close();
    // This is the state after a crash right before the step was noted.
    const [asked] = await s.gate.actions.list({ whole: true });
    await s.gate.notes.merge(asked?.id ?? '', 'steps', { [sent.executionId]: undefined });
    await seemsBegun(s);
    await s.store.database('ledger').run("DELETE FROM jobs WHERE kind = 'slack.step.end'");
    await s.ws.event(event);
    const lee = { ...ASSISTANT, id: 'slack:T000DEMO/U000LEAD', role: 'approver', surface: 'slack', priority: 'person' };
    await s.gate.confirm(asked?.id ?? '', lee as Actor, 'slack');
    await until(async () => (await s.gate.actions.list({ whole: true }))[0]?.state === 'done', 'it is done');
    await s.again();
    expect((await ended(s, sent.executionId)).outputs).toMatchObject({ status: 'done' });
  });

  it('of a newer request for the same record replaces the earlier one, which ends with withdrawn', async () => {
    const s = await stepStage();
    const change = { operation: 'numbers update', parameters: `${CANCELLED} CnamFirstName=Bob` };
    const first = await begin(s, 'ask_for_change', change);
    await question(s);
    await begin(s, 'ask_for_change', { ...change, parameters: `${CANCELLED} CnamFirstName=Bea` });
    expect((await ended(s, first)).outputs).toMatchObject({
      status: 'withdrawn',
      message: expect.stringContaining('Replaced'),
    });
  });

  it('waits for the same question of another requester, and leaves it at its own deadline', async () => {
    const s = await stepStage({}, { env: { CONFIRM_TTL_SECONDS: '86400' } });
    await s.type('/numbers', `cancel ${CANCELLED}`);
    const { ts } = await card(s.ws);
    const id = await begin(s, 'request_cancellation', { number: CANCELLED, deadline_hours: 1, claimed_user: U_LEAD });
    const waits = async () => {
      const [action] = await s.gate.actions.list({ whole: true });
      return action !== undefined && stepsOf(action)[id] !== undefined;
    };
    await until(waits, 'it waits');
    expect(await s.gate.actions.list({ whole: true })).toHaveLength(1);
    s.clock.skip(HOUR_MS);
    expect((await ended(s, id, 1_000)).outputs).toMatchObject({
      status: 'expired',
      message: expect.stringContaining('still waits'),
    });
    expect((await s.gate.actions.list({ whole: true }))[0]).toMatchObject({ state: 'pending' });
    await press(s, ts, 'sb_decline');
    await until(async () => (await s.gate.actions.list({ whole: true }))[0]?.state === 'declined', 'it is declined');
    expect(s.ws.calls('functions.completeSuccess')).toHaveLength(1);
  });

  it('asks the named person too, who may be the only approver', async () => {
    const channels = { SLACK_APPROVALS_CHANNEL: undefined, SLACK_EVENTS_CHANNEL: undefined };
    const s = await stepStage(channels, { pages: 'https://sb.example.com' });
    const id = await begin(s, 'request_cancellation', { number: CANCELLED, claimed_user: U_LEAD });
    const direct = `D${U_LEAD.slice(1)}`;
    await until(() => s.ws.messages(direct).length === 1, 'a direct message');
    await press(s, s.ws.messages(direct)[0]?.ts ?? '', 'sb_confirm');
    expect((await ended(s, id)).outputs).toMatchObject({
      status: 'done',
      link: expect.stringMatching(/^https:\/\/sb\.example\.com\/confirm\/act_/),
    });
  });

  it('that was stopped in Slack is no failure', async () => {
    const s = await stepStage();
    const id = await begin(s, 'request_cancellation', { number: CANCELLED });
    const { ts } = await question(s);
    s.ws.fail('functions.completeSuccess', { error: 'execution_not_in_running_state' });
    await press(s, ts, 'sb_confirm');
    await until(() => s.ws.calls('functions.completeSuccess').length === 1, 'it is told');
    await until(async () => (await jobsOf(s)).length === 0, 'no job is left');
    expect(execution(s, id).state).toBe('running');
    expect(s.logged.filter((line) => /^(warn|error)/.test(line))).toEqual([]);
  });

  it('is ended later if Slack does not answer', async () => {
    const s = await stepStage();
    const id = await begin(s, 'request_cancellation', { number: CANCELLED });
    const { ts } = await question(s);
    s.ws.fail('functions.completeSuccess', { status: 503 }, 6);
    await decline(s, ts);
    expect((await ended(s, id, 1_000)).outputs).toMatchObject({ status: 'declined' });
  });

  it('arrives over Socket Mode too', async () => {
    const s = await stepStage({ SLACK_APP_TOKEN: 'xapp-playground-app', SLACK_SIGNING_SECRET: undefined });
    await until(() => s.ws.socketConnections() > 0, 'a connection');
    const id = await begin(s, 'request_cancellation', { number: CANCELLED });
    expect(s.ws.deliveries().at(-1)?.via).toBe('socket');
    await press(s, (await question(s)).ts, 'sb_confirm');
    expect((await ended(s, id)).outputs).toMatchObject({ status: 'done' });
  });

  it('is refused while steps are off', async () => {
    const s = await stage();
    const { error } = await ended(s, await begin(s, 'request_cancellation', { number: CANCELLED }));
    expect(error).toContain('SLACK_WORKFLOW_STEPS');
    expect(await s.gate.actions.list({})).toEqual([]);
  });

  it('that waits ends as it was decided when steps are switched off meanwhile', async () => {
    const s = await stepStage();
    const id = await begin(s, 'request_cancellation', { number: CANCELLED });
    const { ts } = await question(s);
    await s.slack.close();
    await s.again({ SLACK_WORKFLOW_STEPS: false });
    await press(s, ts, 'sb_confirm');
    expect((await ended(s, id)).outputs).toMatchObject({ status: 'done' });
  });

  it('that was stored but not begun is refused when steps are switched off meanwhile', async () => {
    const s = await stepStage({}, { start: false });
    const id = await begin(s, 'request_cancellation', { number: CANCELLED });
    await s.slack.close();
    await (await s.again({ SLACK_WORKFLOW_STEPS: false })).slack.start();
    expect((await ended(s, id)).error).toContain('SLACK_WORKFLOW_STEPS');
    expect(await s.gate.actions.list({})).toEqual([]);
  });

  it('whose start was interrupted finds its question although the named person has lost the role', async () => {
    const s = await stepStage();
    const { sent, event } = await cancelling(s, U_AGENT);
    const { ts } = await question(s);
    await until(async () => (await begun(s)) === 0, 'it has begun');
    await s.slack.close();
    // This is the state after a crash right after the question was asked.
    await seemsBegun(s);
    await s.store.database('ledger').run("DELETE FROM jobs WHERE kind = 'slack.step.end'");
    await s.again({ SLACK_OPERATORS: [] });
    await s.ws.event(event);
    await until(async () => (await begun(s)) === 0, 'it has begun');
    expect(execution(s, sent.executionId).state).toBe('running');
    await press(s, ts, 'sb_confirm');
    expect((await ended(s, sent.executionId)).outputs).toMatchObject({ status: 'done' });
  });

  it('ends by the app’s own token. Slack’s token for it is neither used, stored nor logged', async () => {
    const s = await stepStage();
    const id = await begin(s, 'request_cancellation', { number: CANCELLED });
    const { ts } = await question(s);
    await press(s, ts, 'sb_confirm');
    await ended(s, id);
    const token = `xwfp-${id}`;
    expect(s.ws.bytesToApp().some(({ raw }) => raw.includes(token))).toBe(true);
    expect(s.ws.calls().filter((call) => call.token.startsWith('xwfp'))).toEqual([]);
    expect(s.logged.join('\n')).not.toContain('xwfp');
    expect(storedBytes(s)).not.toContain('xwfp');
  });
});
