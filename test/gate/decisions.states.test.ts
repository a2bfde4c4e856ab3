import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EventService } from '../../src/events/service.ts';
import { asSwitchboardError } from '../../src/lib/errors.ts';
import { actorOf } from '../support/approval.ts';
import { accepts, followed } from '../support/asking.ts';
import { BatchClient } from '../support/batches.ts';
import { atEnd, listen } from '../support/ending.ts';
import { type LatePlatform, lateWorld } from '../support/late-platform.ts';
import { confirm, press, signIn } from '../support/page.ts';
import { REQUEST_PATH, SUBMIT_PATH, seeded } from '../support/seed.ts';
import { openSqliteFile } from '../support/sqlite-file.ts';
import { call, face, followUpId, lose, until, value, type World } from '../support/world.ts';

const UPDATE = '/v1.0/numbers/update';
const SEND = '/v1.0/message/outbound';

let platform: LatePlatform;
let world: World;

/** Opens a world with these settings, and a client whose user says yes. */
async function open(env: Record<string, string> = {}) {
  ({ platform, world } = await lateWorld({ MCP_HTTP_TOKENS: 'ann:approver:ann-token-1', ...env }));
  return client();
}
const client = () => world.client({ token: 'ann-token-1', person: accepts });

/** The ledger's file, as another program would open it. */
function ledgerFile() {
  const db = openSqliteFile(join(world.folder, 'switchboard.db'));
  onTestFinished(() => db.close());
  return db;
}
/** The same, and from now on its disk is full for every end of an action, until the trigger `full` is dropped. */
function ledgerThatTakesNoEnd() {
  const db = ledgerFile();
  db.run(`CREATE TRIGGER full BEFORE UPDATE OF state ON actions WHEN new.state IN ('done','failed','unknown')
    BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`);
  return db;
}
const newest = async () => (await world.runtime.gate.actions.list({ limit: 1, whole: true }))[0];

describe('a process that ends while a question takes the place of another one', () => {
  /** Every such write fails during the work, as it does in a process that ends before it. */
  const cut = async (write: string, work: () => Promise<unknown>) => {
    const db = ledgerFile();
    db.run(`CREATE TRIGGER cut BEFORE ${write} BEGIN SELECT RAISE(ABORT, 'cut'); END`);
    await work();
    db.run('DROP TRIGGER cut');
  };

  it('leaves the old one as it was', async () => {
    await open();
    const ann = await world.client({ token: 'ann-token-1' });
    const park = (day: string) =>
      call(ann, 'numbers_status', { StatusChange: 'park', PhoneNumbers: [seeded(1)], EffectiveDate: day });
    const { id, url } = value(await park('12/10/2099')).confirmation;
    await cut('INSERT ON actions', async () => expect((await park('12/11/2099')).isError).toBe(true));
    expect((await followed(ann, id)).status).toBe('pending');
    await signIn(url, 'ann-token-1');
    expect((await confirm(url)).html).toContain('Scheduled for');
  });

  it('leaves a batch whose rows were to be left out as it was', async () => {
    await open();
    const ann = await world.client({ token: 'ann-token-1' });
    const Numbers = [seeded(1), seeded(3), seeded(4)];
    const made = value(await call(ann, 'batches_create', { Operation: 'numbers_cancel', Numbers }));
    const { url } = made.confirmation;
    await signIn(url, 'ann-token-1');
    await cut(`UPDATE ON actions WHEN new.state = 'declined'`, () => press(url, 'leave', { out: '1' }));
    await confirm(url);
    await new BatchClient(ann).reaches(made.batch.id, 'done');
  });
});

