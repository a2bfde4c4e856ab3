import type { ElicitRequest } from '@modelcontextprotocol/sdk/types.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkBlocks, checkView } from '../../src/demo/playground/limits.ts';
import type { Action } from '../../src/ledger/ledger.ts';
import { actionMessage, reminderMessage, wholeView } from '../../src/surfaces/slack/blocks/card.ts';
import { tools } from '../../tools/index.ts';
import { drawer } from '../snapshots/slack-text.ts';
import { asks } from '../support/asking.ts';
import { confirm, look, press, signIn, signOut } from '../support/page.ts';
import { scripted } from '../support/scripted.ts';
import { A1, PORT_IN, PROVISION, seeded } from '../support/seed.ts';
import { call, face, type Json, openWorld, value, type World } from '../support/world.ts';

const rowsOf = (html: string): string[] =>
  [...html.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)].map(([, name, text]) => `${name}: ${text}`);

const world = await openWorld({ MCP_TOOLSETS: 'all' });

describe('an address is shown as it is used', () => {
  const ask = async (WebhookUrl: string) =>
    call(await world.client(), 'webhook_create', { WebhookUrl, SubscribedEvents: 'New_Sms' });

  it.each([
    ['Cyrillic letters', 'https://ехаmple.com/hook', 'https://xn--mple-43d3a6i.com/hook'],
    ['a slash that is none', 'https://example.com\u2215.evil.example/hook', undefined],
    ['a backslash', 'https://evil.example\\@example.com/hook', 'https://evil.example/@example.com/hook'],
    ['an octal address', 'https://0177.0.0.1/hook', 'https://127.0.0.1/hook'],
    ['a soft hyphen', 'https://exam\u00adple.com/soft', 'https://example.com/soft'],
    ['an ordinary one', 'https://example.com/hook?a=b#c', 'https://example.com/hook?a=b#c'],
  ])('with %s', async (_with, typed, used) => {
    await world.reset();
    const answer = await ask(typed);
    expect(answer.isError, JSON.stringify(answer.content)).not.toBe(true);
    const asked = value(answer).confirmation;
    const page = await look(asked.url);
    const row = rowsOf(page.html).find((one) => one.startsWith('Webhook URL: '));
    const shown = row?.slice('Webhook URL: '.length) ?? '';
    expect(shown).toMatch(/^[\x21-\x7e]+$/);
    if (used !== undefined) expect(shown).toBe(used);
    expect(page.html).not.toContain(typed === used ? '\u0000' : typed);
    await confirm(asked.url);
    const { webhooks } = (await world.state()) as { webhooks: Json[] };
    expect(webhooks.at(-1).WebhookUrl).toBe(shown);
  });

  it.each(['https://example.com\t.evil.example/hook', 'https://example.com/ho ok'])(
    'or refused with the reason: %j',
    async (typed) => {
      const { message, code } = face(await ask(typed));
      expect([code, message]).toEqual(['invalid_input', expect.stringContaining('must not contain spaces')]);
    },
  );

  it.each([
    ['TrunkIp1', '0177.0.0.1', '127.0.0.1'],
    ['TrunkIp1', '2001:db8::1', '2001:db8::1'],
    ['WssUri', 'wss://ехаmple.com/stream', 'wss://xn--mple-43d3a6i.com/stream'],
    ['TrunkIp1', 'a\tb.example', undefined],
    ['TrunkUri1', 'sip:ехаmple.com', undefined],
  ])('also in a voice route: %s=%j', async (field, typed, used) => {
    await world.reset();
    const input = { RouteName: 'R', RouteType: 'Trunk', TrunkIp2: '192.0.2.1', [field]: typed };
    const done = await call(await world.client(), 'voice_routes_create', input);
    if (used === undefined) {
      expect(face(done)).toMatchObject({ code: 'invalid_input', field });
      return;
    }
    const { url } = value(done).confirmation ?? {};
    if (url !== undefined) await confirm(url);
    expect(JSON.stringify(await world.state())).toContain(`"${field}":"${used}"`);
  });

  const named = { ...PORT_IN, SubscriberName: 'Globex Family' };
  it.each([
    ['numbers_provision', { ...PROVISION, AccountId: A1 }, 'no subscriber yet · Acme Mobile'],
    ['numbers_portin', named, 'no subscriber yet'],
    ['numbers_portin', { ...named, AccountId: A1 }, 'no subscriber yet · Acme Mobile'],
  ])('names the customer of %s by the record alone', async (name, input, customer) => {
    const asked = await asks(await world.client(), name, input);
    expect(asked.customer).toBe(customer);
    const { html } = await look(asked.url);
    expect(rowsOf(html)).toContain(`Customer: ${customer}`);
    if ('SubscriberName' in input) expect(rowsOf(html)).toContain('Subscriber name: “Globex Family”');
    await press(asked.url, 'decline');
  });
});

const TOKEN = 'approver-token-0123456789';

const platform = await scripted();

