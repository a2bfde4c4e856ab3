import { beforeEach, describe, expect, it } from 'vitest';
import { createWorkspace, IDS, type Workspace } from '../../../src/demo/playground/workspace.ts';
import { FakeClock } from '../../support/clock.ts';
import { callOn, section } from './support.ts';

const MINUTE = 60_000;
const SUPPORT = IDS.C_SUPPORT;

/** A task as a chunk of a stream. */
const task = (id: string, status: string, more: object = {}) => ({
  type: 'task_update',
  id,
  title: `Task ${id}`,
  status,
  ...more,
});

describe('the methods of a conversation', () => {
  let clock: FakeClock;
  let ws: Workspace;
  let root: string;
  const recipient = { recipient_user_id: IDS.U_AGENT, recipient_team_id: IDS.TEAM };

  beforeEach(async () => {
    clock = new FakeClock(Date.now());
    ws = createWorkspace({ clock });
    await ws.listen();
    await ws.say({ user: IDS.U_AGENT, channel: SUPPORT, text: 'hello' });
    root = ws.messages(SUPPORT)[0]?.ts ?? '';
    return () => ws.close();
  });

  const call = (method: string, args: object) => callOn(ws, method, args);
  const start = async (more: object = {}) =>
    call('chat.startStream', { channel: SUPPORT, thread_ts: root, ...recipient, ...more });

  it('streams text, tasks and blocks into one message', async () => {
    const { ts } = await start({ markdown_text: 'Reading ' });
    const at = { channel: SUPPORT, ts };
    await call('chat.appendStream', { ...at, markdown_text: '**two** numbers' });
    const first = task('a', 'in_progress', { details: 'one' });
    await call('chat.appendStream', { ...at, chunks: [first, { type: 'blocks', blocks: [section('Card')] }] });
    await call('chat.appendStream', {
      ...at,
      chunks: [task('a', 'complete', { details: ', two', title: 'Read both' })],
    });
    const metadata = { event_type: 'answer', event_payload: { id: 1 } };
    const blocks = [section('Footer')];
    const stopped = await call('chat.stopStream', { ...at, markdown_text: 'Done.', blocks, metadata });
    expect(stopped).toMatchObject({ ok: true, channel: SUPPORT, ts });
    const text = (words: string) => [{ elements: [{ type: 'text', text: words }] }];
    expect(ws.message(String(ts))).toMatchObject({
      threadTs: root,
      text: 'Reading **two** numbersDone.',
      metadata,
      blocks: [
        { type: 'markdown', text: 'Reading **two** numbers' },
        {
          type: 'task_card',
          task_id: 'a',
          title: 'Read both',
          status: 'complete',
          details: { elements: text('one, two') },
        },
        { type: 'section' },
        { type: 'markdown', text: 'Done.' },
        { type: 'section', text: { text: 'Footer' } },
      ],
    });
  });

  it('shows all tasks in one plan if the app asks for it', async () => {
    const { ts } = await start({ task_display_mode: 'plan', chunks: [task('a', 'complete'), task('b', 'pending')] });
    await call('chat.appendStream', {
      channel: SUPPORT,
      ts,
      chunks: [{ type: 'plan_update', title: 'Worked for 12s' }],
    });
    const [plan] = ws.message(String(ts))?.blocks ?? [];
    expect(plan).toMatchObject({ type: 'plan', title: 'Worked for 12s', tasks: [{ task_id: 'a' }, { task_id: 'b' }] });
  });

  it.each<[string, string, (ts: string) => object]>([
    ['chat.startStream', 'missing_recipient_user_id', () => ({ thread_ts: root })],
    ['chat.startStream', 'missing_recipient_team_id', () => ({ thread_ts: root, recipient_user_id: IDS.U_AGENT })],
    ['chat.startStream', 'thread_not_found', () => ({ thread_ts: '1.1', ...recipient })],
    ['chat.startStream', 'invalid_arguments', () => recipient],
    ['chat.startStream', 'invalid_chunks', () => ({ thread_ts: root, ...recipient, chunks: [{ type: 'x' }] })],
    ['chat.appendStream', 'invalid_arguments', (ts) => ({ ts })],
    ['chat.appendStream', 'msg_too_long', (ts) => ({ ts, markdown_text: 'x'.repeat(12_001) })],
    [
      'chat.appendStream',
      'invalid_chunks',
      (ts) => ({ ts, chunks: [task('a', 'complete', { details: 'x'.repeat(257) })] }),
    ],
    ['chat.appendStream', 'message_not_owned_by_app', () => ({ ts: root, markdown_text: 'x' })],
    ['chat.appendStream', 'message_not_found', () => ({ ts: '1.1', markdown_text: 'x' })],
    ['chat.update', 'streaming_state_conflict', (ts) => ({ ts, text: 'x' })],
    ['files.upload', 'method_deprecated', () => ({ content: 'x' })],
    ['chat.stopStream', 'invalid_arguments', (ts) => ({ ts, session_status: 'done' })],
  ])('%s is refused with %s', async (method, error, args) => {
    const { ts } = await start();
    expect(await call(method, { channel: SUPPORT, ...args(String(ts)) })).toMatchObject({ ok: false, error });
  });

  it('ends a stream after five minutes; then the message can only be updated', async () => {
    const { ts } = await start({ markdown_text: 'Reading' });
    const at = { channel: SUPPORT, ts };
    clock.advance(5 * MINUTE + 1);
    for (const method of ['chat.appendStream', 'chat.stopStream']) {
      const answer = await call(method, { ...at, markdown_text: 'x' });
      expect(answer.error).toBe('message_not_in_streaming_state');
    }
    expect(await call('chat.update', { ...at, text: 'The whole answer' })).toMatchObject({ ok: true });
  });

  it('keeps a status until the next message of the app, or for two minutes', async () => {
    const thread = { channel_id: SUPPORT, thread_ts: root };
    const working = () => ws.state.sessions.working(SUPPORT, root)?.text;
    await call('assistant.threads.setStatus', { ...thread, status: 'is reading' });
    expect(working()).toBe('is reading');
    await call('chat.postMessage', { channel: SUPPORT, thread_ts: root, text: 'Done' });
    expect(working()).toBeUndefined();
    await call('assistant.threads.setStatus', { ...thread, status: 'is reading' });
    clock.advance(2 * MINUTE);
    expect(working()).toBeUndefined();
    const tooMany = Array.from({ length: 11 }, String);
    const refused = await call('assistant.threads.setStatus', { ...thread, status: 'x', loading_messages: tooMany });
    expect(refused.error).toBe('invalid_arguments');
  });

  it('makes, renames and ends sessions, and warns an app that does not hear of Stop', async () => {
    const thread = { channel_id: SUPPORT, thread_ts: root };
    expect((await call('agents.sessions.rename', { ...thread, title: 'x' })).error).toBe('session_not_found');
    const processing = { ...thread, status: 'processing' };
    const made = await call('agents.sessions.setStatus', { ...processing, title: 'Cancel +1201' });
    expect(made).toMatchObject({ ok: true, status: 'processing', title: 'Cancel +1201' });
    expect(made.warning).toBeUndefined();
    // The title counts only for a new session.
    expect((await call('agents.sessions.setStatus', { ...processing, title: 'Other' })).title).toBe('Cancel +1201');
    expect((await call('agents.sessions.rename', { ...thread, title: 'Two numbers' })).title).toBe('Two numbers');
    const { ts } = await start({ markdown_text: 'x' });
    await call('chat.stopStream', { channel: SUPPORT, ts, session_status: 'closed' });
    expect(ws.state.sessions.session(SUPPORT, root)?.status).toBe('closed');
    ws.state.events = new Set(['message.im']);
    const warning = 'missing_agent_session_stopped_event_subscription';
    expect(await call('agents.sessions.setStatus', processing)).toMatchObject({ ok: true, warning });
    ws.setScopes(['im:write']);
    expect((await call('agents.sessions.setStatus', processing)).error).toBe('missing_scope');
  });

  it('takes one to four prompts', async () => {
    const { id } = ws.state.im(IDS.U_AGENT);
    const prompts = (count: number) => Array.from({ length: count }, (_, i) => ({ title: `${i}`, message: 'm' }));
    const set = (count: number) =>
      call('assistant.threads.setSuggestedPrompts', { channel_id: id, prompts: prompts(count), title: 'Try' });
    expect((await set(5)).error).toBe('invalid_arguments');
    expect((await set(0)).error).toBe('invalid_arguments');
    expect((await set(4)).ok).toBe(true);
  });
});
