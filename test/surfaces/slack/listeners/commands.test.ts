import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/demo/playground/types.ts';
import { A1, TSUID } from '../../../support/seed.ts';
import { C_SUPPORT, U_AGENT, U_LEAD, U_OTHER, U_VIEW } from '../ids.ts';
import { type Stage, shown, stage, until } from '../support.ts';

/** Shares an answer, and returns what the channel shows then. */
async function share(s: Stage, answer: Message): Promise<string> {
  await s.press(answer, 'sb_share', U_VIEW);
  const shared = () => s.ws.messages(C_SUPPORT).find((one) => one.ephemeralTo === undefined);
  await until(() => shared() !== undefined, 'shared');
  return shown(shared());
}

describe('a command', () => {
  it('answers only the person who asked, in place of the first message, with Share', async () => {
    const s = await stage();
    const ack = await s.type('/subscribers', `get ${TSUID}`, U_VIEW);
    expect(ack.outcome).toBe('acked');
    expect(ack.body).toContain('Looking that up');
    const answer = await s.whisper('sb_share', U_VIEW);
    expect(s.whispers(U_VIEW)).toHaveLength(1);
    expect(answer.ephemeralTo).toBe(U_VIEW);
    const shared = await share(s, answer);
    expect(shared).toContain(`Shared by <@${U_VIEW}> · as of <!date^`);
    expect(shared).not.toContain('sb_share');
  });

  it('shares the card of a number without the buttons of its reader', async () => {
    const s = await stage();
    await s.type('/numbers', '0102', U_VIEW);
    expect(await share(s, await s.whisper('sb_share', U_VIEW))).not.toContain('"type":"button"');
  });

  it('names the help, and offers no change, for words that are neither an operation nor a name', async () => {
    const s = await stage();
    await s.type('/numbers', 'frobnicate now');
    const answer = shown(await s.whisper('No number matches'));
    expect(answer).toContain('/numbers help lists what can be done');
    expect(answer).not.toMatch(/Cancel|Park|Change|Swap/);
    // What was typed, in the words of this surface.
    for (const [typed, says] of [
      ['cancel 0105 tomorrow', '"tomorrow" fits no field of /numbers cancel.'],
      ['status 0104 park 2026-12-05 because:', '/numbers status help shows how to give'],
    ] as const) {
      await s.type('/numbers', typed);
      await s.whisper(says.replaceAll('"', '\\"'));
    }
  });

  it('takes an amount without a name to the fields that it may mean, and words that several operations have to their forms', async () => {
    const s = await stage();
    await s.type('/numbers', 'data usage set 0103 40');
    const amount = await s.whisper('40 could be LimitValue, NotifyValue or ThrottleValue: write LimitValue=40.');
    await s.opens(amount, 'sb_fill', U_AGENT, '"initial_value":"40"');
    await s.type('/numbers', 'data-usage form');
    expect(shown(await s.whisper('matches several operations'))).toContain('Set data limits');
  });

  it('has buttons for tasks in its help, and shows the values that a record has already', async () => {
    const s = await stage();
    await s.type('/numbers', 'help');
    expect(shown(await s.whisper('portin guide'))).toMatch(/"sb_guide_\d".*"sb_fill_\d"/);
    await s.type('/subscribers', `update ${TSUID} Name="Ava Stone"`);
    expect(shown(await s.whisper('Already so'))).toMatch(/"Name".{0,90}"Ava Stone"/);
  });

  it('counts numbers by what they share', async () => {
    const s = await stage();
    for (const [by, title, counts] of [
      ['Customer', '2 customers, 10 numbers', [7, 2]],
      ['Product', '10 numbers by product', [7, 2]],
      // The plan of another account is not read.
      ['Plan', '10 numbers by plan', [8]],
    ] as const) {
      await s.type('/numbers', `find CountBy=${by}`);
      const answer = shown(await s.whisper(title));
      for (const count of counts) expect(answer, by).toContain(`: ${count} numbers`);
    }
    await s.type('/numbers', 'find Status=Parked CountBy=Status');
    expect(shown(await s.whisper('0 numbers by state'))).toContain('No number');
  });

  it('refuses a typed secret, sends nothing, and offers a form with the other values', async () => {
    const s = await stage();
    const line =
      'create WebhookUrl=https://example.com/hook SubscribedEvents=New_Sms AuthenticationType=Token AuthenticationToken=hunter2hunter2';
    const ack = await s.type('/webhook', line);
    expect(ack.body).toContain('AuthenticationToken is secret');
    expect(ack.body).not.toContain('hunter2');
    const [refusal] = s.whispers();
    const form = await s.opens(refusal, 'sb_fill');
    expect(form).toContain('https://example.com/hook');
    expect(form).not.toContain('hunter2');
    expect(form).toContain('Not shown again');
    expect(await s.requests()).toEqual([]);
    expect(s.logged.join('\n')).not.toContain('hunter2');
  });

  it('opens a form for missing fields, shows errors at their fields, and keeps the input', async () => {
    const s = await stage();
    const ack = await s.type('/numbers', 'reactivate');
    expect(ack.body).toBe('');
    await s.opened();
    await s.suggest('PhoneNumber', '+1201');
    const wrong = await s.ws.submit({ user: U_AGENT, values: { PhoneNumber: '+1201' } });
    expect(wrong.errors?.PhoneNumber).toContain('+12015550101');
    await s.suggest('PhoneNumber', '(201) 555-0107');
    const done = await s.ws.submit({ user: U_AGENT, values: { PhoneNumber: '(201) 555-0107' } });
    expect(done).toMatchObject({ outcome: 'acked', body: '' });
    expect(s.ws.openViews(U_AGENT)).toEqual([]);
    expect((await s.card()).text).toContain('waits for an approver');
  });

  it('requires a role, and names it and its holders', async () => {
    const s = await stage();
    await s.type('/numbers', 'cancel ava stone', U_VIEW);
    expect(shown(await s.whisper('needs the role operator', U_VIEW))).toContain('S000OPERATE');
    await s.type('/numbers', 'inventory', U_OTHER);
    await s.whisper('another workspace', U_OTHER);
    expect(await s.requests()).toEqual([]);
    const none = await stage({ SLACK_VIEWERS: [], SLACK_OPERATORS: [], SLACK_APPROVERS: [] });
    await none.type('/numbers', 'inventory', U_LEAD);
    await none.whisper('Nobody has it yet', U_LEAD);
    expect(await none.requests()).toEqual([]);
  });
});

