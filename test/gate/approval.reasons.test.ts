import { expect, it } from 'vitest';
import { reasonText } from '../../src/gate/approval.ts';
import { TYPED_SECRET } from '../../src/lib/hide.ts';
import { look, press } from '../support/page.ts';
import { seeded, TSUID } from '../support/seed.ts';
import { call, openWorld, texts, value } from '../support/world.ts';

/* A reason is kept for ever in the audit trail, so a secret that somebody types into one is removed before it is kept. */

const world = await openWorld({ MCP_TOOLSETS: 'all' });

it.each([
  [
    'customer wants pin 918273, password: Hunter2Secret!',
    `customer wants pin ${TYPED_SECRET}, password: ${TYPED_SECRET}`,
  ],
  ['la clave es girasol', `la clave es ${TYPED_SECRET}`],
  // The length is that of what is kept, so that no half of a secret is left.
  [`${'x'.repeat(494)} pin 918273`, `${'x'.repeat(494)} pin [`],
  ['customer lost the phone', 'customer lost the phone'],
])('%s', (given, kept) => expect(reasonText(given)).toBe(kept));

it('is nowhere in what is shown, kept and chained', async () => {
  const client = await world.client();
  const stored = world.runtime.store.database('ledger');
  const asked = await call(client, 'numbers_portout', {
    PortOutNumber: seeded(5),
    PortOutPIN: '918273',
    Reason: 'customer wants pin 918273, password: Hunter2Secret!',
  });
  const { id, url } = value(asked).confirmation;
  const updated = await call(client, 'subscribers_update', {
    SubscriberId: TSUID,
    Password: 'Sup3rS3cretPw!9',
    Reason: 'the password is Sup3rS3cretPw!9',
  });
  await press(url, 'decline', { reason: 'her PIN is 4711' });
  const since = await call(client, 'events_since', { Since: '1h' });
  const shown = [
    ...[asked, updated, since, await call(client, 'confirmations_get', { id })].map((one) =>
      JSON.stringify([one, texts(one)]),
    ),
    (await look(url)).html,
    JSON.stringify(await stored.all('SELECT * FROM actions')),
    JSON.stringify(await stored.all('SELECT * FROM audit')),
  ];
  for (const text of shown) expect(text).not.toMatch(/918273|Hunter2|Sup3rS3cret|4711/);
  expect(shown.filter((text) => text.includes(TYPED_SECRET)).length).toBeGreaterThan(5);
});
