import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { CLI } from '../../support/build.ts';
import { environment, makeFolder } from '../../support/folder.ts';
import { controlSandbox, onSandbox, openSandbox, sentTo } from '../../support/on-sandbox.ts';
import { confirm, signIn } from '../../support/page.ts';
import { pair, startServer } from '../../support/process.ts';
import { REACTIVATE, REACTIVATE_PATH } from '../../support/seed.ts';
import { face, type Json, until, value } from '../../support/world.ts';
import {
  type Asked,
  type Connect,
  type Connected,
  first,
  type Place,
  second,
  type Wants,
  withoutSession,
} from './clients.ts';

/*
 * The same scenario with every client: list, look up, a gated write confirmed on the page, confirmed by a form, declined,
 * cancelled, a subscription, and a connection that is cut and taken up again.
 */

interface Row {
  name: string;
  connect: Connect;
  at: 'http' | 'stdio';
  era: 'legacy' | 'modern';
  /** Nothing can reach this client later: it is not asked, and hears of no change. */
  unreachable?: true;
}

const PIN = { pin: '2026-07-28' };
const ROWS: Row[] = [
  { name: 'SDK 1.x over stdio', connect: first(), at: 'stdio', era: 'legacy' },
  { name: 'SDK 1.x over HTTP with a session', connect: first(), at: 'http', era: 'legacy' },
  {
    name: 'SDK 1.x over HTTP without one',
    connect: first(withoutSession),
    at: 'http',
    era: 'legacy',
    unreachable: true,
  },
  { name: 'SDK 2.x legacy over stdio', connect: second('legacy'), at: 'stdio', era: 'legacy' },
  { name: 'SDK 2.x legacy over HTTP', connect: second('legacy'), at: 'http', era: 'legacy' },
  { name: 'SDK 2.x auto over stdio', connect: second('auto'), at: 'stdio', era: 'modern' },
  { name: 'SDK 2.x auto over HTTP', connect: second('auto'), at: 'http', era: 'modern' },
  { name: 'SDK 2.x pinned to 2026-07-28 over stdio', connect: second(PIN), at: 'stdio', era: 'modern' },
  { name: 'SDK 2.x pinned to 2026-07-28 over HTTP', connect: second(PIN), at: 'http', era: 'modern' },
];

const FORM = { form: {} };
const URL_FIRST = { form: {}, url: {} };

const folder = makeFolder();
const sandbox = await openSandbox();
const platform = { ...onSandbox(sandbox.url), PLATFORM_REQUESTS_PER_MINUTE: '100000' };
const own = { DATA_DIR: `${folder}/start`, MCP_HTTP_TOKENS: 'ana:approver:token-of-ana' };
const { url: address } = await startServer({ ...platform, ...own }, folder);
const http = { kind: 'http', url: address, token: 'token-of-ana' } as const;
const env = environment(folder, platform);
const stdio: Place = { kind: 'stdio', command: process.execPath, args: [CLI, 'mcp'], env, cwd: folder };

const control = (path: string, body?: object): Promise<Json> => controlSandbox(sandbox.url, path, body);
const sent = async () => (await sentTo(sandbox.url, REACTIVATE_PATH)).length;

describe.each(ROWS)('$name', ({ connect, at, era, unreachable }) => {
  /**
   * Open connections by their stated capabilities, because over stdio each is a process. `person` answers on all of
   * them.
   */
  const open = new Map<string, Connected>();
  let person: Wants['person'];
  const connected = async ({ elicitation, person: answers }: Wants = {}) => {
    person = answers;
    const states = JSON.stringify(elicitation ?? null);
    const known = open.get(states);
    if (known) return known;
    const client = await connect(at === 'http' ? http : stdio, {
      ...(elicitation && { elicitation }),
      person: async (asked) => (await person?.(asked)) ?? 'cancel',
    });
    const close = async () => {
      open.delete(states);
      await client.close();
    };
    const made = { ...client, close };
    open.set(states, made);
    return made;
  };
  let isPaired = false;
  /** Opens the page of a confirmation as the person who may decide there. */
  const signInAt = async (url: string) => {
    if (at === 'http') await signIn(url, 'token-of-ana');
    else if (!isPaired) await pair(folder, onSandbox(sandbox.url));
    isPaired ||= at === 'stdio';
  };
  beforeEach(() => control('reset', {}));
  const closeAll = () => Promise.allSettled([...open.values()].map((client) => client.close()));
  afterAll(closeAll);

  it('lists the tools in its own protocol', async () => {
    const client = await connected();
    expect(client.era).toBe(era);
    expect(await client.list()).toEqual(expect.arrayContaining(['numbers_lookup', 'numbers_reactivate']));
  });

  it.each([
    ['confirms on the page', 'url', URL_FIRST],
    ['accepts in a form', 'form', FORM],
  ] as const)('runs what its user %s, in the same call', async (_what, mode, elicitation) => {
    const asked: Asked[] = [];
    const onPage = async (url = '') => {
      await signInAt(url);
      await confirm(url);
    };
    const client = await connected({
      elicitation,
      person: async (question) => {
        asked.push(question);
        if (mode === 'url') await onPage(question.url);
        return 'accept';
      },
    });
    const result = await client.call('numbers_reactivate', REACTIVATE);
    if (unreachable) {
      expect([asked, await sent()]).toEqual([[], 0]);
      await onPage(value(result).confirmation.url);
    } else {
      expect(asked).toMatchObject([
        mode === 'url' ? { mode, url: expect.stringMatching(/\/confirm\/[\w-]+$/) } : { mode },
      ]);
      expect(asked[0]?.message).toMatch(mode === 'url' ? /5 USD/ : /5 USD[\s\S]*Accept: /);
      expect(value(result)).toMatchObject({ Successful: true });
      expect(value(result)).not.toHaveProperty('confirmation');
      expect(client.completed()).toBe(mode === 'url' && era === 'legacy' ? 1 : 0);
    }
    expect(await sent()).toBe(1);
  });

  it.skipIf(unreachable).each(['form', 'url'] as const)('does nothing when its user declines a %s', async (mode) => {
    const client = await connected({ elicitation: { [mode]: {} }, person: async () => 'decline' });
    const error = face(await client.call('numbers_reactivate', REACTIVATE));
    expect(error).toMatchObject({ code: 'not_confirmed', reason: 'declined', outcome: 'not_done' });
    expect(error.message).toMatch(/A person declined it: .*the user of (first|second)/);
    expect(await sent()).toBe(0);
  });

  it.skipIf(unreachable)('voids the confirmation of a call that is cancelled while the page is open', async () => {
    let url = '';
    const progress: string[] = [];
    const client = await connected({
      elicitation: { url: {} },
      person: async (question) => {
        url = question.url ?? '';
        // The newer protocol repeats the call once the page is open. The test must cancel that call, so it forgets the
        // first one's progress.
        if (era === 'modern') progress.length = 0;
        return 'accept';
      },
    });
    const stop = new AbortController();
    const going = client
      .call('numbers_reactivate', REACTIVATE, {
        signal: stop.signal,
        onprogress: ({ message }) => progress.push(message ?? ''),
      })
      .catch((error: unknown) => error);
    await until(() => progress.some((text) => /Waiting for a person to confirm/.test(text)) && url !== '');
    const id = url.split('/').at(-1);
    stop.abort();
    expect(await going).toBeInstanceOf(Error);
    const other = await connected();
    await until(
      () => other.call('confirmations_get', { id }),
      (result) => value(result)?.status === 'declined',
    );
    await signInAt(url);
    await confirm(url);
    expect(await sent()).toBe(0);
  });
});
