import { expect, it } from 'vitest';
import { Diary } from '../../../snapshots/diary.ts';
import { stage } from '../support.ts';

it('says before the form that a value cannot go with those of the line', async () => {
  const ana = new Diary(await stage());
  const shown = await ana.says('slow 0101 down to 512 kbps after 5 gb');
  expect(shown).toContain('“Slow down at” (5120 MB) must be below “Data limit” (20 MB)');
  expect(shown).toContain('[Open the form]');
  expect(await ana.says('set the limit of 0101 to 3 gb')).not.toContain('must be below');
});

it('lists only the lines to which a change can be made', async () => {
  const ana = new Diary(await stage());
  for (const text of ['suspend Ava', 'text Ava that her SIM ships tomorrow', 'new esim for ava stone']) {
    const shown = await ana.says(text);
    expect(shown, text).toContain('(201) 555-0103 · Acme Mobile · Active');
    expect(shown, text).not.toContain('Cancelled');
  }
  const back = await ana.says('reactivate Ava');
  expect(back).toContain('(201) 555-0107 · Acme Mobile · Cancelled');
  expect(back).not.toContain('· Active');
});

it('offers to withdraw the change that waits, by its number or as the only one', async () => {
  const ana = new Diary(await stage());
  expect(await ana.says('what is open')).toContain('Nothing waits for your decision');
  await ana.says('cancel 0103');
  await ana.presses('Ask for confirmation');
  for (const text of ['withdraw the cancel i asked for earlier', 'withdraw the cancel of 0103'])
    expect(await ana.says(text), text).toMatch(/it still waits[\s\S]*Cancel \+12015550103[\s\S]*\[Withdraw\]/);
  expect(await ana.says('withdraw the cancel of 0105')).not.toContain('[Withdraw]');
  expect(await ana.says("what's waiting for approval")).toContain('Cancel +12015550103');
});

it('says in one line how a change is asked for, and shows what a line has', async () => {
  const ana = new Diary(await stage());
  const how = await ana.says('how do I park a line');
  expect(how).toContain('Write: “park 0103”.');
  expect(how).not.toMatch(/EffectiveDate|ICCID/);
  expect(await ana.says('what plan is 0103 on')).toContain('no plan');
  expect(await ana.says('how many texts did 0101 send yesterday')).toContain('No messages of (201) 555-0101');
});

it('tells a name beside a line that is not the name of its holder', async () => {
  const ana = new Diary(await stage());
  expect(await ana.says('hold 0102 for linda perez')).toContain('Not taken: linda perez. This line is of Ben Reed');
  expect(await ana.says('activate 0110 for ava (stone)')).toContain('Not taken: ava stone. This line is of');
  expect(await ana.says('hold +12015550110 for Linda Perez')).toContain('Not taken: Linda Perez. Whose line this is');
  expect(await ana.says('hold 0101 for ava')).not.toContain('Not taken');
});