describe('a failure after the platform answered', () => {
  const nested = (levels: number) => `{"Number":"x","More":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}` as const;

  it.each([64, 50_000])('an answer nested %i levels deep leaves nothing running', async (levels) => {
    const ann = await open();
    platform.next(UPDATE, nested(levels));
    const error = face(await call(ann, 'numbers_update', { Number: seeded(1), CnamFirstName: 'Ava' }));
    expect(error).toMatchObject({ code: 'server_error', outcome: 'unknown' });
    expect(error.message).toContain('nested more than 64 levels deep');
    expect((await newest())?.state).toBe('unknown');
  });

  it('a ledger that takes no end: unknown for every reader, written as soon as that is possible', async () => {
    const ann = await open();
    const db = ledgerThatTakesNoEnd();
    const error = face(await call(ann, 'numbers_update', { Number: seeded(1), CnamFirstName: 'Ava' }));
    expect(error).toMatchObject({ code: 'server_error', outcome: 'unknown' });
    expect(error.message).toContain('database or disk is full');
    const id = followUpId(error);
    const lost = await followed(ann, id);
    expect([lost.status, lost.error.message]).toEqual(['unknown', expect.stringContaining('could not record')]);
    db.run('DROP TRIGGER full');
    const end = await until(
      () => followed(ann, id),
      ({ status }) => status !== 'unknown',
    );
    expect(end).toMatchObject({ status: 'done', result: { Number: seeded(1) } });
  });

  it('reports why the call failed, not that the ledger failed too', async () => {
    const ann = await open();
    const db = ledgerThatTakesNoEnd();
    await world.control('faults', { path: UPDATE, times: 1, status: 400 });
    const error = face(await call(ann, 'numbers_update', { Number: seeded(1), CnamFirstName: 'Ava' }));
    expect(error).toMatchObject({ code: 'bad_request', outcome: 'not_done' });
    db.run('DROP TRIGGER full');
    await until(async () => (await newest())?.state === 'failed');
  });
});

describe('the AuthCode of a cancellation', () => {
  const numbers = { PhoneNumbers: [{ Number: seeded(3) }] };

  const kept = (OrderId: string) => world.runtime.ledger.vault.find('numbers_cancel_order_request', OrderId);
  const requested = async (ann: Client): Promise<string> =>
    value(await call(ann, 'numbers_cancel_order_request', numbers)).OrderId;

  it.each([429, 503])('is still there after the platform answered %i', async (status) => {
    const ann = await open();
    const OrderId = await requested(ann);
    await world.control('faults', { path: SUBMIT_PATH, times: 1, status, retryAfter: 400 });
    expect(face(await call(ann, 'numbers_cancel_order_submit', { OrderId })).outcome).toBe('not_done');
    expect(await kept(OrderId)).toBeDefined();
    // After 429 the lane rests for as long as the platform said.
    if (status === 429) return;
    expect(value(await call(ann, 'numbers_cancel_order_submit', { OrderId }))).toMatchObject({ Status: 'Complete' });
  });

  it('is still there after the caller went away while the call waited for the budget', async () => {
    const LIMIT = 30;
    const OrderId = await requested(await open({ PLATFORM_REQUESTS_PER_MINUTE: String(LIMIT) }));
    const { gate } = world.runtime;
    const actor = actorOf('cli:x', { surface: 'cli' });
    // The rest of the budget is spent after everything was read, right before the person says yes.
    const spent = async () => (await world.requests()).filter(({ path }) => path.startsWith('/v1.0/')).length;
    const ask = async () => {
      const spender = { ...actor, id: 'cli:y', priority: 'confirmed' } as const;
      while ((await spent()) < LIMIT) await gate.perform('numbers_get', { PhoneNumber: seeded(3) }, spender);
      return 'accept' as const;
    };
    const leaving = new AbortController();
    const onWait = (why: string) => {
      if (why === 'rate_limit') leaving.abort();
    };
    const how = { ask, signal: leaving.signal, onWait };
    const failed = await gate.perform('numbers_cancel_order_submit', { OrderId }, actor, how).catch(asSwitchboardError);
    expect(failed).toMatchObject({ face: { outcome: 'not_done', effect: 'nothing_done' } });
    expect(await world.sent(SUBMIT_PATH)).toEqual([]);
    const actions = await world.runtime.gate.actions.list({ limit: 5 });
    const submit = actions.find(({ operation }) => operation === 'numbers_cancel_order_submit');
    expect(submit).toMatchObject({ state: 'failed' });
    expect(await kept(OrderId)).toBeDefined();
  });
  it('is gone once it was sent and its use is open', async () => {
    const ann = await open();
    const OrderId = await requested(ann);
    platform.next(SUBMIT_PATH, 'cut-lost');
    expect(face(await call(ann, 'numbers_cancel_order_submit', { OrderId })).outcome).toBe('unknown');
    expect(await kept(OrderId)).toBeUndefined();
  });

  it('is kept and sent when it is a number, and the date beside it has no zone', async () => {
    const ann = await open({ PLATFORM_TIME_ZONE: 'America/Denver' });
    const inAnHour = new Date(Date.now() + 3_600_000);
    const wall = inAnHour.toLocaleString('sv-SE', { timeZone: 'America/Denver' }).replace(' ', 'T');
    const OrderId = 'JNUOID-00000000-0000-4000-8000-00000000abcd';
    const answer = `"AuthCode":48291734,"ExpiresAt":"${wall}","NumbersValid":["${seeded(3)}"]`;
    platform.next(REQUEST_PATH, `{"OrderId":"${OrderId}",${answer}}`);
    await requested(ann);
    const found = await kept(OrderId);
    expect(found?.expiresAt).toBe(Math.floor(inAnHour.getTime() / 1000) * 1000);
    expect(JSON.stringify(found)).not.toContain('48291734');
    expect((await world.runtime.ledger.vault.take('numbers_cancel_order_request', OrderId))?.secret).toBe(48291734);
  });
});

