import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { IDS } from '../../../src/demo/playground/workspace.ts';
import { EVENT_JOBS, Inbox } from '../../../src/events/inbox.ts';
import type { PlatformEvent } from '../../../src/events/parse.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { SqliteStore } from '../../../src/store/sqlite.ts';
import { Jobs } from '../../../src/work/jobs.ts';
import { claimDue, sms, tempInbox } from '../../events/support.ts';
import { makeFolder } from '../../support/folder.ts';
import { onSandbox } from '../../support/on-sandbox.ts';
import { runCli, startCli } from '../../support/process.ts';
import { C_EVENTS } from '../../surfaces/slack/ids.ts';
import { stage, until } from '../../surfaces/slack/support.ts';

const REASON = 'Slack refused: chat.postMessage: msg_too_long';
/** Three conversations. */
const STRANGERS = [1, 2, 3].map((n) => sms(n, `+1555000111${n}`));
let folder: string;
let ids: number[];

beforeEach(async () => {
  folder = makeFolder();
  ids = await deadLetters(join(folder, 'data', 'switchboard.db'), STRANGERS);
});

async function deadLetters(path: string, received: readonly PlatformEvent[]): Promise<number[]> {
  const store = new SqliteStore({ path, clock: systemClock });
  const database = store.database('events');
  const jobs = new Jobs({ database, clock: systemClock, owner: 'test' });
  const inbox = new Inbox({ database, clock: systemClock, jobs });
  for (const event of received) await inbox.receive(event);
  // Of several events of one conversation, only the first is due.
  for (let due = await claimDue(inbox); due.length > 0; due = await claimDue(inbox))
    for (const job of due) await jobs.bury(job, REASON);
  const ids = (await jobs.dead(EVENT_JOBS)).map(({ id }) => id).reverse();
  await store.close();
  return ids;
}

const SANDBOX = onSandbox('http://127.0.0.1:9');
const events = (...args: string[]) => runCli(['events', ...args], folder, SANDBOX);
const listed = async () => JSON.parse((await events('list')).out) as { events: { id: number }[]; dead: number };

describe('switchboard events', () => {
  it('drops one, and all only with a yes', async () => {
    expect(await events('drop', String(ids[0]), '--yes')).toMatchObject({ code: 0, out: '1 event dropped.\n' });
    const refused = await events('drop', '--all');
    expect(refused.code).toBe(3);
    expect(refused.err).toContain('--yes');
    expect((await listed()).events.map(({ id }) => id)).toEqual(ids.slice(1));
    expect((await events('drop', '--all', '--yes')).code).toBe(0);
    expect((await listed()).dead).toBe(0);
    // A dropped event is not shown when the platform repeats it.
    const inbox = tempInbox(systemClock, join(folder, 'data', 'switchboard.db'));
    expect(await inbox.receive(sms(1, '+15550001111'))).toBe('repeat');
    expect(await inbox.counts()).toMatchObject({ open: 0, dead: 0 });
  });

  it('has a running start show what is tried again within seconds, each conversation in order', async () => {
    const later = [4, 5, 6, 7, 8];
    await deadLetters(
      join(folder, 'data', 'switchboard.db'),
      later.map((n) => sms(n, '+15550001119')),
    );
    const s = await stage({}, { start: false });
    const env = {
      ...onSandbox(s.sandbox.url),
      PORT: '0',
      SLACK_BOT_TOKEN: s.ws.botToken,
      SLACK_SIGNING_SECRET: s.ws.signingSecret,
      SLACK_API_URL: s.ws.apiUrl,
      SLACK_APPROVERS: IDS.S_APPROVERS,
      SLACK_EVENTS_CHANNEL: C_EVENTS,
    };
    const running = startCli(['start'], folder, env);
    onTestFinished(async () => void (await running.stop('SIGKILL')));
    await running.said(/listens on (http:[\w.:/]+)/);
    expect(await events('retry', '--all')).toMatchObject({ code: 0, out: '8 events tried again.\n' });
    const texts = () =>
      s.ws
        .calls('chat.postMessage')
        .flatMap(({ args, response }) =>
          response.ok === true ? [Number(/text (\d)/.exec(JSON.stringify(args))?.[1])] : [],
        );
    await until(() => texts().length >= 8, 'the events');
    expect([...texts()].sort()).toEqual([1, 2, 3, ...later]);
    expect(texts().filter((n) => later.includes(n))).toEqual(later);
    expect((await listed()).dead).toBe(0);
  });
});