describe('a line of a command', () => {
  it.each([
    ['number', 'AID-00000000-0000-4000-8000-000000000002', '1 number matches “Globex Family”'],
    ['numbers', 'status 0106 park tomorrow', 'Park +12015550106'],
    ['numbers', 'give ben 100 mb more', '(201) 555-0102 has no data'],
    ['numbers', 'data usage set 0102 LimitValue=100', 'no data on this line'],
  ])('/%s %s', async (command, line, answer) => {
    const s = await stage();
    await s.type(`/${command}`, line);
    await until(() => s.ws.messages(C_SUPPORT).some((message) => shown(message).includes(answer)), answer);
  });

  it('opens no form of limits for a line without data, and one choice for another number', async () => {
    const s = await stage();
    await s.type('/numbers', 'data usage set 0102 form');
    expect(await s.opened(U_AGENT, 'has no data')).not.toContain('"initial_value":"+12015550102"');
    await s.type('/numbers', 'status 0106');
    expect(await s.opened(U_AGENT, '"Another phone number"')).not.toContain('"replace"');
  });
});

const REACTIVATE = `reactivate +12015550107 AccountId=${A1}`;

/** Waits for the outcome in the thread of a card. */
async function toldInThread(s: Stage, threadTs: string): Promise<void> {
  await until(() => {
    s.clock.skip(2_000);
    return s.ws.messages(C_SUPPORT, { threadTs }).some((message) => message.text.includes('✅ Done'));
  }, 'the news in the thread');
}

