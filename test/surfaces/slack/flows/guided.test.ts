import { expect, it } from 'vitest';
import { Diary } from '../../../snapshots/diary.ts';
import { stage, U_AGENT, U_LEAD } from '../support.ts';
import { directOf } from '../talking.ts';

const BEN = 'Ben Reed · (201) 555-0102';

it('answers whether a number is blocked for a customer, and whose doing that was', async () => {
  const ana = new Diary(await stage());
  expect(await ana.says('is +13125550199 blocked for ben?')).toContain(
    `Calls from (312) 555-0199 are not blocked for ${BEN}.`,
  );
  const off = 'has no effect: guardian filtering of calls is off for Ben Reed.';
  expect(await ana.says('block +13125550199 for ben')).toContain(off);
  await ana.presses('Open the form');
  expect(await ana.sends()).toContain(off);
  expect(await ana.presses('Apply')).toContain(off);
  expect(await ana.says('is +13125550199 blocked for ben?')).toContain(
    `Calls from (312) 555-0199 are not blocked for ${BEN}: the block is kept but has no effect`,
  );
  await ana.presses('Turn it on');
  await ana.sends();
  await ana.presses('Apply');
  for (const text of [
    'is +13125550199 blocked for ben?',
    'ben blocked 3125550199 by mistake',
    'is 0102 blocking 3125550199?',
  ])
    expect(await ana.says(text), text).toContain(`Calls from (312) 555-0199 are blocked for ${BEN}.`);
  expect(await ana.says('is 3125550144 blocked for ben?')).toContain(
    `Calls from (312) 555-0144 are not blocked for ${BEN}.`,
  );
  const done = await ana.says('who blocked 3125550199 for ben');
  expect(done).toContain('*Block calls from (312) 555-0199 for “Ben Reed” on (201) 555-0102* for Ben Reed');
  expect(await ana.says('who blocked 3125550144 for ben')).toContain('Nothing is recorded for this');
});

it('makes the block list of a customer one that lets only some numbers through', async () => {
  const ana = new Diary(await stage());
  const first = await ana.says('allow only 3125550144 for ben');
  expect(first).toContain('*Create a call filter on (201) 555-0102*');
  expect(first).toContain('*Filter mode* allow list (WHITELIST)');
  expect(first).toContain('*Allowed numbers* (312) 555-0144');
  await ana.says('block +13125550199 for ben');
  await ana.presses('Open the form');
  await ana.sends();
  await ana.presses('Apply');
  const next = await ana.says('block everyone except 3125550144 for ben');
  expect(next).toContain('*Change a call filter*');
  expect(next).toContain('It lets only these numbers through and blocks everyone else.');
  await ana.presses('Open the form');
  expect(await ana.sends()).toMatch(/WHITELIST/);
});

it('tells each line that a change cannot have, and offers the change of the others', async () => {
  const ana = new Diary(await stage());
  const cancel = await ana.says('cancel 0104 and 0109');
  expect(cancel).toContain(
    '(201) 555-0109 is Cancelled and was released: there is nothing left to cancel. It is left out.',
  );
  expect(cancel).toContain('*Cancel (201) 555-0104*');
  expect(cancel).not.toContain('Sample Line 9');
  expect(await ana.says('suspend 0104 and 0107')).toContain('*Park (201) 555-0104*');
  const none = await ana.says('activate 0103 and 0107');
  expect(none).toContain('(201) 555-0103 is already Active; (201) 555-0107 is cancelled. Nothing was done.');
  expect(await ana.says('cancel 0107')).toContain('(201) 555-0107 is already cancelled. Nothing was done.');
  const again = await ana.says('reactivate 0103 and 0107');
  expect(again).toContain('(201) 555-0103 is Active, not cancelled: there is nothing to reactivate. It is left out.');
  expect(again).toContain('The form is filled in for this one');
});

it('has a button with its values for each part of a message with several orders', async () => {
  const ana = new Diary(await stage());
  const both = await ana.says('hold 0101 and cancel 0104');
  expect(both).toContain('several changes (Put on hold; Cancel numbers)');
  await ana.presses('Put on hold: 0101');
  expect(await ana.sends()).toContain('Park +12015550101');
});

it('offers to activate a line only if it is parked, and tells who parked it', async () => {
  const ana = new Diary(await stage());
  for (const text of ['cancel the hold on 0103', 'take 0103 off hold', 'undo the suspension of +12015550103']) {
    const shown = await ana.says(text);
    expect(shown, text).toContain('(201) 555-0103 is already Active. Nothing was done.');
    expect(shown, text).not.toContain('[Ask for confirmation]');
  }
  await ana.says('park 0103');
  await ana.presses('Ask for confirmation');
  await ana.presses('Park', U_LEAD);
  for (const text of ['what did lee do today', 'did lee approve my request'])
    expect(await ana.says(text), text).toContain('*Park (201) 555-0103*');
  expect(await ana.says('what did mia do today')).toContain('Nothing is recorded for this');
  const lifted = await ana.says('cancel the hold on 0103');
  expect(lifted).toContain('*Activate (201) 555-0103*');
  expect(lifted).toContain('[Ask for confirmation]');
  for (const text of ['turn 0103 back on', 'can you switch 0103 back on please']) {
    const back = await ana.says(text);
    expect(back, text).toContain('*Activate (201) 555-0103*');
    expect(back, text).not.toContain('Reactivate');
  }
  expect(await ana.says('turn 0107 back on')).toContain('*Reactivate (201) 555-0107*');
  expect(await ana.says('turn 0104 back on')).toContain('Nothing was done.');
});

