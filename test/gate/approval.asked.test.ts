import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, look, openWorld, press, seeded, signIn, signOut, value, type World } from '../support/world.ts';

/*
 * A person's question is complete on the page and in a client's dialog, which has the words of the terminal: everything
 * that will be sent, to whom it belongs, and its cost.
 */

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
beforeAll(async () => {
  world = await openWorld({ MCP_HTTP_TOKENS: 'ana:approver:token-of-ana', CONFIRM_VIA: 'page,client' });
});
afterAll(async () => {
  signOut();
  await world.close();
});

/** Returns the question that the client shows its own user. */
async function overClient(operation: string, input: Record<string, unknown>): Promise<string> {
  let message = '';
  const client = await world.client({
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
  const { confirmation } = value(await call(await world.client({ token: 'token-of-ana' }), operation, input));
  await signIn(confirmation.url, 'token-of-ana');
  const { html } = await look(confirmation.url);
  await press(confirmation.url, 'decline');
  return html.replace(/<[^>]*>/g, ' ').replace(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code)));
}

describe.each([
  ['the page', onPage],
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
    expect(await world.sent('/v1.0/message/outbound')).toEqual([]);
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

it('shows the statement of a cancellation word for word', async () => {
  const text = await onPage('numbers_cancel', { PhoneNumbers: [{ Number: seeded(3) }] });
  expect((await world.state()).cancelOrders[0].Numbers).toHaveLength(1);
  expect(text).toContain(
    `I consent to the immediate cancellation of ${seeded(3)} on the carrier. Service ends at once.`,
  );
  expect(text).not.toContain('The platform sent no consent statement.');
});
