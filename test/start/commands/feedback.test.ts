import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import { runFeedback } from '../../../src/start/commands/feedback.ts';
import { onSandbox } from '../../support/on-sandbox.ts';
import { shown, U_AGENT, until } from '../../surfaces/slack/support.ts';
import { answers, blocksOf, heard, talking } from '../../surfaces/slack/talking.ts';

/** Everything that the command writes. */
async function listed(args: readonly string[], isTTY: boolean): Promise<string> {
  const out = Object.assign(new PassThrough(), { isTTY, columns: 60 });
  let text = '';
  out.on('data', (chunk) => {
    text += chunk;
  });
  expect(await runFeedback(args, out)).toBe(0);
  return text;
}

it('lists question, answer and the reason that Slack asked for', async () => {
  const s = await talking();
  for (const [name, value] of Object.entries({ ...onSandbox(s.sandbox.url), DATA_DIR: s.dir })) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await listed([], true)).toBe('Nobody has judged an answer in this time.\n');
  s.model.answers({ text: 'It is a rainy day. END' });
  const thread = await s.say('which plan does ben have?');
  await heard(s, thread, /END.*sb_feedback/s);
  const buttons = blocksOf(s, thread)
    .flatMap((block) => (block.elements ?? []) as Record<string, { value: string }>[])
    .find(({ negative_button }) => negative_button !== undefined);
  const message = answers(s, thread).find((one) => shown(one).includes('sb_feedback'));
  const at = { user: U_AGENT, actionId: 'sb_feedback', messageTs: message?.ts ?? '' };
  await s.ws.click({ ...at, value: buttons?.negative_button?.value ?? '' });
  await until(() => s.ws.openViews(U_AGENT).length === 1, 'the window');
  await s.ws.submit({ user: U_AGENT, values: { sb_reason: 'It did not look him up. The PIN is 4321.' } });
  await s.settled();
  const told = JSON.parse(await listed(['--since', '1h'], false));
  expect(told).toEqual([
    {
      at: expect.stringMatching(/Z$/),
      helpful: false,
      askedBy: expect.any(String),
      question: 'which plan does ben have?',
      answer: 'It is a rainy day. END',
      reason: expect.stringMatching(/^It did not look him up\. The PIN is (?!.*4321)/),
    },
  ]);
  expect(await listed([], true)).toMatch(
    /not helpful\n.* asked: which plan does ben have\?\nAnswer: It is a rainy day\. END\nReason: It did not look him up\..*\n0 helpful, 1 not helpful\.\n$/s,
  );
  expect(JSON.parse(await listed(['--since', '2099-01-01', '--json'], true))).toEqual([]);
  await expect(runFeedback(['--since', 'yesterdayish'])).rejects.toThrow(/--since yesterdayish is not a time/);
});
