import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { createWorkspace, IDS, type Workspace } from '../../../src/demo/playground/workspace.ts';
import { faultsOf } from '../../support/axe.ts';
import { describeInBrowser } from '../../support/browser.ts';
import { FakeClock } from '../../support/clock.ts';
import { actions, button, openWorkspacePage, plain, section, until, type WorkspacePage } from './support.ts';

type Answer = Record<string, unknown>;

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

  const call = async (method: string, args: object): Promise<Answer> => {
    const headers = { authorization: `Bearer ${ws.botToken}`, 'content-type': 'application/json' };
    const answer = await fetch(ws.apiUrl + method, { method: 'POST', headers, body: JSON.stringify(args) });
    return (await answer.json()) as Answer;
  };
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

describeInBrowser('a conversation in a real browser', (openBrowser) => {
  let page: Page;
  let ws: Workspace;
  let events: WorkspacePage['events'];
  let interactions: WorkspacePage['interactions'];
  let api: WorkspacePage['api'];
  openWorkspacePage(openBrowser, {}, (opened) => {
    ({ page, ws, events, interactions, api } = opened);
  });

  const dm = () => ws.state.im(IDS.U_AGENT).id;
  const ok = async (method: string, args: object): Promise<Answer> => {
    const answer = await api(method, args);
    expect(answer).toMatchObject({ ok: true });
    return answer;
  };
  const said = async (type: string) => {
    await until(() => events.some((event) => event?.type === type));
    return events.filter((event) => event?.type === type).at(-1) as Answer;
  };
  const checked = async (name: string) => {
    expect(await faultsOf(page, name)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
  };
  const send = async (text: string) => {
    await page.locator('#input').fill(text);
    await page.keyboard.press('Enter');
    await until(() => events.at(-1)?.text === text);
    return events.at(-1) as Answer;
  };

  it('tells the app what is opened and looked at, and sends a suggested prompt', async () => {
    await page.getByRole('button', { name: /^events/ }).click();
    const entities = [{ type: 'slack#/types/channel_id', value: IDS.C_EVENTS, team_id: IDS.TEAM }];
    const looked = await said('app_context_changed');
    expect(looked).toMatchObject({ user: IDS.U_AGENT, channel: dm(), context: { entities } });
    await page.getByRole('button', { name: /^Switchboard/ }).click();
    expect(await said('app_home_opened')).toMatchObject({ tab: 'messages', channel: dm(), user: IDS.U_AGENT });
    const prompts = [{ title: 'Who uses most?', message: 'Which five lines used most data?' }];
    await ok('assistant.threads.setSuggestedPrompts', { channel_id: dm(), title: 'Ask me', prompts });
    await page.getByRole('button', { name: 'Who uses most?', exact: true }).waitFor();
    await checked('playground prompts');
    await page.getByRole('button', { name: 'Who uses most?', exact: true }).click();
    const { text, app_context } = await said('message');
    expect([text, app_context]).toEqual(['Which five lines used most data?', { entities }]);
  });

  it('streams an answer with its status and tasks', async () => {
    const { ts: root } = await send('Why can 0106 not text?');
    const thread = { channel_id: dm(), thread_ts: root };
    const loading = ['Reading the line', 'Reading its routes'];
    await ok('assistant.threads.setStatus', { ...thread, status: 'is thinking', loading_messages: loading });
    await page.locator('.working', { hasText: 'Reading' }).waitFor();
    const { ts } = await ok('chat.startStream', { channel: dm(), thread_ts: root, task_display_mode: 'timeline' });
    const at = { channel: dm(), ts };
    const answer = page.locator('.message.reply.streaming');
    await answer.waitFor();
    // The answer has begun, so the status is gone.
    await page.locator('.working').waitFor({ state: 'detached' });
    const sources = [{ type: 'url', url: 'https://example.com/a', text: 'The line' }];
    await ok('chat.appendStream', {
      ...at,
      chunks: [task('a', 'in_progress', { title: 'Reading the line', sources })],
    });
    await answer.locator('.task.in_progress').getByText('Reading the line').waitFor();
    const markdown = '## Findings\n\n- **No** message route\n- see [docs](https://example.com)\n\n`<b>`';
    await ok('chat.appendStream', { ...at, chunks: [task('a', 'complete', { title: 'Read the line' })] });
    await ok('chat.appendStream', { ...at, markdown_text: markdown });
    await page.getByRole('heading', { name: 'Findings', exact: true }).waitFor();
    expect(await answer.locator('li b').textContent()).toBe('No');
    expect(await answer.locator('code').textContent()).toBe('<b>');
    await ok('chat.stopStream', at);
    await answer.waitFor({ state: 'detached' });
    await checked('playground streamed answer');
  });

  it('stops a session: its streams end, and the app is told which', async () => {
    const { ts: root } = await send('Cancel all suspended lines');
    const thread = { channel_id: dm(), thread_ts: root };
    await ok('agents.sessions.setStatus', { ...thread, status: 'processing', title: 'Suspended lines' });
    const { ts } = await ok('chat.startStream', { channel: dm(), thread_ts: root, task_display_mode: 'plan' });
    await ok('chat.appendStream', { channel: dm(), ts, chunks: [task('a', 'in_progress')] });
    await page.locator('.working', { hasText: 'Suspended lines' }).waitFor();
    await checked('playground session');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    const stopped = await said('agent_session_stopped');
    expect(stopped).toMatchObject({ channel: dm(), user: IDS.U_AGENT, thread_ts: root, streaming_message_ts: [ts] });
    await page.getByText('Stopped', { exact: true }).waitFor();
    expect(await page.locator('.task.in_progress').count()).toBe(0);
    const late = await api('chat.appendStream', { channel: dm(), ts, markdown_text: 'late' });
    expect(late.error).toBe('stopped_by_user');
    // Its status is the app's to change.
    await ok('agents.sessions.setStatus', { ...thread, status: 'suspended' });
    await page.getByText('waits for a person').waitFor();
    await ok('agents.sessions.setStatus', { ...thread, status: 'active' });
    await page.locator('.working').waitFor({ state: 'detached' });
  });

  it('takes a CSV in a form, and offers one for download', async () => {
    const element = { type: 'file_input', action_id: 'file', filetypes: ['csv'], max_files: 1 };
    const view = {
      type: 'modal',
      title: plain('Batch'),
      submit: plain('Read'),
      blocks: [
        { type: 'input', block_id: 'rows', label: plain('Rows'), element },
        actions(button({ text: plain('Count') })),
      ],
    };
    await ok('views.open', { trigger_id: ws.state.trigger(IDS.U_AGENT).id, view });
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const csv = 'Number\n+12015550101\n';
    const file = { name: 'lines.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    await dialog.getByLabel('Rows').setInputFiles(file);
    await dialog.getByText('lines.csv').waitFor();
    // The form is drawn again after a click, and keeps the file.
    await ok('views.update', {
      view_id: ws.openViews(IDS.U_AGENT)[0]?.id,
      view: { ...view, title: plain('Batch 2') },
    });
    await dialog.getByText('Batch 2').waitFor();
    await dialog.getByText('lines.csv').waitFor();
    await checked('playground file field');
    await dialog.getByRole('button', { name: 'Read', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    const [given] = interactions.at(-1).view.state.values.rows.file.files;
    expect(given).toMatchObject({ name: 'lines.csv', mimetype: 'text/csv', filetype: 'csv', user: IDS.U_AGENT });
    const headers = { authorization: `Bearer ${ws.botToken}` };
    expect(await (await fetch(given.url_private_download, { headers })).text()).toBe(csv);
    expect((await fetch(given.url_private_download, { redirect: 'manual' })).status).toBe(302);

    const reserved = await ok('files.getUploadURLExternal', { filename: 'results.csv', length: csv.length });
    await fetch(String(reserved.upload_url), { method: 'POST', body: csv });
    await ok('files.completeUploadExternal', { files: [{ id: reserved.file_id }], channel_id: dm() });
    const link = page.getByRole('link', { name: /^results\.csv/ });
    await link.waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toBe('results.csv');
    expect(Buffer.concat(await (await download.createReadStream()).toArray()).toString()).toBe(csv);
    await checked('playground file');
  });
});
