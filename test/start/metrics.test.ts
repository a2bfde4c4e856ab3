import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { startServer } from '../support/process.ts';
import { describeWith, program } from '../support/programs.ts';

/* The metrics of a running server. */

const { url } = await startServer();
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
      'switchboard_actions_ended_total{state="done"} 0',
    ])
      expect(text).toContain(`\n${line}\n`);
    expect(text).toMatch(/^switchboard_build_info\{version="\d[^"]*",node="\d[^"]*"\} 1$/m);
  });
});

describeWith({ promtool: program('promtool') }, 'promtool', ({ promtool = '' }) => {
  it('accepts the metrics', async () => {
    const text = await scrape();
    expect(execFileSync(promtool, ['check', 'metrics'], { input: text, encoding: 'utf8' })).toBe('');
  });
});
