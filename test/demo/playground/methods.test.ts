import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorkspace, IDS, type Workspace } from '../../../src/demo/playground/workspace.ts';
import { FakeClock } from '../../support/clock.ts';
import { plain, section, until } from './support.ts';

type Answer = Record<string, unknown> & { ok: boolean; error?: string };

let clock: FakeClock;
let ws: Workspace;

beforeEach(async () => {
  clock = new FakeClock(Date.now());
  ws = createWorkspace({ clock });
  await ws.listen();
});
afterEach(() => ws.close());

async function call(method: string, args: object, token = ws.botToken): Promise<Answer> {
  const form = new URLSearchParams(
    Object.entries(args).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  const headers = { authorization: `Bearer ${token}` };
  const res = await fetch(ws.apiUrl + method, { method: 'POST', body: form, headers });
  return (await res.json()) as Answer;
}

async function respond(id: string, body: object): Promise<{ status: number; body: Answer }> {
  const url = ws.apiUrl.replace('/api/', `/response/${id}`);
  const headers = { 'content-type': 'application/json' };
  const res = await fetch(url, { method: 'POST', body: JSON.stringify(body), headers });
  return { status: res.status, body: (await res.json()) as Answer };
}

const modal = { type: 'modal', title: plain('T'), blocks: [section('hello')] };

describe('tokens and scopes', () => {
  it('refuses a wrong or missing token', async () => {
    expect((await call('auth.test', {}, 'xoxb-wrong')).error).toBe('invalid_auth');
    expect((await call('auth.test', {}, '')).error).toBe('not_authed');
    expect(await call('auth.test', {})).toMatchObject({ ok: true, team_id: IDS.TEAM, user_id: IDS.BOT_USER });
    expect((await call('apps.connections.open', {})).error).toBe('invalid_auth');
  });

  it('names the missing scope', async () => {
    ws.setScopes(['chat:write']);
    expect(await call('users.info', { user: IDS.U_LEAD })).toMatchObject({
      error: 'missing_scope',
      needed: 'users:read',
    });
    expect((await call('chat.postMessage', { channel: IDS.C_SUPPORT, text: 'hi' })).ok).toBe(true);
  });
});

describe('messages', () => {
  it('posts, edits and deletes, with the path of a bad block', async () => {
    const channel = IDS.C_SUPPORT;
    const bad = await call('chat.postMessage', { channel, blocks: [{ type: 'header', text: plain('x'.repeat(151)) }] });
    expect(bad.error).toBe('invalid_blocks');
    expect(JSON.stringify(bad.response_metadata)).toContain('[json-pointer:/blocks/0/text/text]');
    const posted = await call('chat.postMessage', { channel, text: 'one', blocks: [section('one')] });
    const ts = String(posted.ts);
    expect((await call('chat.update', { channel, ts, text: 'two' })).ok).toBe(true);
    expect(ws.message(ts)).toMatchObject({ text: 'two', blocks: [] });
    expect(await call('chat.getPermalink', { channel, message_ts: ts })).toMatchObject({ ok: true });
    expect((await call('chat.delete', { channel, ts })).ok).toBe(true);
    expect((await call('chat.update', { channel, ts, text: 'x' })).error).toBe('message_not_found');
  });

  it('never touches ephemeral or foreign messages, nor channels it can not post in', async () => {
    const channel = IDS.C_SUPPORT;
    const hidden = await call('chat.postEphemeral', { channel, user: IDS.U_LEAD, text: 'psst' });
    const ts = String(hidden.message_ts);
    expect((await call('chat.update', { channel, ts, text: 'x' })).error).toBe('message_not_found');
    expect(ws.messages(channel, { visibleTo: IDS.U_AGENT })).toEqual([]);
    expect(ws.messages(channel, { visibleTo: IDS.U_LEAD })).toHaveLength(1);
    await ws.say({ user: IDS.U_AGENT, channel, text: 'mine' });
    const theirs = ws.messages(channel).at(-1)?.ts ?? '';
    expect((await call('chat.update', { channel, ts: theirs, text: 'x' })).error).toBe('cant_update_message');
    ws.addChannel('C000ELSE', 'else', [IDS.U_AGENT]);
    ws.addChannel('C000OLD', 'old', [IDS.BOT_USER], { isArchived: true });
    expect((await call('chat.postMessage', { channel: 'C000ELSE', text: 'x' })).error).toBe('not_in_channel');
    expect((await call('chat.postMessage', { channel: 'C000OLD', text: 'x' })).error).toBe('is_archived');
    expect((await call('chat.postMessage', { channel: 'C404', text: 'x' })).error).toBe('channel_not_found');
    expect((await call('conversations.join', { channel: 'C000ELSE' })).ok).toBe(true);
    expect((await call('chat.postMessage', { channel: 'C000ELSE', text: 'x' })).ok).toBe(true);
  });
});

describe('trigger ids and views', () => {
  it('takes a trigger once, for three seconds', async () => {
    const trigger = () => ws.state.trigger(IDS.U_AGENT).id;
    const first = trigger();
    expect((await call('views.open', { trigger_id: first, view: modal })).ok).toBe(true);
    expect((await call('views.open', { trigger_id: first, view: modal })).error).toBe('exchanged_trigger_id');
    const late = trigger();
    clock.advance(3001);
    expect((await call('views.open', { trigger_id: late, view: modal })).error).toBe('expired_trigger_id');
    const bad = await call('views.open', { trigger_id: trigger(), view: { ...modal, title: plain('x'.repeat(25)) } });
    expect(bad.error).toBe('invalid_arguments');
    const big = { ...modal, blocks: Array.from({ length: 100 }, () => section('x'.repeat(2990))) };
    expect((await call('views.open', { trigger_id: trigger(), view: big })).error).toBe('view_too_large');
  });

  it('stacks three, checks the hash, and publishes a Home', async () => {
    const user = IDS.U_AGENT;
    const opened = await call('views.open', { trigger_id: ws.state.trigger(user).id, view: modal });
    const root = opened.view as { id: string; hash: string };
    const push = () => call('views.push', { trigger_id: ws.state.trigger(user, root.id).id, view: modal });
    expect((await push()).ok).toBe(true);
    expect((await push()).ok).toBe(true);
    expect((await push()).error).toBe('push_limit_reached');
    const view = { ...modal, title: plain('New') };
    expect((await call('views.update', { view_id: root.id, hash: root.hash, view })).ok).toBe(true);
    expect((await call('views.update', { view_id: root.id, hash: root.hash, view })).error).toBe('hash_conflict');
    expect((await call('views.update', { view_id: 'V404', view })).error).toBe('not_found');
    const home = { type: 'home', blocks: [section('home')] };
    expect((await call('views.publish', { user_id: user, view: home })).ok).toBe(true);
    expect((await call('views.publish', { user_id: user, view: home, hash: 'old' })).error).toBe('hash_conflict');
    expect(ws.home(user)?.type).toBe('home');
  });
});

describe('response_url', () => {
  it('lives 30 minutes and takes five uses', async () => {
    const entry = ws.state.responseUrl(IDS.U_AGENT, IDS.C_SUPPORT);
    for (let i = 0; i < 5; i++) expect((await respond(entry.id, { text: `${i}` })).status).toBe(200);
    expect(await respond(entry.id, { text: '6' })).toMatchObject({ status: 404, body: { error: 'used_url' } });
    const second = ws.state.responseUrl(IDS.U_AGENT, IDS.C_SUPPORT);
    clock.advance(30 * 60_000 + 1);
    expect(await respond(second.id, { text: 'x' })).toMatchObject({ status: 404, body: { error: 'expired_url' } });
  });

  it('edits and deletes the original, ephemeral or not', async () => {
    const hidden = ws.state.post({ channel: IDS.C_SUPPORT, text: 'a', source: 'api', ephemeralTo: IDS.U_AGENT });
    const entry = ws.state.responseUrl(IDS.U_AGENT, IDS.C_SUPPORT, hidden.ts);
    await respond(entry.id, { replace_original: true, text: 'b' });
    expect(ws.message(hidden.ts)?.text).toBe('b');
    expect((await respond(entry.id, { delete_original: true, text: 'x' })).status).toBe(400);
    expect((await respond(entry.id, { delete_original: true })).status).toBe(200);
    expect(ws.message(hidden.ts)).toBeUndefined();
    await respond(entry.id, { text: 'all', response_type: 'in_channel' });
    expect(ws.messages(IDS.C_SUPPORT, { visibleTo: IDS.U_LEAD }).map((m) => m.text)).toEqual(['all']);
  });
});

describe('faults', () => {
  it('fails as told, then works again', async () => {
    ws.fail('chat.postMessage', { status: 429, retryAfter: 30 });
    const send = () =>
      fetch(`${ws.apiUrl}chat.postMessage`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ws.botToken}` },
        body: new URLSearchParams({ channel: IDS.C_SUPPORT, text: 'hi' }),
      });
    const limited = await send();
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '30']);
    ws.fail('chat.postMessage', { drop: true });
    await expect(send()).rejects.toThrow();
    ws.fail('chat.postMessage', { drop: true, afterCommit: true });
    await expect(send()).rejects.toThrow();
    expect(ws.messages(IDS.C_SUPPORT)).toHaveLength(1);
    ws.fail('chat.postMessage', { hangMs: 60_000 });
    const slow = send();
    await until(() => clock.pending === 1);
    clock.advance(60_000);
    expect((await slow).status).toBe(200);
    ws.fail('auth.test', { error: 'fatal_error' });
    expect((await call('auth.test', {})).error).toBe('fatal_error');
    expect(ws.calls('chat.postMessage').map((c) => c.status)).toEqual([429, 0, 0, 200]);
  });
});
