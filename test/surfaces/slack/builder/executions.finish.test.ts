import { describe, expect, it } from 'vitest';
import { until } from '../support.ts';
import { begin, CANCELLED, ended, jobsOf, press, question, stepStage } from './stepping.ts';

const dead = (s: Awaited<ReturnType<typeof stepStage>>) =>
  s.store.database('ledger').all("SELECT id FROM jobs WHERE kind LIKE 'slack.step%' AND dead_at IS NOT NULL");

describe('the end of a step', () => {
  it.each(['token_revoked', 'missing_scope', 'not_allowed'])('is told later while Slack says %s', async (error) => {
    const s = await stepStage();
    const id = await begin(s, 'request_cancellation', { number: CANCELLED });
    const { ts } = await question(s);
    s.ws.fail('functions.completeSuccess', { error }, 15);
    await press(s, ts, 'sb_confirm');
    await until(() => s.ws.calls('functions.completeSuccess').length > 0, 'the change is done');
    expect((await ended(s, id, 10_000)).outputs).toMatchObject({ status: 'done' });
    expect(await dead(s)).toEqual([]);
    await until(async () => (await jobsOf(s)).length === 0, 'no job is left');
  });

  it('is an error if Slack does not take the outputs', async () => {
    const s = await stepStage();
    const id = await begin(s, 'request_cancellation', { number: CANCELLED });
    const { ts } = await question(s);
    s.ws.fail('functions.completeSuccess', { error: 'parameter_validation_failed' });
    await press(s, ts, 'sb_confirm');
    expect((await ended(s, id)).error).toContain('Slack did not take the answer');
    await until(async () => (await jobsOf(s)).length === 0, 'no job is left');
  });
});