describe('the consent statement of the platform', () => {
  const LIES = `I agree."\n\nCost: 0 USD\nUndo: can be undone\nCustomer: nobody${' '.repeat(200)}Cost: nothing`;
  let world: World;
  beforeAll(async () => {
    platform.answer('/v1.0/numbers', () => ({ Number: seeded(1), Status: 'Active', AccountId: A1 }));
    platform.answer('/v1.0/numbers/cancel-order-request', () => ({
      OrderId: 'JNUOID-00000000-0000-4000-8000-000000000009',
      AuthCode: 'K7Q2M9XW3P',
      ConsentStatement: LIES,
      NumbersValid: [{ Number: seeded(1) }],
      NumbersInvalid: [],
    }));
    const ways = { MCP_HTTP_TOKENS: `ap:approver:${TOKEN}`, CONFIRM_VIA: 'page,client' };
    world = await openWorld({ MCP_TOOLSETS: 'all', PLATFORM_BASE_URL: platform.url, ...ways });
  });
  const cancel = { PhoneNumbers: [{ Number: seeded(1) }], AccountId: A1 };

  it('imitates no line of the question: in a client’s dialog, which a terminal shows too, and on the page', async () => {
    const asked: string[] = [];
    const person = ({ params }: ElicitRequest) => {
      asked.push(params.message);
      return { action: 'cancel' as const };
    };
    const client = await world.client({ person, token: TOKEN });
    await call(client, 'numbers_cancel', cancel);
    const [message = ''] = asked;
    const lines = message.split('\n');
    const at = lines.indexOf('> I agree."');
    expect(lines.slice(at, lines.indexOf('', at))).toHaveLength(5);
    const own = lines.filter((line) => /^\s*(Cost|Undo|Customer):/.test(line)).join();
    expect(own).not.toMatch(/0 USD|can be undone|nobody/);
    expect(message).not.toMatch(/ {7}/);
    const waiting = await asks(await world.client({ token: TOKEN }), 'numbers_cancel', cancel);
    await signIn(waiting.url, TOKEN);
    const { html } = await look(waiting.url);
    signOut();
    const quoted = /<blockquote>(.*?)<\/blockquote>/s.exec(html)?.[1] ?? '';
    expect(quoted).toContain('Cost: 0 USD');
    expect(html.replace(quoted, '')).not.toContain('0 USD');
  });
});

it('the values of a list imitate no row and no line of its question', async () => {
  const world = await openWorld({ MCP_HTTP_TOKENS: `ap:approver:${TOKEN}`, CONFIRM_VIA: 'client' });
  let asked = '';
  const person = ({ params }: ElicitRequest) => {
    asked = params.message;
    return { action: 'cancel' as const };
  };
  const CnamFirstName = `A, Number: ${seeded(9)}\nCost: free`;
  const Rows = [1, 2].map((n) => ({ Number: seeded(n), CnamFirstName, CnamLastName: 'Q”' }));
  await call(await world.client({ person, token: TOKEN }), 'batches_create', { Operation: 'numbers_update', Rows });
  expect(asked).toContain(`Number: ${seeded(2)}, Caller first name: “A, Number: ${seeded(9)}`);
  expect(asked.replace(/“[^”]*”/g, '')).not.toMatch(/free|\+12015550109|Q/);
});

/* A requester hides a part of a call behind a long value, or in a list, in a text or in the words of the question. */

const SIZES = [1, 900, 5_000];

/** The greatest length of a request to this server. One operation suffices for it, because only the length matters. */
const LONGEST = 300_000;

const consent = { title: 'Do it', consequence: 'It ends service.', undo: 'It cannot be undone.', confirm: 'Do it' };

function actionOf(operation: string, shown: Action['shown'], more: Partial<Action['consent']>): Action {
  return {
    ...{ id: 'act_0000000000000000000000', operation, state: 'pending', shown, known: {}, notes: {} },
    ...{ actorId: 'mcp:x', actorName: 'x', person: 'mcp:x', surface: 'mcp' },
    ...{ consent: { ...consent, ...more }, createdAt: 1, expiresAt: 2, updatedAt: 1 },
  } as Action;
}

/** Every text in blocks, also in the middle of a value that is cut into pieces. */
function drawn(value: unknown): string {
  if (Array.isArray(value)) return value.map(drawn).join('');
  if (typeof value !== 'object' || value === null) return '';
  const { type, text, elements, blocks } = value as Record<string, unknown>;
  if (type === 'button') return '';
  return `${typeof text === 'string' ? text : drawn(text)}${drawn(elements)}${drawn(blocks)}`;
}

const many = (size: number) => Array.from({ length: Math.min(size, 900) }, (_, i) => [`F${i}`, 'y']);

it('no view confirms a call whose end it does not show', () => {
  const figures = { confirming: 0, hiding: 0 };
  const sampled = ['message_outbound', 'numbers_reactivate'];
  for (const tool of tools.filter(({ id }) => sampled.includes(id)))
    for (const size of tool.id === 'message_outbound' ? [...SIZES, LONGEST] : SIZES)
      for (const where of ['text', 'list', 'fields', 'title', 'consequence', 'cost', 'statement'] as const) {
        const long = `${'x'.repeat(size)}THE-END`;
        const shown = {
          ...tool.examples[0],
          ...(where === 'text' && { Body: long }),
          ...(where === 'list' && { To: [...Array(Math.min(size, 5_000)).fill('+12015550199'), 'THE-END'] }),
          ...(where === 'fields' && Object.fromEntries([...many(size), ['Z', 'THE-END']])),
        };
        const action = actionOf(tool.id, shown, ['text', 'list', 'fields'].includes(where) ? {} : { [where]: long });
        const slack = drawer([tool]);
        for (const view of [
          actionMessage(slack, action),
          actionMessage(slack, action, 'approvers'),
          reminderMessage(slack, action),
          wholeView(slack, action),
        ]) {
          const problems = 'type' in view ? checkView(view) : checkBlocks(view.blocks as object[] as never, 'message');
          expect(problems).toEqual([]);
          if (!JSON.stringify(view.blocks).includes('"sb_confirm"')) continue;
          figures.confirming += 1;
          if (!drawn(view.blocks).includes('THE-END')) figures.hiding += 1;
        }
      }
  expect(figures.confirming).toBeGreaterThan(25);
  expect(figures.hiding).toBe(0);
});
