import { expect, it } from 'vitest';
import { Diary } from '../../../snapshots/diary.ts';
import { stage } from '../support.ts';

it('offers a change of several lines as one batch with all of them', async () => {
  const ana = new Diary(await stage());
  const offered = await ana.says('give 0103 and 0105 the caller name Oak & Pine');
  expect(offered).toContain('*Change a number*');
  expect(offered).toContain('(201) 555-0103');
  expect(offered).toContain('(201) 555-0105');
  expect(offered).toContain('*Caller first name* Oak');
  const form = await ana.presses('Open the list');
  expect(form).toContain('+12015550103');
  expect(form).toContain('+12015550105');
  expect(form).toContain('Oak');
});

it('says which of several is missing, and lists the others', async () => {
  const ana = new Diary(await stage());
  const offered = await ana.says('give 0103 and 0199 the caller name Oak & Pine');
  expect(offered).toContain('“0199” was not found, and is not in the list.');
  expect(offered).toContain('(201) 555-0103');
});

it('offers a change of all lines of an account for those in service, and for no other account', async () => {
  const ana = new Diary(await stage());
  const offered = await ana.says('text all acme lines: Maintenance tonight');
  expect(offered).toContain('3 of the lines found are left out: cancelled.');
  expect(offered).toContain('(201) 555-0110 · Acme Mobile');
  expect(offered).not.toContain('555-0102');
  expect(await ana.presses('Open the list')).toContain('Maintenance tonight');
});

it('offers a plan for all lines of a customer, and names those whose subscription is missing', async () => {
  const ana = new Diary(await stage());
  const moved = await ana.says('move all of ava’s mvno lines to starter');
  expect(moved).toContain('*Package* Starter');
  expect(moved).toContain('(201) 555-0103 has no subscription, and is not in the list.');
  expect(await ana.presses('Open the form')).toContain('subscription of (201) 555-0105');
  const given = await ana.says('give all acme lines without a plan the starter plan');
  expect(given).not.toContain('555-0105');
  expect(await ana.presses('Open the list')).toContain('Type');
});

it('leaves the lines out that the message leaves out, and says whom it did not find among them', async () => {
  const ana = new Diary(await stage());
  const offered = await ana.says('limit all acme lines to 5gb except ben and 0104');
  expect(offered).toContain('None of the lines found is “ben”.');
  expect(offered).toContain('(201) 555-0105 · Acme Mobile');
  expect(offered).not.toContain('555-0104');
  expect(await ana.says('and not 0105')).toContain('The list opens with these 4');
  expect(await ana.presses('Open the list')).not.toMatch(/\+1201555010[45]/);
});

it('shows no button for what the message forbids', async () => {
  const ana = new Diary(await stage());
  const shown = await ana.says('do NOT reactivate 0107, just tell me when it gets deleted');
  expect(shown).toContain('555-0107');
  expect(shown).not.toContain('[Reactivate');
});

it('offers nothing for lines that a name does not mean for sure', async () => {
  const ana = new Diary(await stage());
  const shown = await ana.says('text all lines of Akme: hello');
  expect(shown).not.toContain('Open the list');
  expect(shown).toContain('Nothing was done');
});

it('shows every record that an offer fills in', async () => {
  const ana = new Diary(await stage());
  expect(await ana.says('assign 0110 to Ava Stone')).toContain('*Assigned subscriber* Ava Stone');
  expect(await ana.says('route voice of 0106 through Main SIP trunk')).toContain('*Voice route* Main SIP trunk');
  const packaged = await ana.says('put 0101 on the Starter plan');
  expect(packaged).toContain('*Package* Starter');
});

it('carries no misspelled name of a record as its id', async () => {
  const ana = new Diary(await stage());
  const shown = await ana.says('put ava on the starer plan');
  expect(shown).toContain('“starer” may be Starter');
});
