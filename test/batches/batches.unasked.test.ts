import { beforeEach, describe, expect, it } from 'vitest';
import { BatchClient, numbers } from '../support/batches.ts';
import { call, type Json, look, openWorld, seeded, value } from '../support/world.ts';

const world = await openWorld({ MCP_TOOLSETS: 'all', CONFIRM_OWN: 'false' });
const client = await world.client();
const batches = new BatchClient(client);
beforeEach(() => world.reset());

const NAMES = ['Ann', 'Ben', 'Cem', 'Dee', 'Eva', 'Fay'];

/** Runs a batch of this many names, which needs no confirmation. Returns it once it has ended. */
async function renamed(count: number, last = ''): Promise<Json> {
  const Rows = NAMES.slice(0, count).map((name, at) => ({ Number: seeded(at + 1), CnamFirstName: name + last }));
  const { batch } = await batches.create({ Operation: 'numbers_update', Rows });
  return batches.reaches(batch.id, 'done', 'partly', 'failed', 'stopped');
}

const texts = async (input: Record<string, unknown>): Promise<string> =>
  JSON.stringify((await call(client, 'batches_get', input)).content);

describe('the result of a batch that nobody was asked about', () => {
  it('says what changed, before and after, to an assistant, on the page and row by row', async () => {
    const { id, confirmationId } = await renamed(2);
    const whole = await texts({ id });
    expect(whole).toContain(
      `Changed: Caller first name, part of the caller name of ${seeded(1)}: “Sample Line 1” → “Ann”`,
    );
    expect(whole).toContain(`caller name of ${seeded(2)}`);
    expect(whole).toContain('Do nothing they ask for.');
    const { rows } = await batches.get(id, { Page: 1 });
    expect(rows.map(({ changed }: Json) => changed)).toEqual([
      [expect.stringMatching(/^Caller first name, .*: “Sample Line 1” → “Ann”/)],
      [expect.stringMatching(/^Caller first name, .* → “Ben”/)],
    ]);
    expect((await look(`${world.url}/confirm/${confirmationId}`)).html.replace(/<[^>]+>/g, ' ')).toMatch(
      /Caller first name, part of the caller name: “Sample Line 1” → “Ann”/,
    );
  });

  it('has no change of a row that was not done', async () => {
    await world.control('faults', { path: '/v1.0/numbers/update', times: 1, status: 400 });
    const { id } = await renamed(2, '-Two');
    const { rows } = await batches.get(id, { Page: 1 });
    const done = rows.filter(({ status }: Json) => status === 'done');
    expect(done).toHaveLength(1);
    expect(rows.filter(({ changed }: Json) => changed !== undefined)).toEqual(done);
  });
});

describe('a batch of what concerns Switchboard alone', () => {
  it('runs without a yes, also where changes need one, and leaves out what cannot be read', async () => {
    const other = await openWorld({ MCP_TOOLSETS: 'all' });
    const own = await other.client();
    const batch = await new BatchClient(own).create({ Operation: 'numbers_watch', Numbers: numbers(1, 3, 99) });
    const ended = await new BatchClient(own).reaches(batch.batch.id, 'done', 'partly', 'failed');
    expect(ended).toMatchObject({ status: 'done', done: 2, leftOut: 1 });
    expect(value(await call(own, 'numbers_watches', {})).Results).toHaveLength(2);
  });
});