it('offers what is wanted of two, and says what it leaves out or cannot fill in', async () => {
  const ana = new Diary(await stage());
  const parked = await ana.says('park 0103 instead of 0104 for 2 weeks');
  expect(parked).toContain('*Park (201) 555-0103*');
  expect(parked).not.toContain('555-0104');
  expect(parked).toContain(
    'It does not end by itself (“for 2 weeks”): ask for that too; left out, as you say: “instead of 0104”.',
  );
  const both = await ana.says('text 0101 and 0103 hello');
  expect(both).toContain('(201) 555-0101');
  expect(both).toContain('(201) 555-0103');
  expect(both).toContain('*Text* hello');
});

it('brings no change for an order that is taken back, or that the state of a line leaves nothing to do for', async () => {
  const ana = new Diary(await stage());
  for (const text of ['cancel 0103, but dont do it', 'Park 0105.\nSorry, wrong number, do not do that.']) {
    const shown = await ana.says(text);
    expect(shown, text).toContain('Your message takes it back');
    expect(shown, text).not.toMatch(/\[(?:Ask for confirmation|Open the form)\]/);
  }
  for (const [text, why] of [
    ['reactivate 0101', 'there is nothing to reactivate'],
    ['reactivte 0109', 'permanently released'],
  ] as const) {
    const shown = await ana.says(text);
    expect(shown, text).toContain(why);
    expect(shown, text).not.toMatch(/\[(?:Ask for confirmation|Open the form)\]/);
  }
});

it('begins the port-in of a number whose old carrier and account are named, and never with a PIN', async () => {
  const ana = new Diary(await stage());
  const shown = await ana.says('bring my customers number 3125550150 over from T-Mobile, acct 99812, pin 4471');
  expect(shown).toContain('*Port a number in*');
  expect(shown).toContain('the PIN (a secret');
  expect(await ana.presses('Start')).toContain('+13125550150');
  const details = await ana.sends();
  expect(details).toContain('99812');
  expect(details).not.toContain('4471');
});

it('finds a text that was sent by its receiver, and a name with two letters in the wrong order', async () => {
  const ana = new Diary(await stage());
  await ana.says('text 0102 "hello there" from 0101');
  await ana.presses('Open the form');
  await ana.sends();
  for (const text of ['did the last sms to 0102 arrive', 'what did we text ben'])
    expect(await ana.says(text), text).toContain('“hello there”');
  expect(await ana.says('find bne reed')).toContain('Ben Reed');
});

it('changes the line at a place of the list that was shown', async () => {
  const ana = new Diary(await stage());
  await ana.says('list acme lines');
  const offered = await ana.says('park the second one');
  expect(offered).toContain('*Park (201) 555-0103*');
  expect(offered).toContain('“the second one” is read as 0103');
  expect(await ana.says('which lines are cancelled')).toContain('555-0107');
  expect(await ana.says('reactivate the last one')).toContain('*Reactivate (201) 555-0108*');
});

it('tells what comes of a form in the thread in which it was opened', async () => {
  const s = await stage();
  const ana = new Diary(s);
  const answersIn = (thread: string | undefined) =>
    s.ws.messages(directOf(s, U_AGENT), { visibleTo: U_AGENT }).filter(({ threadTs }) => threadTs === thread);
  await ana.says('subscribe 0101 to the Starter plan');
  const thread = answersIn(undefined).at(-1)?.ts;
  await ana.presses('Open the form');
  await ana.sends({ Type: 'Mvno' });
  await ana.presses('Subscribe and bill', U_LEAD);
  expect(JSON.stringify(answersIn(thread).at(-1))).toContain('Done');
});

it('offers and opens the correction of a port-in under its own name, with the part of the address that is given', async () => {
  const s = await stage();
  const ana = new Diary(s);
  const order = 'JNUOID-00000000-0000-4000-8000-000000000001';
  const shown = await ana.says(`fix the zip on the port in of ${order} to 60614`);
  expect(shown).toContain('*Correct a port-in order*');
  expect(shown).toContain('*Current billing address: ZIP* 60614');
  await ana.presses('Open the form');
  expect(JSON.stringify(s.ws.openViews(U_AGENT).at(-1)?.definition.title)).toContain('Correct a port-in order');
});
