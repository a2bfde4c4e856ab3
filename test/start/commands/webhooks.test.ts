import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startSandbox } from '../../../src/demo/sandbox/index.ts';
import { runWebhooks } from '../../../src/start/commands/webhooks.ts';
import { makeFolder } from '../../support/folder.ts';
import { controlSandbox, onSandbox } from '../../support/on-sandbox.ts';
import { runCli } from '../../support/process.ts';
import { until } from '../../support/until.ts';

let folder: ReturnType<typeof makeFolder>;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => folder.remove());

it.each([
  [['--url', 'http://sb.example.com'], 'url: '],
  [['--url', 'https://sb.example.com', '--route', 'main'], 'MessageRouteId: '],
])('ends with the status of a wrong input: %j', async (args, named) => {
  const { code, err } = await runCli(['webhooks', 'sync', ...args, '--yes'], folder.path, { LOG_LEVEL: 'info' });
  expect(code).toBe(2);
  expect(err).toContain(named);
});

it('shows each change, with the address before and after, before its one question', async () => {
  const args = ['--url', 'https://sb.example.com', '--route', 'MRID-00000000-0000-4000-8000-000000000001'];
  const { code, err } = await runCli(['webhooks', 'sync', ...args, '--yes'], folder.path, {});
  expect(code).toBe(0);
  expect(err).toMatch(/Webhook URL: https:\/\/sb\.example\.com\/events\/platform/);
  expect(err).toMatch(/https:\/\/example\.invalid\/messages → https:\/\/sb\.example\.com\/events\/messages/);
  expect(err).toContain('Authentication password: ••• (not shown)');
});

describe('a route that changes between the question and its turn', () => {
  const MRID = 'MRID-00000000-0000-4000-8000-000000000001';
  const PROMPT = /\[y\/N\] /g;

  /** `webhooks sync` at a terminal, or without one with `--yes`. */
  async function sync(...more: string[]) {
    const sandbox = await startSandbox();
    const settings = { ...onSandbox(sandbox.url), DATA_DIR: join(folder.path, 'data'), LOG_LEVEL: 'silent' };
    for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
    onTestFinished(async () => {
      vi.unstubAllEnvs();
      await sandbox.close();
    });
    const isTTY = more.length === 0;
    const [stdin, stdout] = [Object.assign(new PassThrough(), { isTTY }), Object.assign(new PassThrough(), { isTTY })];
    const stderr = new PassThrough();
    let told = '';
    let onTold: (text: string) => void = () => undefined;
    stderr.on('data', (chunk) => {
      told += chunk;
      onTold(told);
    });
    const running = runWebhooks(['sync', '--url', 'https://sb.example.com', '--route', MRID, ...more], {
      stdin,
      stdout,
      stderr,
    });
    /** Everything that the platform has. */
    const state = async () => JSON.stringify(await controlSandbox(sandbox.url, 'state'));
    const prompted = (prompts: number) =>
      until(() => (told.match(PROMPT) ?? []).length === prompts, `question ${prompts} is asked`);
    return {
      running,
      told: () => told,
      onTold: (listener: typeof onTold) => {
        onTold = listener;
      },
      /** Points the route elsewhere, as another person would. */
      move: (MessageUrl: string) =>
        sandbox.perform('/v1.0/message/routes/update', { MessageRouteId: MRID, MessageUrl, MessageUrlMethod: 'POST' }),
      answer: async (text: string, prompts: number) => {
        await prompted(prompts);
        stdin.write(`${text}\n`);
      },
      prompted,
      state,
      out: () => String(stdout.read() ?? ''),
    };
  }

  it('is shown as it is now and asked about again, as often as it changes', async () => {
    const run = await sync();
    await run.prompted(1);
    run.move('https://one.example.com/in');
    await run.answer('y', 1);
    await run.prompted(2);
    expect(run.told().split('has changed since it was shown')[1]).toContain(
      'https://one.example.com/in → https://sb.example.com/events/messages',
    );
    run.move('https://two.example.com/in');
    await run.answer('y', 2);
    await run.prompted(3);
    expect(run.told().split('has changed since it was shown').at(-1)).toContain('https://two.example.com/in →');
    await run.answer('y', 3);
    expect(await run.running).toBe(0);
    expect(run.out()).toContain('Done. The platform delivers its events');
    expect(await run.state()).toContain('"MessageUrl":"https://sb.example.com/events/messages"');
  });

  it('stays as it is without a second yes', async () => {
    const run = await sync();
    await run.prompted(1);
    run.move('https://one.example.com/in');
    await run.answer('y', 1);
    await run.answer('n', 2);
    expect(await run.running).toBe(1);
    expect(run.out()).toMatch(/Not done: Point message route.*was not confirmed, so nothing was sent/);
    expect(await run.state()).toContain('"MessageUrl":"https://one.example.com/in"');
  });

  it('is shown and not sent with --yes, which was for the other change', async () => {
    const run = await sync('--yes');
    let isMoved = false;
    run.onTold((text) => {
      if (isMoved || !text.includes('→ https://sb.example.com/events/messages')) return;
      isMoved = true;
      run.move('https://one.example.com/in');
    });
    expect(await run.running).toBe(1);
    expect(run.told().split('has changed since it was shown')[1]).toContain('https://one.example.com/in →');
    expect(run.out()).toContain('Run it again to agree to the change as it is now.');
    expect(await run.state()).toContain('"MessageUrl":"https://one.example.com/in"');
  });
});
