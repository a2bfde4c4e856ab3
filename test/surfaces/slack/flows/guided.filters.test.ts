import { expect, it } from 'vitest';
import { Diary } from '../../../snapshots/diary.ts';
import { seeded } from '../../../support/world.ts';
import { stage, U_AGENT, U_LEAD, whisper } from '../support.ts';

const AVA = 'TSUID-00000000-0000-4000-8000-000000000001';

/** Ava's line 0103 lets only 0102 through; none of her other lines has a filter. */
async function filtered() {
  const s = await stage({ CONFIRM_OWN: false });
  await s.type('/subscribers', `guardian-features set ${AVA} EnableIntelligentGuardianCalls=yes`);
  await whisper(s.ws, U_AGENT, '✅');
  const settings = `SubscriberId=${AVA} Phone=${seeded(3)} FilterMode=BLACKLIST BlockedNumbers=+13125550151 ApplyToInbound=yes`;
  await s.type('/subscribers', `call-filter create ${settings}`);
  await whisper(s.ws, U_AGENT, /Done[^:]*: Block calls/);
  return { s, ana: new Diary(s) };
}

it('changes the filter of the line that was named, and never that of another line', async () => {
  const { ana } = await filtered();
  const own = await ana.says('block 312-555-0150 from calling 0103');
  expect(own).toContain('*Block calls from (312) 555-0150*');
  expect(own).toContain('*Call filter* (201) 555-0103');
  const other = await ana.says('please block 312-555-0150 from calling 0104');
  expect(other).toContain('has no call filter yet, so this makes the first one');
  expect(other).toContain('*Block calls from (312) 555-0150 on (201) 555-0104*');
  expect(other).not.toContain('555-0103');
  for (const [says, told] of [
    ['allow 312-555-0150 to call 0105', '(201) 555-0105 has no call filter, so everybody gets through'],
    ['unblock 312-555-0151 on 0104', '(201) 555-0104 has no call filter, so nobody is blocked'],
  ] as const) {
    const answer = await ana.says(says);
    expect(answer).toContain(told);
    expect(answer).not.toContain('[Open the form]');
    expect(answer.includes('write “only (312) 555-0150 may call'), says).toBe(says.startsWith('allow'));
    expect(answer).not.toContain('[Let only');
  }
  expect(await ana.says('delete the call filter on 0104')).toContain(
    'has no call filter, so there is nothing to change',
  );
  // A line of the platform is recognized by its last digits.
  expect(await ana.says('block 0105 from texting ben')).toContain('*Block messages from (201) 555-0105');
  expect(await ana.says('delete the call filter on 0103')).toContain('(201) 555-0103');
  expect(await ana.says('create a call filter for 0103')).toContain('has a call filter already, so this changes it');
  expect(await ana.says('block links in the messages of 0104')).toContain(
    '*Create a message filter on (201) 555-0104*',
  );
});

it('takes a number off the list that it is on', async () => {
  const { ana } = await filtered();
  const found = await ana.says('unblock texts from 3125550151 for 0103');
  expect(found).toContain('is on the block list of calls, and not on that of messages');
  expect(found).toContain('*Unblock calls from (312) 555-0151*');
});

it('offers a block of calls and one of texts, and withdraws both, also after a form was opened and closed', async () => {
  const { ana } = await filtered();
  const both = await ana.says('block calls and texts from 312-555-0150 for 0103');
  expect(both).toContain('*Block calls from (312) 555-0150*');
  expect(both).toContain('*Block messages from (312) 555-0150 on (201) 555-0103*');
  await ana.presses('Open the form');
  await ana.closes();
  const left = await ana.says('never mind');
  expect(left.match(/Withdrawn/g)).toHaveLength(2);
});

it('adds words and numbers to those that the filter has, and takes one step from its level', async () => {
  const { s, ana } = await filtered();
  const rules = JSON.stringify({ CustomKeywords: ['vape'], SeverityMap: { vape: 'LOW' } });
  const settings = `SubscriberId=${AVA} Phone=${seeded(4)} FilterMode=CHILD NotificationPhones=+13125550144 ApplyToInbound=yes`;
  await s.type('/subscribers', `guardian-features set ${AVA} EnableIntelligentGuardianMessages=yes`);
  await whisper(s.ws, U_AGENT, /Done[^:]*: Turn message/);
  await s.type('/subscribers', `message-filter create ${settings} KeywordFilter='${rules}'`);
  await s.settled();
  await ana.presses('Create this filter', U_LEAD);
  const added = await ana.says('add the words weed and casino to the filter of 0104');
  expect(added).toContain('"CustomKeywords":["vape","weed","casino"]');
  expect(await ana.says('take the word vape out of the filter of 0104')).toContain('"CustomKeywords":[]');
  const told = await ana.says('send alerts for 0104 to 312-555-0145');
  expect(told).toContain('(312) 555-0144');
  expect(told).toContain('(312) 555-0145');
  expect(await ana.says('make the filter of 0104 one step softer')).toContain('ADOLESCENT');
  expect(await ana.says('pause the filter on 0104')).toContain('paused');
});

it('pauses no filter that does not exist', async () => {
  const { ana } = await filtered();
  const answer = await ana.says('pause the message filter on 0105');
  expect(answer).toContain('has no message filter, so there is nothing to change');
  expect(answer).not.toContain('[Open the form]');
});
