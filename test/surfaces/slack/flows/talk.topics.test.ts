import { expect, it } from 'vitest';
import { Diary } from '../../../snapshots/diary.ts';
import { stage } from '../support.ts';

/* Words such as "that" in a topic with several offers, or with a request that waits from before it. */

it('takes a question of cost and a yes for what was shown last, and not for a request that waits from before', async () => {
  const ana = new Diary(await stage());
  await ana.says('park 0104');
  await ana.presses('Ask for confirmation');
  // Until something else is shown, the request is meant.
  expect(await ana.says('what does that cost')).toContain('Park a number');
  expect(await ana.says('ok do it')).toContain('Words do not confirm');
  await ana.says('new topic');
  expect(await ana.says('can we still get 0107 back?')).toContain('(201) 555-0107');
  const cost = await ana.says('and what does that cost');
  expect(cost).toContain('Reactivate a cancelled number');
  expect(cost).toContain('5 USD');
  const yes = await ana.says('ok do it');
  expect(yes).toContain('Reactivate (201) 555-0107');
  expect(yes).not.toContain('Park');
});

it('says where the button of a waiting request is, if a yes fits nothing that was shown', async () => {
  const ana = new Diary(await stage());
  await ana.says('park 0104');
  await ana.presses('Ask for confirmation');
  await ana.says('find 0105');
  expect(await ana.says('yes')).toContain('Words do not confirm');
});

it('takes back only the offer that a message names, of several', async () => {
  const ana = new Diary(await stage());
  await ana.says('park 0103');
  await ana.says('reactivate 0107');
  const gone = await ana.says('forget the hold');
  expect(gone).toContain('“park 0103” is taken back');
  expect(gone).toContain('“reactivate 0107” is as it was');
  await expect(ana.presses('Ask for confirmation')).resolves.toContain('Reactivate');
});

it('offers the sum of a price and what is added to it', async () => {
  const lead = new Diary(await stage());
  await lead.says('how much is the package for acme');
  expect(await lead.says('raise it by 2 dollars')).toContain('for “by 2 dollars”, add 2 USD to the present one');
  await lead.says('new topic');
  await lead.says('how much is starter');
  const raised = await lead.says('raise it by 2 dollars');
  expect(raised).toContain('15 USD now, and 2 USD more: 17 USD');
  expect(raised).toContain('*Price* 17 USD');
  expect(await lead.says('no just to 12')).toContain('*Price* 12 USD');
  expect(await lead.says('make it 1.50 dollars cheaper')).toContain('from the present price or from 12 USD');
  await lead.says('new topic');
  expect(await lead.says('make Starter 1.50 dollars cheaper')).toContain('*Price* 13.50 USD');
});

it('takes “his” for the person whom a question of the holder names, and not for the holder that was shown', async () => {
  const ana = new Diary(await stage());
  expect(await ana.says('is 0104 bens')).toContain('Ava Stone');
  const his = await ana.says('ah so which one is his');
  expect(his).toContain('(201) 555-0102');
  expect(his).not.toContain('Ava');
  const forward = await ana.says('then forward his calls to 201 555 0104');
  expect(forward).toContain('which other lines may use too');
  expect(forward).toContain('Ben Reed');
});