it('a fault of Slack never changes an outcome: if a card cannot be updated, its thread or a direct message tells the outcome', async () => {
  const s = await stage();
  await s.type('/numbers', REACTIVATE);
  const { ts } = await s.card();
  s.ws.fail('chat.update', { error: 'message_not_found' }, 100);
  await s.press(ts, 'sb_confirm');
  // A skip would end the wait for the platform's answer too.
  await until(async () => (await s.gate.actions.list({}))[0]?.state === 'done', 'the outcome');
  await toldInThread(s, ts);
  expect(await s.requests('/numbers/reactivate')).toHaveLength(1);
  expect(s.ws.messages(C_SUPPORT, { threadTs: ts })).toHaveLength(1);
  // The card shows the end once Slack takes it, when somebody presses it.
  s.ws.clearFaults();
  await s.press(ts, 'sb_confirm');
  expect(s.shows(ts)).toContain('✅ Done');
});

it('an outcome is told, and shown on its card, once a revoked token is accepted again', async () => {
  const s = await stage();
  await s.type('/numbers', REACTIVATE);
  const { ts } = await s.card();
  for (const method of ['chat.update', 'chat.postMessage']) s.ws.fail(method, { error: 'token_revoked' }, 1_000);
  await s.press(ts, 'sb_confirm');
  await until(async () => (await s.gate.actions.list({}))[0]?.state === 'done', 'the outcome');
  for (let i = 0; i < 20; i += 1) {
    s.clock.skip(60_000);
    await s.quiet();
  }
  s.ws.clearFaults();
  await toldInThread(s, ts);
  await s.says(ts, '✅ Done');
});

