import { beforeAll, expect, it } from 'vitest';
import { IDS } from '../../src/demo/playground/workspace.ts';
import { type Surroundings, surroundings } from '../support/slack-process.ts';
import { until } from '../support/until.ts';

/*
 * Measures the first slash commands after a start in HTTP mode. A separate process answers each one as soon as
 * `/readyz` says yes. Slack's own answers take 150 ms.
 */

const ROUNDS = 3;
const COMMANDS = [
  { command: '/numbers', text: 'lookup +12015550101' },
  { command: '/numbers', text: 'provision' },
  { command: '/subscribers', text: 'help' },
];
let slack: Surroundings;
beforeAll(async () => {
  slack = await surroundings();
});

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

it('are acknowledged about as fast as later ones', async () => {
  for (const { command, text } of COMMANDS) {
    const first: number[] = [];
    const later: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const one = await slack.start();
      slack.ws.setRequestUrl(one.events);
      const ready = one.events.replace('/slack/events', '/readyz');
      await until(async () => (await fetch(ready)).status === 200);
      for (let at = 0; at < 6; at += 1) {
        for (const method of ['users.info', 'auth.test', 'usergroups.users.list'])
          slack.ws.fail(method, { hangMs: 150 }, 5);
        const started = performance.now();
        await slack.ws.command({ user: IDS.U_AGENT, channel: IDS.C_EVENTS, command, text });
        (at === 0 ? first : later).push(performance.now() - started);
        slack.ws.clearFaults();
      }
      await one.running.stop('SIGKILL');
    }
    process.stdout.write(
      `${command} ${text}: first ${median(first).toFixed(1)} ms (slowest ${Math.max(...first).toFixed(1)}), later ${median(later).toFixed(1)} ms\n`,
    );
    // Slack waits three seconds.
    expect(Math.max(...first)).toBeLessThan(3_000);
  }
});
