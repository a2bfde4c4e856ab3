import type { Server } from 'node:http';
import { App, LogLevel } from '@slack/bolt';
import { afterEach, describe, expect, it } from 'vitest';
import { createWorkspace, IDS, type Workspace, type WorkspaceOptions } from '../../../src/demo/playground/workspace.ts';
import { FakeClock } from '../../support/clock.ts';
import { actions, button, option, plain, section, until } from './support.ts';

const cleanup: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const run of cleanup.splice(0).reverse()) await run();
});

const FORM = {
  type: 'modal' as const,
  callback_id: 'cancel',
  title: plain('Cancel a number') as { type: 'plain_text'; text: string },
  submit: plain('Ask') as { type: 'plain_text'; text: string },
  notify_on_close: true,
  private_metadata: 'op-1',
  blocks: [
    {
      type: 'input' as const,
      block_id: 'reason',
      label: plain('Reason'),
      element: { type: 'plain_text_input', action_id: 'text', min_length: 3, max_length: 10 },
    },
    {
      type: 'input' as const,
      block_id: 'number',
      label: plain('Number'),
      optional: true,
      element: { type: 'external_select', action_id: 'pick', min_query_length: 2 },
    },
    {
      type: 'input' as const,
      block_id: 'when',
      label: plain('When'),
      element: { type: 'datepicker', action_id: 'date', initial_date: '2026-12-01' },
    },
  ],
} as never;

interface Seen {
  submitted: unknown[];
  closed: number;
  events: string[];
  clicks: { value: unknown; userTeam: unknown; message: unknown }[];
}

/** A small app with one of everything. */
function wire(app: App): Seen {
  const seen: Seen = { submitted: [], closed: 0, events: [], clicks: [] };
  app.command('/number', async ({ ack, respond, client, command }) => {
    if (command.text === 'now') return ack('answered at once');
    if (command.text === 'never') return;
    await ack();
    if (command.text === 'form') {
      await client.views.open({ trigger_id: command.trigger_id, view: FORM });
      return;
    }
    await respond({
      text: 'card',
      response_type: 'in_channel',
      blocks: [
        section('*Card*'),
        actions(button({ value: 'op-1', confirm: { text: plain('Sure?') } }), button({ action_id: 'no' })),
      ] as never,
    });
  });
  app.action('go', async ({ ack, action, body, respond }) => {
    await ack();
    const payload = body as unknown as { user: { team_id: string }; message?: unknown };
    seen.clicks.push({
      value: 'value' in action ? action.value : undefined,
      userTeam: payload.user.team_id,
      message: payload.message,
    });
    await respond({ text: 'done', replace_original: true });
  });
  app.options('pick', async ({ ack, payload }) => {
    await ack({ options: [option(1, `+1${payload.value}`)] as never });
  });
  app.view('cancel', async ({ ack, view }) => {
    seen.submitted.push(view.state.values);
    if (view.state.values.reason?.text?.value === 'bad')
      return ack({ response_action: 'errors', errors: { reason: 'Say more' } });
    if (view.state.values.reason?.text?.value === 'more')
      return ack({ response_action: 'push', view: { ...(FORM as object), callback_id: 'second' } as never });
    return ack();
  });
  app.view({ callback_id: /cancel|second/, type: 'view_closed' }, async ({ ack }) => {
    await ack();
    seen.closed++;
  });
  app.event('app_home_opened', async ({ event, client }) => {
    seen.events.push(event.user);
    await client.views.publish({
      user_id: event.user,
      view: { type: 'home', blocks: [section('Home'), actions(button({ action_id: 'go', value: 'h' }))] as never },
    });
  });
  app.shortcut('hello', async ({ ack }) => ack());
  app.error(async () => undefined);
  return seen;
}

