import { expect, it } from 'vitest';
import { Diary } from '../../../snapshots/diary.ts';
import { S_APPROVERS, S_OPERATORS, stage } from '../support.ts';

it('fills an account with its name, where no subscriber is called so', async () => {
  const ana = new Diary(await stage());
  const line = await ana.says('I need 2 new mobile lines area code 212 for Acme');
  expect(line).toContain('*Account* Acme Mobile');
  expect(line).toContain('*Number type* mobile (mvno)');
  expect(line).not.toContain('Which subscriber');
  expect(await ana.says('new line for ava in 212')).toContain('Ava Stone · 7 numbers');
  expect(await ana.says('billing address of globex?')).toContain('*Account details* Globex Family');
});

it('names an offer by what it does', async () => {
  const ana = new Diary(await stage());
  const stop = await ana.says('stop watching 0104');
  expect(stop).toContain('*Stop watching a number*');
  expect(stop).toContain('[Stop watching a number]');
  expect(stop).not.toContain('*Stop* yes');
  expect(await ana.says('watch 0104')).toContain('[Watch a number]');
  expect(await ana.says('how many subscribers does acme have')).toContain('*1 customer, 9 numbers*');
});

it('names the people of a role', async () => {
  const ana = new Diary(await stage());
  const approvers = await ana.says('who can approve this?');
  expect(approvers).toContain(S_APPROVERS);
  expect(approvers).not.toContain(S_OPERATORS);
  expect(await ana.says('who is an operator')).toContain(S_OPERATORS);
});

it('gives a line the record of another line', async () => {
  const ana = new Diary(await stage());
  expect(await ana.says('give 0103 the same plan as 0105')).toContain('*Package* Starter');
  const same = await ana.says('put 0103 on the same route as 0101');
  expect(same).toContain('That is so already: Message route Main SMS route, Voice route Main SIP trunk.');
  expect(await ana.says('who else is on the voice route of 0104')).toContain('*9 numbers found*');
});

it('offers no port-in of a line that is here', async () => {
  const ana = new Diary(await stage());
  expect(await ana.says('can you port 2015550101 in')).toContain('(201) 555-0101 is a line here already (Active)');
  expect(await ana.says('port in 7735550148 for ben')).toContain('*Port in number* (773) 555-0148');
});

it('adds an amount to the present limit', async () => {
  const ana = new Diary(await stage());
  const more = await ana.says('give 0103 200 mb more');
  expect(more).toContain('20 MB now, and 200 MB more: 220 MB.');
  expect(more).toContain('*Data limit* 220 MB');
  expect(more).not.toContain('set as a whole');
  // Without one line there is no present limit.
  expect(await ana.says('give 0103 and 0105 200 mb more')).toContain(
    'A limit is set as a whole: add 200 MB to the present one',
  );
});

it('says that a line lacks what an order needs, and does not ask to check the spelling of its number', async () => {
  const ana = new Diary(await stage());
  expect(await ana.says('put 0110 on Starter')).toContain('*(201) 555-0110 has no subscriber.*');
  expect(await ana.says('give roaming to ava on 0101')).toContain('*(201) 555-0101 has no subscription.*');
});

it('gives no failed search by a leftover word as the answer', async () => {
  const ana = new Diary(await stage());
  const unread = await ana.says('which pony is blurple near zyx');
  expect(unread).toContain('What to do was not understood, and “blurple” is no number, customer or account here');
  expect(unread).not.toContain('No number matches');
  expect(await ana.says('find zebra')).toContain('No number matches “zebra”');
  const person = await ana.says('Marta Lopes start at Globex monday, marta@globexfamily.example');
  expect(person).toContain('*Create a subscriber*');
  expect(await ana.says('does ben has a subscription on his line?')).toContain('send the id of a subscription (SUB-…)');
});

it('looks several numbers up in a list', async () => {
  const ana = new Diary(await stage());
  const list = await ana.says('check eligibility of 3125550150 and 3125550191');
  expect(list).toContain('Nothing was looked up yet. The list opens with these 2.');
  expect(list).not.toContain('one confirmation');
});

it('fills a price into a field for text', async () => {
  const added = new Diary(await stage());
  await added.says('put the 5 GB of data into Starter for 6 dollars');
  expect(await added.presses('Open the form')).toContain('filled: 6');
  const changed = new Diary(await stage());
  await changed.says('make the price of ESIM-01 in starter 3.99');
  expect(await changed.presses('Open the form')).toContain('filled: 3.99');
});

it('fills an area code into its own field', async () => {
  const area = new Diary(await stage());
  await area.says('need 1 new mobile number in area code 385 for Acme');
  const form = await area.presses('Open the form alone');
  expect(form.match(/filled: 385/g)).toHaveLength(1);
  const zip = new Diary(await stage());
  await zip.says('order a voip line zip 84032 for globex');
  expect((await zip.presses('Open the form alone')).match(/filled: 84032/g)).toHaveLength(1);
});

it('fills in the kind of the line that gets a package', async () => {
  const ana = new Diary(await stage());
  expect(await ana.says('put 2015550101 on Starter')).toContain('*Type* mobile (Mvno)');
  expect(await ana.says('sign Ben up for the starter plan on 0102')).toContain('*Type* internet phone (Voip)');
  expect(await ana.says('put 0106 on Starter')).toContain('*Type* ');
});
