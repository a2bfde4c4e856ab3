import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { asSwitchboardError } from '../../src/lib/errors.ts';
import { actorOf } from '../support/approval.ts';
import { A1, MRID } from '../support/seed.ts';
import { openWorld } from '../support/world.ts';

/*
 * Many receivers take a token in the address of a webhook or a route. The platform gets the whole address. The token is
 * never shown again, and it is not stored in the clear.
 */

const TOKEN = 'hvZ3k9QmT0pW7sXd';
const ADDRESSES = [
  `https://hooks.example/in?tenant=acme&token=${TOKEN}`,
  `https://hooks.example/in?tenant=acme&x-functions-key=${TOKEN}%3D%3D`,
  `https://hooks.example/in?tenant=acme&u=${TOKEN}`,
  `https://hooks.example/in?tenant=acme&${TOKEN}`,
  `https://hooks.example/in?tenant=acme#access_token=${TOKEN}`,
  `https://hooks.example/in?tenant=acme#${TOKEN}`,
];

const world = await openWorld({ PLATFORM_REQUESTS_PER_MINUTE: '1000' });
await world.control('settings', { requestsPerMinute: 1000 });

const ana = { id: 'mcp:ana', name: 'ana', role: 'operator', surface: 'mcp', priority: 'assistant' } as const;
const lee = actorOf('page:lee', { person: 'token:lee' });

/** Performs a call, with the yes of an approver where it needs one. Resolves to everything that was shown of it. */
async function performed(operation: string, input: Record<string, unknown>): Promise<string> {
  const { gate } = world.runtime;
  const shown: unknown[] = [];
  let result = await gate.perform(operation, input, ana).catch(asSwitchboardError);
  shown.push(result);
  if ('kind' in result && result.kind === 'pending') {
    shown.push(await gate.follow(result.action.id, ana));
    result = await gate.confirm(result.action.id, lee, 'page').catch(asSwitchboardError);
    shown.push(result);
  }
  if (!('kind' in result) || result.kind !== 'done') throw new Error(`${operation}: ${JSON.stringify(result)}`);
  shown.push(await gate.actions.list({ limit: 50 }), await gate.actions.audit());
  return JSON.stringify(shown);
}

function stored(): string {
  const files = readdirSync(world.folder).filter((name) => name.startsWith('switchboard.db'));
  return files.map((name) => readFileSync(join(world.folder, name), 'latin1')).join('\n');
}

const platform = async () => JSON.stringify(await (await fetch(`${world.sandbox.url}/sandbox/state`)).json());

const ROUTE = { RouteName: 'Hooks', MessageUrlMethod: 'POST', AccountId: A1 };
const VOICE = { RouteName: 'Calls', RouteType: 'URL', VoiceUrlMethod: 'POST', AccountId: A1 };
const SENT = { Method: 'POST', DataFormat: 'json', AuthenticationType: 'None' };
const HOOK = { ...SENT, SubscribedEvents: 'Order_Update', AccountId: A1 };

const [ADDRESS = ''] = ADDRESSES;

it.each([
  ['message_routes_create', { ...ROUTE, MessageUrl: ADDRESS, CallbackMessageUrl: ADDRESS }],
  ['voice_routes_create', { ...VOICE, VoiceUrl: ADDRESS, CallbackVoiceUrl: ADDRESS }],
  ['webhook_create', { ...HOOK, WebhookUrl: ADDRESS }],
] as const)('the token in an address of %s is sent, and neither shown nor stored', async (operation, input) => {
  const shown = await performed(operation, input);
  expect(await platform()).toContain(TOKEN);
  expect(shown).toContain('hooks.example/in?tenant=acme');
  expect(shown).not.toContain(TOKEN);
  expect(stored()).not.toContain(TOKEN);
});

it.each(ADDRESSES)(
  'the token in %s is left out of what is read, and stays where only the name changes',
  async (url) => {
    const { gate } = world.runtime;
    const shown = [await performed('message_routes_update', { MessageRouteId: MRID, MessageUrl: url })];
    shown.push(JSON.stringify(await gate.perform('message_routes_get', { MessageRouteId: MRID }, ana)));
    shown.push(await performed('message_routes_update', { MessageRouteId: MRID, RouteName: `Main ${url.length}` }));
    for (const text of shown.slice(0, 2)) expect(text).toContain('hooks.example');
    for (const text of [...shown, stored()]) expect(text).not.toContain(TOKEN);
    expect(await platform()).toContain(url);
  },
);

it('what is no secret in an address is shown', async () => {
  const address = 'https://hooks.example/in/acme?env=prod&region=us-east&to=+12015550101&next=https://other.example/a';
  const shown = await performed('message_routes_update', { MessageRouteId: MRID, MessageUrl: address });
  expect(shown).toContain(address);
});
