import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '../../../src/catalogue/operation.ts';
import { tools } from '../../../tools/index.ts';
import { FastClock } from '../../support/clock.ts';
import { type Scripted, scripted } from '../../support/scripted.ts';
import { call, id, openWorld, seeded, TSUID, value, type World } from '../../support/world.ts';

/* The platform's bodies carry `Successful`. Each change reads a 200 with it, and without it, in the same way. */

const REQUEST = '/v1.0/numbers/cancel-order-request';
const both = { PhoneNumbers: [{ Number: seeded(1) }, { Number: seeded(3) }] };
const changing = tools.filter(
  (tool): tool is Operation => tool.kind === 'operation' && tool.risk !== 'read' && tool.group !== 'oauth2',
);
const each = changing.map((tool) => [tool.id, tool] as const);

let platform: Scripted;
let world: World;
let client: Awaited<ReturnType<World['client']>>;
beforeAll(async () => {
  platform = await scripted();
  world = await openWorld({ MCP_TOOLSETS: 'all', PLATFORM_BASE_URL: platform.url }, new FastClock());
  client = await world.client();
});
afterAll(async () => {
  await world.close();
  await platform.close();
});

const order = () => ({
  OrderId: `JNUOID-${crypto.randomUUID()}`,
  AuthCode: 'S3CR3TCODE',
  ConsentStatement: 'I consent.',
  ExpiresAt: new Date(world.runtime.clock.now() + 300_000).toISOString(),
  NumbersValid: both.PhoneNumbers,
  NumbersInvalid: [],
});

let numbered = 0;
const sentTo = (path: string) => platform.requests.filter((request) => request.path === path).length;

/** Filters and port-in orders are read before they are changed. A filter's path answers a new one too. */
function answerReads(): void {
  const filter = { SubscriberId: TSUID, Phone: seeded(1), ApplyToInbound: false };
  const lists = Object.fromEntries(
    ['AllowedNumbers', 'AllowedContacts', 'BlockedContacts'].map((name) => [name, ['+12015550199']]),
  );
  platform.answer('/v1.0/numbers/order', { OrderStatus: 'Submitted', PhoneNumbersOrdered: [{ Number: seeded(1) }] });
  const path = '/v1.0/subscribers/';
  platform.answer(`${path}call-filter`, [{ ...filter, ...lists, FilterMode: 'BLACKLIST', FilterId: id('CFID', 1) }]);
  platform.answer(`${path}message-filter`, [{ ...filter, ...lists, FilterMode: 'CHILD', FilterId: id('MFID', 1) }]);
}

/** The exit codes of an operation whose answer is each of these bodies, in their order. */
async function exits(tool: Operation, bodies: readonly string[]): Promise<[string, number][]> {
  const found: [string, number][] = [];
  for (const body of bodies) {
    answerReads();
    let input: Record<string, unknown> = tool.examples[0] ?? {};
    // The same change cannot be scheduled twice, so each one is of another number.
    if (tool.answer?.scheduled) input = { ...input, PhoneNumbers: [{ Number: `+1201555${1000 + numbered++}` }] };
    if (tool.takes) {
      platform.answer(REQUEST, order());
      input = { [tool.takes.under]: value(await call(client, tool.takes.from, both))[tool.takes.under] };
    }
    platform.raw(tool.path, body);
    const before = sentTo(tool.path);
    const ran = await world.cli([tool.id, '--json', JSON.stringify(input), '--yes', '--again']);
    // An answer counts only if it was asked for: a call may be stopped before it is sent.
    found.push([body, sentTo(tool.path) > before ? ran.code : Number.NaN]);
    await forget();
  }
  return found;
}

/** Settles what stayed open, so that no later call is warned of it or answered with it. */
async function forget(): Promise<void> {
  const [newest] = await world.runtime.gate.actions.list({ limit: 1 });
  const person = { id: 'cli:lee', name: 'lee', role: 'approver', surface: 'cli', priority: 'person' } as const;
  if (newest?.state === 'unknown') await world.runtime.gate.settle(newest.id, person, 'not_done', 'terminal');
}

describe.each(each)('%s', (_id, tool) => {
  it('is done where the answer says only that it succeeded', async () => {
    const bodies = ['{"Successful":true}', '{"successful":"true"}', 'success', '"Success"'];
    bodies.push('{"Successful":true,"Data":null}', '{"Successful":true,"Message":"ok","Data":{}}');
    expect(await exits(tool, bodies)).toEqual(bodies.map((body) => [body, 0]));
  });

  it('is refused where anything says that it failed', async () => {
    const bodies = ['{"Successful":false}', '{"successful":false,"Message":"no"}'];
    bodies.push('{"Successful":true,"CancelStatus":"Failed"}', '{"Successful":true,"Data":{"SomeStatus":"Rejected"}}');
    bodies.push('{"Successful":false,"Data":{"Successful":true}}');
    expect(await exits(tool, bodies)).toEqual(bodies.map((body) => [body, 1]));
  });

  it('is unknown where the answer says neither', async () => {
    const bodies = ['{}', '{"Message":"accepted"}', '"done"', '{"Successful":null}'];
    const open = tool.answer?.bare ? bodies.filter((body) => body === '"done"') : bodies;
    expect(await exits(tool, open)).toEqual(open.map((body) => [body, 4]));
  });
});

it('covers the whole catalogue', () => expect(changing.length).toBeGreaterThan(40));
