import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KEPT } from '../../../src/demo/playground/state.ts';
import { createWorkspace, IDS, type Workspace } from '../../../src/demo/playground/workspace.ts';
import { callOn } from './support.ts';

/** This number is several times the caps. */
const EVENTS = 5_000;

let ws: Workspace;
beforeEach(async () => {
  ws = createWorkspace();
  await ws.listen();
});
afterEach(() => ws.close());

const call = (method: string, args: object) => callOn(ws, method, args);

/** A request handed over without a connection, which is what takes the time. */
async function handed(method: string, args: Record<string, unknown>): Promise<void> {
  const req = new IncomingMessage(new Socket());
  req.url = `/api/${method}`;
  req.headers = { authorization: `Bearer ${ws.botToken}`, 'content-type': 'application/json' };
  req.push(JSON.stringify(args));
  req.push(null);
  await ws.handle(req, new ServerResponse(req));
}

describe('what the stand-in keeps', () => {
  it('is the newest of each history after 5,000 events, each of 4 kB', async () => {
    const filler = 'x'.repeat(4_000);
    const post = (n: number) => ({ channel: IDS.C_EVENTS, text: `event ${n} ${filler}` });
    const first = await call('chat.postMessage', post(0));
    for (let n = 1; n < EVENTS; n += 1) await handed('chat.postMessage', post(n));
    for (let n = 0; n < KEPT.ephemeral + 10; n += 1)
      await call('chat.postEphemeral', { channel: IDS.C_EVENTS, user: IDS.U_LEAD, text: `whisper ${n}` });

    const shared = ws.messages(IDS.C_EVENTS).filter(({ ephemeralTo }) => ephemeralTo === undefined);
    expect(shared).toHaveLength(KEPT.messages);
    expect(shared.at(-1)?.text).toMatch(/^event 49\d\d /);
    expect(ws.messages(IDS.C_EVENTS, { visibleTo: IDS.U_LEAD })).toHaveLength(KEPT.messages + KEPT.ephemeral);
    expect(ws.calls().length).toBeLessThanOrEqual(KEPT.calls);
    expect(ws.bytesFromApp().length).toBeLessThanOrEqual(KEPT.calls);
    // Without the caps, 5,000 × 4 kB, four times over, would be 80 MB.
    const kept = JSON.stringify([ws.messages(IDS.C_EVENTS), ws.calls(), ws.bytesFromApp()]).length;
    expect(kept).toBeLessThan(50_000_000);
    // A message that the caps removed behaves like a deleted one.
    expect(await call('chat.update', { channel: IDS.C_EVENTS, ts: first.ts, text: 'late' })).toMatchObject({
      error: 'message_not_found',
    });
    expect((await call('chat.update', { channel: IDS.C_EVENTS, ts: shared.at(-1)?.ts, text: 'new' })).ok).toBe(true);
  });
});

describe('what is read back of a channel', () => {
  it('comes in pages, newest first, with metadata where it is asked for, and needs the scope', async () => {
    const channel = IDS.C_EVENTS;
    const metadata = { event_type: 'made_by_a_test', event_payload: { id: 'm1' } };
    const root = await call('chat.postMessage', { channel, text: 'root', metadata });
    await call('chat.postMessage', { channel, text: 'second' });
    const reply = { channel, text: 'reply', thread_ts: root.ts, metadata };
    await call('chat.postMessage', reply);
    const page = await call('conversations.history', { channel, limit: 1, include_all_metadata: true });
    expect(page).toMatchObject({ messages: [{ text: 'second' }], has_more: true });
    const { next_cursor } = page.response_metadata as { next_cursor: string };
    expect(
      await call('conversations.history', { channel, limit: 1, include_all_metadata: true, cursor: next_cursor }),
    ).toMatchObject({ messages: [{ text: 'root', metadata }], has_more: false });
    expect(JSON.stringify(await call('conversations.history', { channel }))).not.toContain('made_by_a_test');
    expect(await call('conversations.replies', { channel, ts: root.ts, include_all_metadata: true })).toMatchObject({
      messages: [{ text: 'root' }, { text: 'reply', metadata }],
    });
    expect(await call('conversations.replies', { channel, ts: '1.1' })).toMatchObject({ error: 'thread_not_found' });
    expect(await call('chat.postMessage', { channel, text: 'x', metadata: { id: 1 } })).toMatchObject({
      error: 'invalid_metadata_format',
    });
    ws.setScopes(['chat:write']);
    expect(await call('conversations.history', { channel })).toMatchObject({ error: 'missing_scope' });
  });
});
