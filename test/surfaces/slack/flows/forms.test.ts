import { describe, expect, it } from 'vitest';
import { objects } from '../../../../src/demo/playground/types.ts';
import { ORDER, TSUID } from '../../../support/seed.ts';
import { U_AGENT } from '../ids.ts';
import { record, type Stage, shown, stage } from '../support.ts';

const PHONE = '+12015550101';
const PRODUCT = 'PRID-00000000-0000-4000-8000-000000000002';

it('rows of several members are lines with colons, whose records have names', async () => {
  const s = await stage();
  await s.form('/packages', 'create PackageName="Family line" Type=esim Price=20 form');
  const send = (PackageItems: string) => s.sends({ Monthly: 'true', PackageItems });
  // What is right in another line is no problem.
  const unknown = await send('5 GB of data: 9.00: true\nnope');
  expect(unknown.errors).toEqual({ PackageItems: expect.stringMatching(/^Line 2 \(nope\): no product matches[^(]*$/) });
  const wrong = await send('5 GB of data: 9.00: true\n5 GB of data: many');
  expect(wrong.errors).toEqual({
    PackageItems: expect.stringMatching(/^Line 2 \(5 GB of data: many\): must be a decimal/),
  });
  await send('5 GB of data: 9.00: true');
  const { ts } = await s.whisper('sb_confirm');
  await s.press(ts, 'sb_confirm', U_AGENT);
  await s.whisper('Done: Create the package');
  const [sent] = (await s.requests('/packages')).slice(-1);
  expect(sent?.status).toBe(200);
  expect(JSON.stringify(record(await s.control('state')).packages)).toContain(PRODUCT);
  expect(s.ws.warnings()).toEqual([]);
});

it('a form asks for the secrets that its change would lose, and stays open without them', async () => {
  const s = await stage();
  const MessageRouteId = 'MRID-00000000-0000-4000-8000-000000000001';
  const credentials = { MessageAuthenticationType: 'Bearer', MessagePasswordToken: 'old' };
  await s.apply('message_routes_update', { MessageRouteId, ...credentials });
  await s.form('/message', 'routes update main sms form');
  const refused = await s.ws.submit({ user: U_AGENT, values: { RouteName: 'Second' } });
  expect(Object.keys(refused.errors ?? {})).toEqual(['MessagePasswordToken']);
});

/* A form whose change has a caution (`caution` of the operation) leads to the card that shows it. */

it('a form with a caution leads to the card that shows it', async () => {
  const s = await stage();
  await s.apply('subscribers_guardian_features_set', { SubscriberId: TSUID, EnableIntelligentGuardianMessages: true });
  await s.form('/subscribers', `message-filter create SubscriberId=${TSUID}`);
  await s.suggest('Phone', PHONE);
  // All of it is filled in but the directions.
  await s.ws.submit({ user: U_AGENT, values: { Phone: PHONE, FilterMode: 'ADOLESCENT', BlockLinks: 'true' } });
  expect(shown(await s.whisper('sb_confirm'))).toMatch(/⚠️.*direction/is);
});

/* `/subscribers guard`: the filters of one number, with a button for the form of each change. */

const BOTH_WAYS = { SubscriberId: TSUID, Phone: PHONE, ApplyToInbound: true, ApplyToOutbound: true };

it('/subscribers guard shows what is set, and the form of a filter starts from it', async () => {
  const s = await stage();
  // The number has a message filter, while filtering itself is off.
  await s.apply('subscribers_message_filter_create', { ...BOTH_WAYS, FilterMode: 'CHILD', BlockLinks: true });
  await s.type('/subscribers', 'guard 0101');
  const message = await s.whisper('Guard a number');
  const says = ['Ava Stone', 'Child: the strictest level', 'Blocked are links.', 'not filtered'];
  for (const words of [...says, 'Change messages', 'New message filter', 'New call filter'])
    expect(shown(message)).toContain(words);
  expect(await s.opens(message, 'sb_fill_0', U_AGENT, 'BlockLinks')).toContain('CHILD');
  await s.ws.submit({ user: U_AGENT, values: { BlockLinks: 'false' } });
  // Less protection needs an approver.
  expect(shown(await s.card())).toContain('Block links');
  expect(shown(await s.confirm())).toContain('Done');
  expect(s.sandbox.state()).toMatchObject({ messageFilters: [{ fields: { BlockLinks: false } }] });
  expect(s.ws.warnings()).toEqual([]);
});

it('a form of a record that is too long for a view says that a card follows', async () => {
  const s = await stage();
  const CustomKeywords = Array.from({ length: 300 }, (_, at) => `word${at}`);
  const KeywordFilter = JSON.stringify({ CustomKeywords });
  await s.apply('subscribers_message_filter_create', { ...BOTH_WAYS, FilterMode: 'ACTIVE', KeywordFilter });
  await s.type('/subscribers', 'guard 0101');
  const form = await s.opens(await s.whisper('Guard a number'), 'sb_fill_0', U_AGENT, 'word299');
  expect(form).toContain('"text":"Review the change"');
});

/* Last digits, names and account names in place of a number or an id: in commands, forms and pickers. */

const AVA = 'Ava Stone · (201) 555-0101 · Acme Mobile';

async function offered(s: Stage, blockId: string, value: string) {
  const { json } = await s.suggest(blockId, value);
  return objects(record(json).options).map((option) => [record(option.text).text, option.value]);
}

it.each([
  ['open', 'views.open', 'expired_trigger_id'],
  ['fill, because the record took long to read,', 'views.update', 'internal_error'],
])('a form that Slack does not %s is offered again with what was typed', async (_, method, error) => {
  const s = await stage();
  await s.control('faults', { path: '/v1.0/numbers/data-usage/settings', times: 1, hangMs: 1_000 });
  s.ws.fail(method, { error }, 9);
  await s.type('/numbers', 'data usage set 0101 LimitValue=321 form');
  const answer = await s.whisper('did not open the window');
  s.ws.clearFaults();
  expect(await s.opens(answer, 'sb_fill', U_AGENT, '321')).not.toContain('⏳');
});

describe('a command', () => {
  it.each([
    ['/numbers', 'ben reed', 'Ben Reed'],
    ['/numbers', 'get 0102', '(201) 555-0102'],
    ['/number', '０１０２', 'Ben Reed'],
    ['/number', '89012403971900010010', '(201) 555-0101'],
    ['/number', ORDER, 'Order status'],
    ['/subscribers', 'get (201) 555-0102', 'Ben Reed'],
    ['/account', 'acme', 'Acme Mobile'],
    ['/message', 'routes main sms', 'Main SMS route'],
  ])('finds what it names: %s %s', async (command, line, name) => {
    const s = await stage({ CONFIRM_OWN: false });
    await s.type(command, line);
    await s.whisper(name);
  });

  it('tells once what was typed, with the name of a record as text: nothing in it is markup, an emoji or a link', async () => {
    const s = await stage({ CONFIRM_OWN: false });
    const AccountName = '*b* `c` _i_ ~s~ :tada: https://a.example';
    const AccountId = 'AID-00000000-0000-4000-8000-000000000001';
    s.sandbox.perform('/v1.0/account/update', { AccountId, AccountName });
    await s.type('/numbers', 'reactivate 0107');
    const [line, ...more] = objects((await s.card()).blocks)
      .flatMap(({ elements }) => objects(elements))
      .filter(({ text }) => String(text).includes('was taken for'));
    expect(line).toMatchObject({ type: 'mrkdwn', verbatim: true });
    expect(String(line?.text)).toContain('∗b∗ ˋcˋ ˍiˍ ∼s∼ ∶tada: https://a.example');
    expect(more).toEqual([]);
  });

  it('never guesses between several, and goes on with the one that is chosen', async () => {
    const s = await stage({ CONFIRM_OWN: false });
    await s.type('/numbers', 'cancel acme');
    const choice = await s.whisper('Which number do you mean by “acme”?');
    expect(shown(choice)).toContain(`${AVA} · Active`);
    expect(shown(choice)).toContain('(201) 555-0107 · Acme Mobile · Cancelled - Pending Delete');
    expect(await s.gate.actions.list({})).toEqual([]);
    const at = objects(choice.blocks).findIndex((block) => JSON.stringify(block).includes(AVA));
    await s.ws.click({ user: U_AGENT, messageTs: choice.ts, actionId: `sb_run_${at - 1}` });
    const asked = shown(await s.card());
    expect(asked).toContain('Cancel +12015550101');
    expect(asked).not.toContain('+12015550103');
  });
});

it('a text to send keeps its digits as they were typed', async () => {
  const s = await stage({ CONFIRM_OWN: false });
  await s.type('/message', 'outbound From=０１０１ To=+13125550100 Body=０１２３');
  const asked = shown(await s.card());
  expect(asked).toContain('０１２３');
  expect(asked).toContain('+12015550101');
  // Who is written to is no line that the text covers.
  await s.type('/number', '0101');
  const line = shown(await s.whisper(' waits'));
  expect(line).not.toContain('It also covers');
  expect(line).toMatch(/ waits, asked by .{0,60}U000AGENT/);
});

it('a name with a slip or two is no name for a change until a person has chosen it', async () => {
  const s = await stage({ CONFIRM_OWN: false });
  await s.type('/numbers', 'cancel bem reed');
  const choice = await s.whisper('Which number do you mean by “bem reed”?');
  expect(shown(choice)).toContain('Ben Reed · (201) 555-0102');
  expect(await s.gate.actions.list({})).toEqual([]);
});

it('a picker offers records by their names, without ids and numbers of others', async () => {
  const s = await stage({ CONFIRM_OWN: false });
  await s.form('/numbers', 'update form');
  const ben = [['Ben Reed · (201) 555-0102 · Globex Family · Active', '+12015550102']];
  expect(await offered(s, 'Number', 'reed')).toEqual(ben);
  expect((await offered(s, 'Number', 'ava')).length).toBeGreaterThan(1);
  expect(await offered(s, 'Number', '0101')).toEqual([[`${AVA} · Active`, '+12015550101']]);
  const subscriber = 'TSUID-00000000-0000-4000-8000-000000000002';
  expect(await offered(s, 'AssignedSubscriberId', 'reed')).toEqual([
    ['Ben Reed · (201) 555-0102 · Globex Family', subscriber],
  ]);
  const routes = await offered(s, 'MessageRouteId', '');
  expect(routes).toEqual([['Main SMS route', 'MRID-00000000-0000-4000-8000-000000000001']]);
  expect(await offered(s, 'Number', 'nobody')).toEqual([]);
});
