import { expect, it } from 'vitest';
import { Diary } from '../../../snapshots/diary.ts';
import { type Stage, stage } from '../support.ts';

const BEN = 'TSUID-00000000-0000-4000-8000-000000000002';

/** Calls the platform as another system would. */
async function onPlatform(s: Stage, path: string, body: object): Promise<void> {
  const url = `${s.sandbox.url}/v1.0`;
  const headers = { 'content-type': 'application/json' };
  const credentials = { AccountKey: 'DID-sandbox', AccountSecret: 'sandbox-secret', ApiEndpoint: `${url}${path}` };
  const answer = await fetch(`${url}/oauth2/tokens`, { method: 'POST', headers, body: JSON.stringify(credentials) });
  const { token } = (await answer.json()) as { token: string };
  const authorized = { ...headers, authorization: `Bearer ${token}` };
  const made = await fetch(`${url}${path}`, { method: 'POST', headers: authorized, body: JSON.stringify(body) });
  expect(made.ok, path).toBe(true);
}

it('withdraws the offers of one block for calls and for texts together, and no older one', async () => {
  const ana = new Diary(await stage());
  await ana.says('block 9005551234 for ben');
  await ana.says('new topic');
  await ana.says('block 6465550100 for ava');
  await ana.says('texts as well');
  const back = await ana.says('never mind dont block him');
  expect(back.match(/Withdrawn\. Nothing was done/g)).toHaveLength(2);
  expect(back).not.toContain('(900) 555-1234');
  expect(back).toContain('are taken back');
});

it('does not mark a record that was shown as withdrawn', async () => {
  const ana = new Diary(await stage());
  await ana.says('can 7735550160 be ported?');
  await ana.says('start the port for ava');
  const changed = await ana.says('hm wait it is 7735550161');
  expect(changed).toContain('(773) 555-0161');
  expect(changed).not.toMatch(/Eligible[\s\S]*Withdrawn/);
});

it('fills in a limit in the unit of the one that was shown, and adds to that of the line just shown', async () => {
  const ana = new Diary(await stage());
  await ana.says('limit on 0106?');
  expect(await ana.says('make it 50')).toMatch(/Data limit\W+50 MB[\s\S]*50 is read as MB/);
  await ana.says('new topic');
  await ana.says('ava stone 0103');
  expect(await ana.says('ok give her 200 mb more')).toMatch(/Data limit\W+220 MB/);
  expect(await ana.says('no only 100 more')).toMatch(/Data limit\W+120 MB/);
  // Without a limit that was shown, the unit is asked for.
  await ana.says('new topic');
  expect(await ana.says('set the limit of 0106 to 50')).toContain('Say MB or GB');
});

it('finds a caller by its last digits on the lists of the filter, and the sender of the only message', async () => {
  const s = await stage();
  const filter = { SubscriberId: BEN, Phone: '+12015550102', ApplyToInbound: true };
  const [AllowedNumbers, BlockedNumbers] = [['+13125550161'], ['+13125550150']];
  await onPlatform(s, '/subscribers/call-filter', {
    ...filter,
    FilterMode: 'BLACKLIST',
    AllowedNumbers,
    BlockedNumbers,
  });
  await onPlatform(s, '/subscribers/message-filter', { ...filter, FilterMode: 'ACTIVE' });
  await s.control('inbound', { From: '+13125550161', To: '+12015550102', Body: 'Practice moved to 5pm' });
  await s.settled();
  const ana = new Diary(s);
  await ana.says("what does ben's call filter look like");
  expect(await ana.says('could you take 0150 off it please')).toContain('Unblock calls from (312) 555-0150');
  expect(await ana.says('take 0199 off it')).toContain('No number on the lists of “ben” ends in 0199');
  await ana.says('new topic');
  await ana.says('which texts did Ben get lately');
  expect(await ana.says('please block that sender')).toMatch(/Contacts\W+\(312\) 555-0161/);
});

it('answers questions about the only request that waits, and shows it for a change of its lines', async () => {
  const ana = new Diary(await stage());
  await ana.says('cancel 0104 and 0106');
  await ana.presses('Ask for confirmation');
  await ana.says('new topic');
  expect(await ana.says('till when do i have to answer that')).toContain('Waits until');
  expect(await ana.says('what does it cost and can i still turn it round afterwards')).toMatch(
    /Cancel numbers[\s\S]*Undo/,
  );
  const narrowed = await ana.says('not 0106, only 0104');
  expect(narrowed).toMatch(/Cancel \+12015550104, \+12015550106[\s\S]*\[Withdraw\]/);
  expect(narrowed).toContain('write the order for the lines that you mean');
  for (const text of [
    'take the cancellation back, customer called again',
    'pull back everything of mine',
    'undo the last one',
  ])
    expect(await ana.says(text), text).toMatch(/Cancel \+12015550104, \+12015550106[\s\S]*\[Withdraw\]/);
  // If the conversation has an open offer, the words mean that offer.
  await ana.says('cancel 0101');
  expect(await ana.says('take the cancellation back')).toContain('“cancel 0101” is taken back');
});
