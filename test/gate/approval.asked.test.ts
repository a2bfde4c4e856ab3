import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runCall } from '../../src/surfaces/cli/call.ts';
import { tools } from '../../tools/index.ts';
import { call, decline, look, openWorld, seeded, value, type World } from '../support/world.ts';

/* A person's question is complete on every surface: everything that will be sent, to whom it belongs, and its cost. */

const RECIPIENTS = Array.from({ length: 100 }, (_, i) => `+1201555${String(3000 + i)}`);
const END = 'and this is the very end of it.';
const LONG = {
  To: RECIPIENTS.map((phone) => ({ Number: phone })),
  From: seeded(1),
  Body: `${'All of this text is sent. '.repeat(50)}\nConfirm: nothing\u202e${END}`,
  MmsMedia: [{ MediaUrl: 'https://example.com/picture.png' }],
  MmsBase64: [{ Base64: Buffer.alloc(3001, 7).toString('base64'), BaseType: 'image/png' }],
};
const PORT_IN = {
  PortInNumber: '+13125550150',
  CurrentCarrierName: 'Lakeside Wireless',
  CurrentAccountNumber: '46512222',
  CurrentAccountPassword: 'hunter22',
  CurrentBillingAddress: { Street1: '1 Main St', City: 'Chicago', State: 'IL', Zip: '60601' },
  AssignedSubscriberId: 'TSUID-00000000-0000-4000-8000-000000000001',
};

let world: World;
/** A world in which the client's user has an approver's token. Over HTTP, only such a user is asked by the client. */
let approvers: World;
beforeAll(async () => {
  world = await openWorld();
  approvers = await openWorld({ MCP_HTTP_TOKENS: 'ana:approver:token-of-ana' });
});
afterAll(() => Promise.all([world.close(), approvers.close()]));
beforeEach(() => Promise.all([world.reset(), approvers.reset()]));

/** Returns the question that the client shows its own user. */
async function overClient(operation: string, input: Record<string, unknown>): Promise<string> {
  let message = '';
  const client = await approvers.client({
    token: 'token-of-ana',
    person: (request) => {
      message = request.params.message;
      return { action: 'decline' };
    },
  });
  await call(client, operation, input);
  return message;
}

/** Returns the text of the page, without its markup. */
async function onPage(operation: string, input: Record<string, unknown>): Promise<string> {
  const { confirmation } = value(await call(await world.client(), operation, input));
  const { html } = await look(confirmation.url);
  await decline(confirmation.url);
  return html.replace(/<[^>]*>/g, ' ').replace(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code)));
}

/** Returns the output of a terminal at which a person types n. */
async function atTerminal(operation: string, input: Record<string, unknown>): Promise<string> {
  const stream = () => Object.assign(new PassThrough(), { isTTY: true });
  const [stdin, stdout, stderr] = [stream(), stream(), stream()];
  let said = '';
  stderr.on('data', (chunk) => {
    said += chunk;
    if (String(chunk).includes('[y/N]')) stdin.write('n\n');
  });
  stdout.resume();
  // A password may not be an argument.
  const file = join(world.folder, 'input.json');
  writeFileSync(file, JSON.stringify(input));
  await runCall([operation, '--json', `@${file}`], {
    tools,
    stdin,
    stdout,
    stderr,
    actor: { id: 'cli:ana', name: 'ana', role: 'approver', surface: 'cli', priority: 'person' },
    openDoor: async () => ({ gate: world.runtime.gate, close: async () => undefined }),
  });
  return said;
}

describe.each([
  ['the page', onPage],
  ['the terminal', atTerminal],
  ['the dialog of a client', overClient],
])('%s', (_surface, shownBy) => {
  it('shows all 100 recipients, the whole text, attachments, customer and cost', async () => {
    const text = await shownBy('message_outbound', LONG);
    for (const phone of RECIPIENTS) expect(text).toContain(phone);
    expect(text).toContain('All of this text is sent. '.repeat(50).trim());
    expect(text).toContain(END);
    expect(text).toContain('https://example.com/picture.png');
    expect(text).toContain('file of 3001 bytes');
    expect(text).toContain('image/png');
    expect(text).toContain('Ava Stone · Acme Mobile');
    expect(text).toContain('100 messages');
    expect(text).toContain('cannot be recalled');
    // A mark that turns the reading direction is left out, and the question says so.
    expect(text).toContain('invisible characters were removed');
    expect(text).not.toContain('\u202e');
    for (const one of [world, approvers]) expect(await one.sent('/v1.0/message/outbound')).toEqual([]);
  });

  it('names secrets without showing them, and every other field', async () => {
    const text = await shownBy('numbers_portin', PORT_IN);
    for (const part of ['Lakeside Wireless', '46512222', '1 Main St', 'Chicago', '60601', PORT_IN.AssignedSubscriberId])
      expect(text).toContain(part);
    expect(text).toContain('••• (not shown)');
    expect(text).not.toContain('hunter22');
    // The account comes from the subscriber's record.
    expect(text).toContain('AID-00000000-0000-4000-8000-000000000001');
  });
});

it('no line of a value can pass for a line of the question', async () => {
  const text = await overClient('message_outbound', LONG);
  expect(text.split('\n').filter((line) => line.startsWith('Confirm:'))).toEqual([]);
});

describe('the statement of a cancellation', () => {
  it('is shown word for word', async () => {
    const input = { PhoneNumbers: [{ Number: seeded(3) }] };
    const text = await onPage('numbers_cancel', input);
    const [order] = (await world.state()).cancelOrders;
    expect(order.Numbers).toHaveLength(1);
    expect(text).toContain(
      `I consent to the immediate cancellation of ${seeded(3)} on the carrier. Service ends at once.`,
    );
    expect(text).not.toContain('The platform sent no consent statement.');
  });
});
