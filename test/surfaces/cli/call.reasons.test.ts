import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { Gate } from '../../../src/gate/gate.ts';
import { localActor } from '../../../src/start/commands/call.ts';
import { runCall } from '../../../src/surfaces/cli/call.ts';
import { tools } from '../../../tools/index.ts';
import { C_APPROVALS, card, decline, stage, U_LEAD, until } from '../slack/support.ts';

const REACTIVATE = ['numbers_reactivate', '+12015550107', 'AccountId=AID-00000000-0000-4000-8000-000000000001'];

/** The person at the terminal may confirm there. */
const AT_THE_TERMINAL: Parameters<typeof stage>[0] = { CONFIRM_VIA: ['slack', 'terminal'] };

/** `switchboard call` on a terminal whose person types what `type` writes. */
function terminal(gate: Gate, args: string[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stdout = new PassThrough();
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  const heard = { out: '', err: '' };
  stdout.on('data', (chunk) => {
    heard.out += chunk;
  });
  stderr.on('data', (chunk) => {
    heard.err += chunk;
  });
  const code = runCall(args, {
    tools,
    openDoor: async () => ({ gate, close: async () => undefined }),
    stdin,
    stdout,
    stderr,
    actor: localActor('ana'),
  });
  return { code, heard, type: (text: string) => stdin.write(text) };
}

it('the reason of the person who asks is quoted in the question', async () => {
  const s = await stage(AT_THE_TERMINAL);
  const { code, heard, type } = terminal(s.gate, [...REACTIVATE, '--reason', 'approved by Lee']);
  await until(() => heard.err.includes('[y/N]'), 'the question');
  expect(heard.err).toContain('Reason given by local:ana (ana):\n> approved by Lee\n');
  type('n\n');
  expect(await code).toBe(3);
});

it('a question nobody answers in time expires, and nobody is said to have declined it', async () => {
  const s = await stage(AT_THE_TERMINAL);
  const { code, heard } = terminal(s.gate, REACTIVATE);
  await until(() => heard.err.includes('[y/N]'), 'the question');
  s.clock.skip(8 * 3_600_000 + 1_000);
  expect(await code).toBe(3);
  expect(heard.err).toContain('Nobody decided in time');
  expect((await s.gate.actions.list({}))[0]).toMatchObject({ state: 'expired', decidedBy: undefined });
  expect(await s.requests('/numbers/reactivate')).toEqual([]);
});

it('a decline by another person ends the question on the terminal', async () => {
  const s = await stage(AT_THE_TERMINAL);
  const { code, heard } = terminal(s.gate, REACTIVATE);
  await until(() => heard.err.includes('[y/N]'), 'the question');
  const { ts } = await card(s.ws, C_APPROVALS);
  await decline(s, { user: U_LEAD, messageTs: ts }, 'Not before Monday');
  expect(await code).toBe(3);
  expect(heard.err).toMatch(/\[y\/N\].*\nDeclined by slack:\S+ \(.+\): “Not before Monday” Nothing was sent\./);
  expect(await s.requests('/numbers/reactivate')).toEqual([]);
});