describe('the request receiver', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };

  it('rejects requests that are unsigned, old, repeated or malformed', async () => {
    const s = await stage();
    const first = await s.type('/numbers', REACTIVATE);
    await s.card();
    const sent = s.ws.bytesToApp()[0];
    const body = sent?.raw ?? '';
    const headers = sent?.headers ?? {};
    expect((await s.ws.replay(first.deliveryId)).status).toBe(200);
    expect((await s.ws.replay(first.deliveryId)).body).toBe('');
    expect((await s.ws.raw(body.replace('0107', '0103'), headers)).status).toBe(401);
    const now = Math.floor(Date.now() / 1000);
    // A slow machine may take a second or two until the request is checked.
    for (const off of [-301, 360, -86_400]) {
      expect((await s.ws.raw(body, { ...headers, ...s.ws.sign(body, now + off) })).status).toBe(401);
    }
    for (const signature of ['', 'v0=', 'v0=zz', `v1=${'0'.repeat(64)}`, `v0=${'0'.repeat(64)}`]) {
      expect((await s.ws.raw(body, { ...headers, 'x-slack-signature': signature })).status).toBe(401);
    }
    const json = { 'content-type': 'application/json' };
    const senseless: [string, Record<string, string>][] = [
      ['{"type":', json],
      ['[]', json],
      ['null', json],
      ['{"type":"event_callback"}', json],
      ['{"type":"constructor"}', json],
      ['{"type":"event_callback","event":{"type":"app_home_opened"}}', json],
      ['payload=%7B', form],
      ['payload=7', form],
      [`payload=${encodeURIComponent('{"type":"block_actions","user":{"id":"U1"},"actions":[]}')}`, form],
      [
        `payload=${encodeURIComponent('{"type":"block_actions","user":{"id":"U1","team_id":"T1"},"actions":{"0":{"action_id":"x"}}}')}`,
        form,
      ],
      [`payload=${encodeURIComponent('{"type":"view_submission","user":{"id":"U1"}}')}`, form],
      ['command=%2Fnumbers', form],
      ['', form],
    ];
    for (const [raw, type] of senseless) {
      expect((await s.ws.raw(raw, { ...type, ...s.ws.sign(raw) })).status, raw).toBe(400);
    }
    const large = `command=/numbers&text=${'x'.repeat(1_100_000)}`;
    expect((await s.ws.raw(large, { ...form, ...s.ws.sign(large) }).catch(() => ({ status: 413 }))).status).toBe(413);
    const check = '{"type":"url_verification","challenge":"abc"}';
    expect((await s.ws.raw(check, { ...json, ...s.ws.sign(check) })).body).toContain('abc');
    // Nor is it handled by another process.
    s.ws.setRequestUrl(`${(await s.again()).url}/slack/events`);
    expect(await s.ws.raw(body, headers)).toMatchObject({ status: 200, body: '' });
    await s.quiet();
    expect(s.cards()).toHaveLength(1);
    expect(s.ws.messages(C_SUPPORT)).toHaveLength(1);
    expect(await s.gate.actions.list({})).toHaveLength(1);
  });

  it.each([
    ['an unknown button', { type: 'block_actions', actions: [{ action_id: 'old_button', type: 'button' }] }],
    [
      'a button whose value was cut',
      { type: 'block_actions', actions: [{ action_id: 'sb_run_0', type: 'button', value: 'numbers_get|{"Ph' }] },
    ],
    ['an unknown modal that was closed', { type: 'view_closed', view: { id: 'V1', callback_id: 'old_modal' } }],
    ['an unknown modal that was sent', { type: 'view_submission', view: { id: 'V1', callback_id: 'old_modal' } }],
    ['a kind of request that this app does not know', { type: 'interactive_message', callback_id: 'x' }],
  ])('is answered 200, and nothing is done: %s', async (_what, payload) => {
    const s = await stage();
    const body = { ...payload, user: { id: U_AGENT, team_id: 'T000DEMO' }, team: { id: 'T000DEMO' } };
    const raw = `payload=${encodeURIComponent(JSON.stringify(body))}`;
    expect((await s.ws.raw(raw, { ...form, ...s.ws.sign(raw) })).status).toBe(200);
    await s.settled();
    expect(s.logged.filter((line) => /^(warn|error) /.test(line))).toEqual([]);
    expect(await s.gate.actions.list({})).toEqual([]);
  });

  it('rejects a body that is too large without a content length', async () => {
    const { url } = await stage();
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const req = request(`${url}/slack/events`, { method: 'POST' }, (res) => resolve(res.resume().statusCode));
      req.on('error', reject);
      for (let i = 0; i < 40; i += 1) req.write(Buffer.alloc(100_000, 120));
      req.end();
    });
    expect(status).toBe(413);
  });
});

describe('Socket Mode', () => {
  const SOCKET = { SLACK_APP_TOKEN: 'xapp-playground-app', SLACK_SIGNING_SECRET: undefined };

  it('carries commands, forms and clicks as HTTP does', async () => {
    const s = await stage(SOCKET);
    await until(() => s.ws.socketConnections() === 1, 'a connection');
    expect((await s.type('/numbers', REACTIVATE)).outcome).toBe('acked');
    await s.confirm();
    await s.form('/numbers', 'reactivate');
    expect(JSON.stringify((await s.suggest('PhoneNumber', '0107')).options)).toContain('+12015550107');
  });

  it('connects later if Slack is down at the start', async () => {
    const s = await stage(SOCKET, { start: false });
    s.ws.fail('apps.connections.open', { error: 'invalid_auth' }, 1);
    await s.slack.start();
    expect(s.ws.socketConnections()).toBe(0);
    await expect(s.slack.health()).rejects.toThrow('Slack is connecting');
    await until(() => s.logged.some((line) => line.includes('Socket Mode could not connect')), 'a failure');
    s.clock.skip(5_000);
    await until(() => s.ws.socketConnections() === 1, 'a connection');
    await expect.poll(() => s.slack.health().then(() => 'healthy', String)).toBe('healthy');
  });
});
