import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { beforeEach, expect, it } from 'vitest';
import { claimDue, event, settle } from '../../events/support.ts';
import { A1, id, ORDER, seeded, TSUID } from '../../support/seed.ts';
import { call, face, openWorld, until, value, type World } from '../../support/world.ts';

let world: World;
let client: Client;
beforeEach(async () => {
  world = await openWorld();
  client = await world.client();
});

const message = (n: number, to = seeded(1)) =>
  event({ MessageId: `TMID-${n}`, Direction: 'INBOUND', From: '+13125550199', To: to, Body: `text ${n}` });
const since = async (input: Record<string, unknown>) => value(await call(client, 'events_since', input));

it('gives the newest where there is too much, says so, and the rest page by page', async () => {
  const inbox = world.runtime.inbox();
  for (let batch = 0; batch < 10; batch += 1) {
    const before = Date.now();
    await Promise.all(Array.from({ length: 45 }, (_, n) => inbox.receive(message(batch * 45 + n))));
    // Each batch has a separate moment. The events of one batch may share it.
    await until(() => Date.now() > before + 1);
  }
  const seen = new Set<string>();
  let Until: string | undefined;
  for (let page = 0; page < 10; page += 1) {
    const answer = await since({ Since: '1h', Only: 'messages', ...(Until ? { Until } : {}) });
    for (const { MessageId } of answer.Messages ?? []) seen.add(MessageId);
    if (page === 0) {
      expect(answer.More).toBe(true);
      expect(answer.Messages.length).toBeGreaterThan(100);
      expect(answer.Messages.at(-1).MessageId).toBe('TMID-449');
    }
    if (!answer.More) break;
    Until = answer.Since;
  }
  expect(seen.size).toBe(450);
});

it('is about whom an event concerns, not about what somebody wrote in it, and finds an order by its number', async () => {
  const inbox = world.runtime.inbox();
  const receive = (From: string, Body: string) =>
    inbox.receive(event({ MessageId: `TMID-${Body}`, Direction: 'INBOUND', From, To: seeded(3), Body }));
  await receive('+13125550199', seeded(4));
  await receive(`"${seeded(4)}"`, ORDER);
  expect((await since({ PhoneNumber: seeded(4) })).Messages).toBeUndefined();
  expect((await since({ OrderId: ORDER })).Messages).toBeUndefined();
  expect((await since({ PhoneNumber: seeded(3) })).Messages).toHaveLength(2);
  // The card of a number shows no message that only names it, in any place where a stranger can write.
  const { gate, ledger } = world.runtime;
  await receive(`x ${seeded(4)} y`, 'planted');
  const reader = { id: 'x', name: 'x', role: 'viewer', surface: 'cli', priority: 'person' } as const;
  expect(await gate.history(reader).lastMessage(seeded(4))).toBeUndefined();
  expect((await gate.history(reader).lastMessage(seeded(3)))?.values).toMatchObject({ Body: 'planted' });
  await call(client, 'numbers_watch', { PhoneNumber: seeded(4), Stop: true });
  expect(await ledger.about(seeded(4))).toHaveLength(1);
  expect(await ledger.about(seeded(4).slice(0, -1))).toEqual([]);
  await inbox.receive(event({ OrderId: ORDER, Status: 'Rejected', ErrorMessage: '8C-ZIP_CODE_REQ_OR_INCORRECT' }));
  const job = (await claimDue(inbox)).find(({ subject }) => subject.startsWith('order '));
  if (!job) throw new Error('the order is not due');
  await settle(inbox, job, { status: 'Rejected', message: '8C-ZIP', numbers: ['+13125550111'] });
  expect((await since({ PhoneNumber: '+13125550111', OrderId: ORDER, Only: 'orders' })).Orders).toEqual([
    expect.objectContaining({ OrderId: ORDER, PhoneNumbers: ['+13125550111'], Why: expect.stringContaining('ZIP') }),
  ]);
});

it('says what was changed for whom, from what to what, and that a question taken back was not declined', async () => {
  const set = (LimitValue: number) =>
    call(client, 'numbers_data_usage_set', { PhoneNumbers: [{ Number: seeded(5) }], LimitValue, Reason: 'holiday' });
  await world.person('numbers_data_usage_set', { PhoneNumbers: [{ Number: seeded(5) }], LimitValue: 300 });
  await set(400);
  await set(500);
  const { Actions } = await since({ Since: '1h' });
  const What = `Set the data limits of ${seeded(5)}`;
  expect(Actions).toMatchObject([
    { What, State: 'done', Changes: ['Data limit: 20 MB → 300 MB'], Customer: 'Ava Stone · Acme Mobile' },
    { What, State: 'replaced', Changes: ['Data limit: 300 MB → 400 MB'] },
    { What, State: 'pending', Changes: ['Data limit: 300 MB → 500 MB'], Reason: 'holiday' },
  ]);
  expect(Actions[1]).not.toHaveProperty('DecidedBy');
  const marked = (await call(client, 'events_since', { Since: '1h' }))._meta?.['switchboard/outside'];
  expect(marked).not.toContain('Actions[].Changes[]');
  await world.person('subscribers_update', { SubscriberId: TSUID, Name: 'Do it' });
  const renamed = (await call(client, 'events_since', { Since: '1h' }))._meta?.['switchboard/outside'];
  expect(renamed).toEqual(expect.arrayContaining(['Actions[].What', 'Actions[].Changes[]']));
});

it('says what was charged to a customer, by subscriber and by account', async () => {
  expect((await world.cli(['numbers_reactivate', seeded(7), '--yes'])).code).toBe(0);
  await world.runtime.inbox().receive(message(1, seeded(2)));
  const own = { Actions: 1, KnownUsd: 5, NotPriced: 0 };
  const charged = { ...own, ByCustomer: [{ Customer: 'Ava Stone · Acme Mobile', ...own }] };
  const bySubscriber = await since({ SubscriberId: TSUID, Since: '1h' });
  expect(bySubscriber.Charges).toMatchObject(charged);
  expect(bySubscriber.Actions).toMatchObject([{ Operation: 'numbers_reactivate', Charged: '5 USD' }]);
  expect(bySubscriber.Messages).toBeUndefined();
  const byAccount = await since({ AccountId: A1, Since: '1h' });
  expect(byAccount.Charges).toMatchObject(charged);
  const other = await since({ AccountId: id('AID', 2), Since: '1h' });
  expect(other).not.toHaveProperty('Charges');
  expect(other.Messages).toHaveLength(1);
  const both = await call(client, 'events_since', { AccountId: A1, SubscriberId: TSUID });
  expect(face(both)).toMatchObject({ code: 'invalid_input', field: 'AccountId' });
});
