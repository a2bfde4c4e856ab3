import { afterEach, expect, it } from 'vitest';
import { IDS } from '../../src/demo/playground/workspace.ts';
import { type Surroundings, surroundings } from '../support/slack-process.ts';
import { describeWithPostgres, makeSchema } from '../support/stores.ts';
import { seeded, until } from '../support/world.ts';

/* Conversations over two processes of the built program, of which one is killed. */

const CANCEL = { name: 'numbers_cancel', input: { PhoneNumbers: [{ Number: seeded(3) }] } };
let around: Surroundings | undefined;
const closers: (() => unknown)[] = [];
afterEach(async () => {
  await around?.close();
  for (const close of closers.splice(0).reverse()) await close();
});

/** Two processes on one database. `say` delivers to one of them; `heard` waits for words in a thread. */
async function two() {
  const schema = await makeSchema();
  closers.push(schema.drop);
  around = await surroundings();
  const { ws, model } = around;
  const env = { DATABASE_URL: schema.url, SEALING_KEY: Buffer.alloc(32, 7).toString('base64') };
  const [one, other] = [await around.start(env), await around.start(env)];
  const channel = ws.state.im(IDS.U_AGENT).id;
  const say = async (events: string, text: string, threadTs?: string) => {
    ws.setRequestUrl(events);
    await ws.say({ user: IDS.U_AGENT, channel, text, ...(threadTs !== undefined && { threadTs }) });
    return threadTs ?? ws.messages(channel).findLast((message) => message.text === text)?.ts ?? '';
  };
  const shown = (thread: string) =>
    JSON.stringify(ws.messages(channel).filter((message) => message.threadTs === thread && message.user === 'U000BOT'));
  const heard = (thread: string, words: string) => until(() => shown(thread).includes(words), words, 60_000);
  return { one, other, model, say, shown, heard };
}

describeWithPostgres('a thread over two processes', () => {
  it('has one memory and one turn at a time, whichever process an event reaches', async () => {
    const { one, other, model, say, heard } = await two();
    model.answers({ text: 'Noted, heliotrope.' });
    const thread = await say(one.events, 'the word is heliotrope');
    await heard(thread, 'Noted, heliotrope.');
    let release: () => void = () => undefined;
    const after = new Promise<void>((resolve) => {
      release = resolve;
    });
    model.answers({ text: 'It was heliotrope.', after });
    await say(other.events, 'what was it?', thread);
    await until(() => model.requests.length === 2, 'the second turn');
    expect(model.requests[1]?.text).toContain('the word is heliotrope');
    model.answers({ text: 'Nothing more.' });
    await say(one.events, 'and this?', thread);
    release();
    // The other process waits for the turn to end, and knows its answer.
    await heard(thread, 'It was heliotrope.');
    await heard(thread, 'Nothing more.');
    expect(model.requests).toHaveLength(3);
    expect(model.requests[2]?.text).toContain('It was heliotrope.');
  });

  it('whose process is killed in a turn tells the writer, and asks for nothing twice', async () => {
    const { one, other, model, say, shown, heard } = await two();
    model.answers({ calls: [{ name: 'numbers_lookup', input: { PhoneNumber: seeded(1) } }] }, { hangs: true });
    const thread = await say(one.events, 'look, then cancel 0103');
    await until(() => model.requests.length === 2, 'the middle of the turn');
    await one.running.stop('SIGKILL');
    await heard(thread, 'A restart interrupted this answer');
    model.answers({ calls: [CANCEL] }, { text: 'Asked.' });
    await say(other.events, 'cancel 0103', thread);
    await heard(thread, 'waits for an approver');
    expect(shown(thread).match(/A restart interrupted this answer/g)?.length).toBeLessThanOrEqual(2);
    const requests = (await (await fetch(`${around?.sandbox.url}/sandbox/requests`)).json()) as { path: string }[];
    expect(requests.filter(({ path }) => path.includes('cancel-order-submit'))).toEqual([]);
  });
});