async function overHttp(options: WorkspaceOptions = {}): Promise<{ ws: Workspace; seen: Seen }> {
  const ws = createWorkspace(options);
  await ws.listen();
  const app = new App({
    token: ws.botToken,
    signingSecret: ws.signingSecret,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: ws.apiUrl },
  });
  const seen = wire(app);
  const server = (await app.start(0)) as Server;
  const address = server.address();
  ws.setRequestUrl(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/slack/events`);
  cleanup.push(
    () => ws.close(),
    async () => {
      server.closeAllConnections();
      await app.stop();
    },
  );
  return { ws, seen };
}

async function overSocket(): Promise<{ ws: Workspace; seen: Seen }> {
  const ws = createWorkspace();
  await ws.listen();
  const app = new App({
    token: ws.botToken,
    appToken: ws.appToken,
    socketMode: true,
    logLevel: LogLevel.ERROR,
    clientOptions: { slackApiUrl: ws.apiUrl },
  });
  const seen = wire(app);
  await app.start();
  cleanup.push(
    () => ws.close(),
    () => app.stop(),
  );
  return { ws, seen };
}

const { U_AGENT, U_LEAD, U_OTHER, C_SUPPORT } = IDS;
const command = { user: U_AGENT, channel: C_SUPPORT, command: '/number' };

describe.each([
  ['HTTP', overHttp],
  ['Socket Mode', overSocket],
])('a Bolt app over %s', (_name, start) => {
  it('goes from a command to a card to a click', async () => {
    const { ws, seen } = await start();
    expect(await ws.command({ ...command, text: 'now' })).toMatchObject({ outcome: 'acked', status: 200 });
    expect(ws.messages(C_SUPPORT)[0]).toMatchObject({ text: 'answered at once', ephemeralTo: U_AGENT, source: 'ack' });
    await ws.command({ ...command, text: 'card' });
    await until(() => ws.messages(C_SUPPORT, { visibleTo: U_LEAD }).length === 1);
    const card = ws.messages(C_SUPPORT, { visibleTo: U_LEAD })[0]?.ts ?? '';
    const clicked = await ws.click({ user: U_OTHER, messageTs: card, actionId: 'go' });
    expect(clicked).toMatchObject({ outcome: 'acked', confirm: { text: { text: 'Sure?' } } });
    await until(() => ws.message(card)?.text === 'done');
    expect(seen.clicks).toMatchObject([{ value: 'op-1', userTeam: 'T999OTHER', message: { ts: card } }]);
    expect(await ws.click({ user: U_AGENT, messageTs: card, actionId: 'go' })).toMatchObject({ outcome: 'refused' });
  });

  it('goes from a command to a form, its typeahead, its errors and its end', async () => {
    const { ws, seen } = await start();
    await ws.command({ ...command, text: 'form' });
    await until(() => ws.openViews(U_AGENT).length === 1);
    const submit = (values: Record<string, string>) => ws.submit({ user: U_AGENT, values });
    expect((await submit({})).errors).toEqual({ reason: 'Please complete this required field.' });
    expect((await submit({ reason: 'no' })).errors).toEqual({ reason: 'Please enter at least 3 characters.' });
    expect((await submit({ reason: 'x'.repeat(11) })).outcome).toBe('refused');
    expect(seen.submitted).toEqual([]);
    expect((await submit({ reason: 'bad' })).errors).toEqual({ reason: 'Say more' });
    expect((await submit({ number: 'v1' })).outcome).toBe('refused');
    const pick = { user: U_AGENT, view: true, actionId: 'pick' } as const;
    expect((await ws.suggest({ ...pick, value: '2' })).outcome).toBe('refused');
    expect((await ws.suggest({ ...pick, value: '20' })).options).toMatchObject([{ text: { text: '+120' } }]);
    await submit({ reason: 'more', number: 'v1' });
    expect(ws.openViews(U_AGENT).map((view) => view.definition.callback_id)).toEqual(['cancel', 'second']);
    await ws.closeView({ user: U_AGENT });
    expect((await submit({ reason: 'fine' })).outcome).toBe('acked');
    expect(ws.openViews(U_AGENT)).toEqual([]);
    expect(seen.submitted.at(-1)).toEqual({
      reason: { text: { type: 'plain_text_input', value: 'fine' } },
      number: { pick: { type: 'external_select', selected_option: option(1, '+120') } },
      when: { date: { type: 'datepicker', selected_date: '2026-12-01' } },
    });
  });
});

describe('signatures', () => {
  it('are what Bolt checks', async () => {
    const { ws } = await overHttp();
    const first = await ws.command({ ...command, text: 'now' });
    const sent = ws.bytesToApp()[0];
    const body = sent?.raw ?? '';
    const headers = sent?.headers ?? {};
    expect((await ws.raw(body, headers)).status).toBe(200);
    expect((await ws.replay(first.deliveryId)).status).toBe(200);
    expect((await ws.raw(body.replace('now', 'owl'), headers)).status).toBe(401);
    const old = ws.sign(body, Math.floor(Date.now() / 1000) - 600);
    expect((await ws.raw(body, { ...headers, ...old })).status).toBe(401);
    const { 'x-slack-signature': _gone, ...unsigned } = headers;
    expect((await ws.raw(body, unsigned)).status).toBe(401);
  });
});

describe('three seconds', () => {
  it('end a command that was not acknowledged', async () => {
    const clock = new FakeClock(Date.now());
    const { ws } = await overHttp({ clock });
    const pending = ws.command({ ...command, text: 'never' });
    await until(() => clock.pending === 1);
    clock.advance(3000);
    expect(await pending).toMatchObject({ outcome: 'timeout', reason: 'operation_timeout', ackMs: 3000 });
    expect(ws.messages(C_SUPPORT)[0]?.text).toContain('operation_timeout');
  });
});
