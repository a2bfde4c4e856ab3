import { expect, it } from 'vitest';
import { objects } from '../../../../src/demo/playground/types.ts';
import { record, type Stage, sharedStage, shown, U_AGENT, U_LEAD, U_VIEW, until, whisper } from '../support.ts';

const stageOf = sharedStage();

/* Lists of records as sentences, each with what can be done with it. */

/** The sentences of the list in the newest answer, and the texts of the menu beside each. */
async function listed(s: Stage, command: string, line: string, title: string, user: string = U_AGENT) {
  await s.type(command, line, user);
  const message = await whisper(s.ws, user, title);
  const rows = objects(message.blocks).filter(({ type }) => type === 'section');
  return {
    message,
    rows: rows.map(({ text, accessory }) => [
      String(record(text).text),
      objects(record(accessory).options).map((option) => String(record(option.text).text)),
    ]),
  };
}

it.each([
  ['/packages', 'list', '1 package', [['Starter · 15 USD a month', ['Change a package', 'Delete a package']]]],
  [
    '/account',
    'subscriptions',
    '1 subscription',
    [['Ava Stone · (201) 555-0105 · Starter · mobile (mvno)', ['Change a subscription', 'End a subscription']]],
  ],
  [
    '/subscribers',
    'list',
    '2 subscribers',
    [
      ['Ava Stone · 7 numbers · Acme Mobile', ['Change a subscriber', 'Guardian filtering: on or off']],
      ['Ben Reed · (201) 555-0102 · Globex Family', ['Change a subscriber', 'Guardian filtering: on or off']],
    ],
  ],
])('%s %s: names first, no ids', async (command, line, title, rows) => {
  const s = stageOf();
  const answer = await listed(s, command, line, title);
  expect(answer.rows).toEqual(rows);
  expect(answer.rows.join()).not.toMatch(/[A-Z]{2,7}-0000/);
  expect(shown(answer.message)).toMatch(/Details.*Share/s);
  expect(s.ws.warnings()).toEqual([]);
});

it('is a webhook by its address and events', async () => {
  const s = stageOf();
  const WebhookUrl = 'https://example.com/hook';
  s.sandbox.perform('/v1.0/webhook/create', { WebhookUrl, SubscribedEvents: 'New_Sms' });
  const { rows } = await listed(s, '/webhook', 'list', '1 webhook');
  expect(rows).toEqual([[`${WebhookUrl} · New_Sms`, ['Change a webhook', 'Delete a webhook']]]);
});

it('opens the form of a change, filled in, and its details as a table', async () => {
  const s = stageOf();
  const { message } = await listed(s, '/packages', 'list', '1 package');
  const [row] = objects(message.blocks).filter(({ type }) => type === 'section');
  const [change] = objects(record(row?.accessory).options);
  const at = { user: U_AGENT, messageTs: message.ts };
  await s.ws.click({ ...at, actionId: String(record(row?.accessory).action_id), value: String(change?.value) });
  await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
  expect(JSON.stringify(s.ws.openViews(U_AGENT)[0]?.definition)).toContain('Starter line');
  await s.ws.click({ ...at, actionId: 'sb_page' });
  await whisper(s.ws, U_AGENT, 'PKID-00000000-0000-4000-8000-000000000001');
});

it('offers viewers nothing that they may not ask for', async () => {
  const s = stageOf();
  expect((await listed(s, '/packages', 'list', '1 package', U_VIEW)).rows).toEqual([['Starter · 15 USD a month', []]]);
  expect((await listed(s, '/packages', 'list', '1 package', U_LEAD)).rows[0]?.[1]).toHaveLength(2);
});

it('is messages with their texts as quotes, an answer and the details of each', async () => {
  const s = stageOf();
  const said = 'Your code is *1234* <!channel>';
  s.sandbox.perform('/v1.0/message/outbound', { From: '+12015550101', To: [{ Number: '+13125550123' }], Body: said });
  const { message, rows } = await listed(s, '/message', 'search 0101', '1 message of (201) 555-0101');
  expect(rows).toEqual([
    [
      expect.stringMatching(/^sent to \(312\) 555-0123, \w+, \$0\.\d+$/),
      ['Write to this number', 'Details of this message'],
    ],
  ]);
  const quoted = objects(message.blocks).find((block) => JSON.stringify(block).includes('rich_text_quote'));
  expect(JSON.stringify(quoted)).toContain(JSON.stringify(said));
  const [row] = objects(message.blocks).filter(({ type }) => type === 'section');
  const [write, details] = objects(record(row?.accessory).options);
  const at = { user: U_AGENT, messageTs: message.ts, actionId: String(record(row?.accessory).action_id) };
  await s.ws.click({ ...at, value: String(write?.value) });
  await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
  expect(JSON.stringify(s.ws.openViews(U_AGENT)[0]?.definition)).toMatch(/\(312\) 555-0123|\+13125550123/);
  await s.ws.click({ ...at, value: String(details?.value) });
  await whisper(s.ws, U_AGENT, 'Message details');
  expect((await listed(s, '/message', 'search 0101', '1 message', U_VIEW)).rows[0]?.[1]).toEqual([
    'Details of this message',
  ]);
  expect(s.ws.warnings()).toEqual([]);
});

it('says that there are none', async () => {
  const s = stageOf();
  const { message } = await listed(s, '/message', 'search 0102', 'No messages of (201) 555-0102');
  expect(shown(message)).not.toMatch(/Results|none/);
});
