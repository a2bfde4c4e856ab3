import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { runCli, startServer } from '../support/process.ts';
import { describeWith, program } from '../support/programs.ts';

/* The metrics of a running server. */

const { url, folder } = await startServer();
const scrape = async () => (await fetch(`${url}/metrics`)).text();

describe('the metrics of a server', () => {
  it('are there before anything has happened, as zeros', async () => {
    const text = await scrape();
    for (const line of [
      'switchboard_actions{state="unknown"} 0',
      'switchboard_platform_requests_total{result="rate_limited"} 0',
      'switchboard_events_died_total{kind="order"} 0',
      'switchboard_events_refused_total{reason="credentials"} 0',
      'switchboard_assistant_turns_total{end="failed"} 0',
      'switchboard_decision_duration_seconds_bucket{level="approver",way="slack",le="3600"} 0',
    ])
      expect(text).toContain(`\n${line}\n`);
    expect(text).toMatch(/^switchboard_build_info\{version="\d[^"]*",node="\d[^"]*"\} 1$/m);
  });

  it('count the time until a person decided, by level and way, over all processes', async () => {
    const text = `To=${JSON.stringify([{ Number: '+12015550199' }])}`;
    const ran = await runCli(
      ['call', 'message', 'outbound', text, 'From=+12015550101', 'Body=Hello', '--yes'],
      folder,
      {},
    );
    expect(ran.code).toBe(0);
    const lines = (await scrape())
      .split('\n')
      .filter((line) => line.startsWith('switchboard_decision_duration_seconds'));
    const own = (part: string) =>
      lines.filter((line) => line.includes('way="terminal"') && line.includes(part)).map((line) => line.split(' ')[1]);
    expect(own('level="approver",way="terminal",le="86400"')).toEqual(['1']);
    expect(own('_count{level="approver"')).toEqual(['1']);
    expect(own('_count{level="own"')).toEqual(['0']);
  });
});

describeWith({ promtool: program('promtool') }, 'promtool', ({ promtool = '' }) => {
  it('accepts the metrics', async () => {
    const text = await scrape();
    expect(execFileSync(promtool, ['check', 'metrics'], { input: text, encoding: 'utf8' })).toBe('');
  });
});
