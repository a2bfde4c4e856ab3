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
  ['/account', 'packages', '1 package', [['Starter · 15 USD a month', ['Change a package', 'Delete a package']]]],
  [
    '/account',
    'subscriptions',
    '1 subscription',
    [['Ava Stone · (201) 555-0105 · Starter · mobile (mvno)', ['Change a subscription', 'End a subscription']]],
  ],
  [
    '/distributor',
    'subscribers',
    '2 subscribers',
    [
      ['Ava Stone · 7 numbers · Acme Mobile', ['Change a subscriber', 'Guardian filtering: on or off']],
      ['Ben Reed · (201) 555-0102 · Globex Family', ['Change a subscriber', 'Guardian filtering: on or off']],
    ],
  ],
  [
    '/account',
    'products',
    '2 products',
    [
      ['eSIM profile · ESIM-01 · 4.50 USD a month', ['Change a product', 'Delete a product']],
      ['5 GB of data · DATA-05 · 9 USD a month', ['Change a product', 'Delete a product']],
    ],
  ],
  [
    '/packages',
    'items starter',
    '1 product in the package',
    [['eSIM profile · 4.50 USD a month', ['Change a product in a package', 'Remove a product from a package']]],
  ],
  [
    '/account',
    'workgroups',
    '1 workgroup',
    [['Front desk · simultaneous', ['Change a workgroup', 'Workgroup details']]],
  ],
  [
    '/distributor',
    'accounts',
    '2 accounts',
    [
      ['Acme Mobile · 1 subscriber', ['Change an account', 'Account details']],
      ['Globex Family · 1 subscriber', ['Change an account', 'Account details']],
    ],
  ],
  [
    '/numbers',
    'find CountBy=MessageRoute',
    '10 numbers by message route',
    [['Main SMS route: 10 numbers (Active 7, Cancelled - Pending Delete 2, Cancelled 1)', ['Show these numbers']]],
  ],
  [
    '/numbers',
    'find CountBy=Customer Status=Active',
    '2 customers, 7 numbers',
    [
      ['Ava Stone · ava@acme.example · Acme Mobile: 5 numbers (Active 5)', ['Show these numbers']],
      ['Ben Reed · ben@globex.example · Globex Family: 1 number (Active 1)', ['Show these numbers']],
      ['no subscriber: 1 number (Active 1)', ['Show these numbers']],
    ],
  ],
  [
    '/numbers',
    'data usage settings 0105',
    'Data limits of (201) 555-0105',
    [['Ava Stone · (201) 555-0105: data stops at 20 MB', ['Set data limits', 'Data used']]],
  ],
  [
    '/numbers',
    'availability MessageEnabled=true VoiceEnabled=true AreaCode=201',
    '1 area with numbers to buy in 201',
    [[expect.stringMatching(/^area code 201 · ZIP code \d{5}$/), ['Provision a number here']]],
  ],
])('%s %s: names first, no ids', async (command, line, title, rows) => {
  const s = stageOf();
  const answer = await listed(s, command, line, title);
  expect(answer.rows).toEqual(rows);
  expect(answer.rows.join()).not.toMatch(/[A-Z]{2,7}-0000/);
  expect(shown(answer.message)).toMatch(/Details.*Share/s);
  expect(s.ws.warnings()).toEqual([]);
});

it('is the inventory by line and customer, each with its card', async () => {
  const s = stageOf();
  const { message, rows } = await listed(s, '/numbers', 'inventory', '10 lines');
  expect(rows[0]?.[0]).toBe('● (201) 555-0101 · Active · Ava Stone');
  expect(rows[1]?.[0]).toBe('● (201) 555-0102 · Active · Ben Reed');
  expect(rows[8]?.[0]).toBe('✕ (201) 555-0109 · Cancelled');
  expect(rows.join()).not.toMatch(/[A-Z]{2,7}-0000/);
  const [row] = objects(message.blocks).filter(({ type }) => type === 'section');
  expect(String(record(record(row?.accessory).text).text)).toBe('Look up');
});

it('opens the form of a change, filled in, and its details as a table', async () => {
  const s = stageOf();
  const { message } = await listed(s, '/account', 'packages', '1 package');
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
  expect((await listed(s, '/account', 'packages', '1 package', U_VIEW)).rows).toEqual([
    ['Starter · 15 USD a month', ['Package details']],
  ]);
  expect((await listed(s, '/account', 'packages', '1 package', U_LEAD)).rows[0]?.[1]).toHaveLength(2);
});