describe('a message whose answer was lost', () => {
  const sms = { To: [{ Number: '+12015550199' }], From: seeded(1), Body: 'Hello from support.' };

  async function openEvents(): Promise<string> {
    const events = new EventService({ ...world.runtime, config: { ...world.runtime.config, local: true } }, undefined);
    atEnd(() => events.close());
    const server = createServer((request, response) => void events.handle(request, response, request.url ?? '/'));
    return `${await listen(server)}/events/message-status`;
  }
  const receipt = (url: string, over: Record<string, unknown>) => {
    const of = { Direction: 'OUTBOUND', From: sms.From, To: '+12015550199', Body: sms.Body, Status: 'Delivered' };
    const headers = { 'content-type': 'application/json' };
    return fetch(url, { method: 'POST', headers, body: JSON.stringify({ ...of, ...over }) });
  };
  it('is settled by its delivery receipt, and by no other', async () => {
    const ann = await open();
    const url = await openEvents();
    platform.next(SEND, 'cut-done');
    const id = await lose(ann, 'message_outbound', sms);
    const follow = () => followed(ann, id);
    expect((await follow()).error.message).toContain('no delivery receipt of this message has come');
    for (const [n, over] of [{ Body: 'Something else' }, { To: '+12015550188' }, { From: seeded(2) }].entries())
      expect((await receipt(url, { MessageId: `TMID-other-${n}`, ...over })).status).toBe(200);
    expect((await follow()).status).toBe('unknown');
    const happened = async () => value(await call(ann, 'events_since', { Since: '1h', PhoneNumber: sms.From }));
    const before = await happened();
    expect(before.Actions).toEqual([expect.objectContaining({ Id: id, State: 'unknown' })]);
    expect(before.Receipts).toHaveLength(2);

    const { messages } = await world.state();
    const { MessageId } = messages.at(-1);
    await receipt(url, { MessageId });
    await until(async () => (await world.runtime.gate.actions.get(id))?.state === 'done');
    const Delivery = 'Delivered (its outcome was unknown until the delivery receipt came)';
    const after = await happened();
    expect(after.Actions).toEqual([expect.objectContaining({ Id: id, State: 'done', MessageId, Delivery })]);
    expect(after.Receipts.map((row: { MessageId: string }) => row.MessageId)).toEqual(['TMID-other-0', 'TMID-other-1']);
    // Without the receipts in the answer, the action itself has what settled it.
    const { Actions } = value(await call(ann, 'events_since', { Only: 'actions' }));
    expect(Actions).toMatchObject([{ MessageId, Delivery }]);
    const { result } = await follow();
    expect(result).toMatchObject({ MessageId, From: sms.From });
    expect(result.Resolved).toContain(`the delivery receipt of ${MessageId} and message_details_get`);
  });
});
