import { beforeEach, describe, expect, it } from 'vitest';
import { asks } from '../../support/asking.ts';
import { businessDayAhead, dayIn } from '../../support/clock.ts';
import { confirm, look } from '../../support/page.ts';
import { scripted } from '../../support/scripted.ts';
import { A1, ORDER, PORT_IN, seeded, TSUID } from '../../support/seed.ts';
import { call, face, openWorld, value } from '../../support/world.ts';

/* Ports out and in, and orders, as the platform may answer and the specification spells them. */

const platform = await scripted();
const world = await openWorld({ MCP_TOOLSETS: 'all', PLATFORM_BASE_URL: platform.url });
const client = await world.client();

describe('on a platform that answers as a test says', () => {
  beforeEach(() => {
    platform.requests.length = 0;
    platform.answer('/v1.0/numbers', { Number: seeded(5), Status: 'Active', AssignedSubscriberId: TSUID });
    platform.answer('/v1.0/subscribers/get', { SubscriberId: TSUID, Name: 'Ava', Account: { AccountId: A1 } });
  });
  const PORT_OUT = '/v1.0/numbers/portout';
  const portOut = (pin: (sent: Record<string, unknown>) => object) =>
    platform.answer(PORT_OUT, (sent) => ({ Successful: true, OrderId: ORDER, Status: 'Pending', ...pin(sent) }));
  const bodies = (path: string) => platform.requests.filter((one) => one.path === path).map(({ body }) => body);

  describe('a port-out PIN', () => {
    const input = { PortOutNumber: seeded(5) };
    const REPLACED = 'The platform issued another PIN than the one that was sent.';

    it.each([
      ['PortOutPIN', { PortOutPIN: '918273' }],
      ['PortOutPin', { PortOutPin: 918273 }],
      ['PIN', { PIN: '918273' }],
    ])(
      'of the answer (%s) is the one shown to the person who confirmed, and the difference is said',
      async (_, pin) => {
        portOut(() => pin);
        const { id, url } = await asks(client, 'numbers_portout', input);
        const page = (await confirm(url)).html;
        expect(page).toContain('<code>918273</code>');
        expect(page).toContain(REPLACED);
        const [sent] = bodies(PORT_OUT);
        expect(page).not.toContain(String(sent?.PortOutPIN));
        const end = await call(client, 'confirmations_get', { id });
        expect(value(end).result.Warning).toContain(REPLACED);
        for (const text of [JSON.stringify(end), (await look(url)).html]) expect(text).not.toContain('918273');
      },
    );

    it('that the platform only repeats, or masks, is no other', async () => {
      for (const repeated of [
        (sent: Record<string, unknown>) => ({ PortOutPIN: sent.PortOutPIN }),
        (sent: Record<string, unknown>) => ({ PIN: Number(sent.PortOutPIN) }),
        () => ({ PortOutPIN: '****73' }),
      ]) {
        portOut(repeated);
        const ran = await world.cli(['numbers_portout', seeded(5), '--yes']);
        const sent = bodies(PORT_OUT).at(-1)?.PortOutPIN;
        expect(ran.err).toMatch(new RegExp(`\\n\\nPortOutPIN \\(shown once\\): ${sent}\\n$`));
        expect(ran.json()).not.toHaveProperty('Warning');
      }
    });
  });

  it.each([
    ['Terms', 'Service of this line ends at once.'],
    ['consentText', 'Service of this line ends at once.'],
    ['Message', 'I agree that service of this line ends at once.'],
    ['Disclosure', { Text: 'Service of this line ends at once.' }],
    ['Lines', ['I consent:', 'service of this line ends at once.']],
  ])('a consent statement is found under the name %s', async (name, text) => {
    platform.answer('/v1.0/numbers/cancel-order-request', { ...REQUESTED, [name]: text });
    const { url } = await asks(client, 'numbers_cancel', { PhoneNumbers: [{ Number: seeded(5) }] });
    expect((await look(url)).html).toContain('ervice of this line ends at once.');
  });

  it('without a consent statement neither the workflow nor the submit is offered', async () => {
    platform.answer('/v1.0/numbers', { Number: seeded(6), Status: 'Active', AssignedSubscriberId: TSUID });
    const six = [{ Number: seeded(6) }];
    const answer = { ...REQUESTED, NumbersValid: six, Message: 'Request accepted' };
    platform.answer('/v1.0/numbers/cancel-order-request', answer);
    const cancel = { PhoneNumbers: six };
    for (const ask of [
      () => call(client, 'numbers_cancel', cancel),
      async () => {
        await call(client, 'numbers_cancel_order_request', cancel);
        return call(client, 'numbers_cancel_order_submit', { OrderId: ORDER });
      },
    ]) {
      const error = face(await ask());
      expect(error).toMatchObject({ code: 'bad_request', outcome: 'not_done' });
      expect(error.message).toContain('the platform sent no consent statement');
    }
    expect((await world.runtime.gate.actions.list({ limit: 1, whole: true }))[0]?.state).not.toBe('pending');
  });
});

/** The answer of the request stage, without a statement. */
const REQUESTED = { Successful: true, OrderId: ORDER, AuthCode: 'S3CR3TCODE', NumbersValid: [{ Number: seeded(5) }] };

it('the port-in date of a landline outside the window is refused at its field, and asks nobody', async () => {
  const own = await (await openWorld()).client();
  for (const PortInDate of [dayIn(1), businessDayAhead(15)]) {
    const landline = { ...PORT_IN, PortInNumber: '+13125550192', PortInDate };
    const refused = face(await call(own, 'numbers_portin', landline));
    expect(refused).toMatchObject({ code: 'invalid_input', field: 'PortInDate' });
    expect(refused.message).toContain('5 to 10 business days ahead');
  }
});
