import { beforeEach, expect, it } from 'vitest';
import { atEnd } from '../../support/ending.ts';
import { makeFolder } from '../../support/folder.ts';
import { controlSandbox, onSandbox, openSandbox, sentTo } from '../../support/on-sandbox.ts';
import { confirm, signIn } from '../../support/page.ts';
import { startServer } from '../../support/process.ts';
import { REACTIVATE, REACTIVATE_PATH } from '../../support/seed.ts';
import { value } from '../../support/world.ts';
import { second, type Wants } from './clients.ts';

/* Two processes of one installation, and a client of 2026-07-28 whose requests go to each in turn. */

const folder = makeFolder();
const sandbox = await openSandbox();
const settings = { PLATFORM_REQUESTS_PER_MINUTE: '100000', MCP_HTTP_TOKENS: 'ana:approver:token-of-ana' };
const start = async () => (await startServer({ ...onSandbox(sandbox.url), ...settings }, folder)).url;
const urls = [await start(), await start()];
const asked: string[] = [];

beforeEach(async () => {
  asked.length = 0;
  await controlSandbox(sandbox.url, 'reset', {});
});

/** Sends each request to the next process. */
const inTurn: typeof globalThis.fetch = (_input, init) => {
  const to = urls[asked.length % urls.length] ?? '';
  asked.push(to);
  return fetch(new URL('/mcp', to), init);
};
/** Reactivates a number with a client whose person answers in this way. */
async function reactivated(wants: Wants): Promise<void> {
  const place = { kind: 'http', url: urls[0] ?? '', token: 'token-of-ana' } as const;
  const client = await second({ pin: '2026-07-28' }, inTurn)(place, wants);
  atEnd(() => client.close());
  expect(value(await client.call('numbers_reactivate', REACTIVATE))).toMatchObject({ Successful: true });
  expect(await sentTo(sandbox.url, REACTIVATE_PATH)).toHaveLength(1);
}

it('runs what was asked for in one process and accepted in the other', async () => {
  await reactivated({ elicitation: { form: {} }, person: async () => 'accept' });
  expect(new Set(asked).size).toBe(2);
});

it.each([0, 1])('tells the result of what was confirmed on the page of process %i', (at) =>
  reactivated({
    elicitation: { url: {} },
    person: async ({ url }) => {
      const page = new URL(new URL(url ?? '').pathname, urls[at]).href;
      await signIn(page, 'token-of-ana');
      await confirm(page);
      return 'accept';
    },
  }),
);
