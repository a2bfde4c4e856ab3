import { describe, expect, it } from 'vitest';
import { objects } from '../../../../src/demo/playground/types.ts';
import { recordOf as record } from '../../../../src/lib/values.ts';
import { card, type Stage, shown, stage, U_AGENT, U_VIEW, until, whisper } from '../support.ts';

/* Last digits, names and account names in place of a number or an id: in commands, forms and pickers. */

const AVA = 'Ava Stone · (201) 555-0101 · Acme Mobile';

async function offered(s: Stage, blockId: string, value: string, user = U_AGENT) {
  const { json } = await s.ws.suggest({ user, view: true, actionId: 'sb_pick', blockId, value });
  return objects(record(json).options).map((option) => [record(option.text).text, option.value]);
}

describe('a command', () => {
  it.each([
    ['/numbers', 'ben reed', 'Ben Reed'],
    ['/numbers', 'get 0102', '(201) 555-0102'],
    ['/number', '０１０２', 'Ben Reed'],
    ['/subscribers', 'get (201) 555-0102', 'Ben Reed'],
    ['/account', 'acme', 'Acme Mobile'],
    ['/message', 'routes main sms', 'Main SMS route'],
  ])('finds what it names: %s %s', async (command, line, name) => {
    const s = await stage({ CONFIRM_OWN: false });
    await s.type(command, line);
    await whisper(s.ws, U_AGENT, name);
  });

  it('shows the name of a record as text: nothing in it is markup, an emoji or a link', async () => {
    const s = await stage({ CONFIRM_OWN: false });
    const AccountName = '*b* `c` _i_ ~s~ :tada: https://a.example';
    const AccountId = 'AID-00000000-0000-4000-8000-000000000001';
    s.sandbox.perform('/v1.0/account/update', { AccountId, AccountName });
    await s.type('/numbers', 'reactivate 0107');
    const line = objects((await card(s.ws)).blocks)
      .flatMap(({ elements }) => objects(elements))
      .find(({ text }) => String(text).includes('was taken for'));
    expect(line).toMatchObject({ type: 'mrkdwn', verbatim: true });
    expect(String(line?.text)).toContain('∗b∗ ˋcˋ ˍiˍ ∼s∼ ∶tada: https://a.example');
  });

  it('never guesses between several, and goes on with the one that is chosen', async () => {
    const s = await stage({ CONFIRM_OWN: false });
    await s.type('/numbers', 'cancel acme');
    const choice = await whisper(s.ws, U_AGENT, 'Which number do you mean by “acme”?');
    expect(shown(choice)).toContain(`${AVA} · Active`);
    expect(shown(choice)).toContain('(201) 555-0107 · Acme Mobile · Cancelled - Pending Delete');
    expect(await s.gate.actions.list({})).toEqual([]);
    const at = objects(choice.blocks).findIndex((block) => JSON.stringify(block).includes(AVA));
    await s.ws.click({ user: U_AGENT, messageTs: choice.ts, actionId: `sb_run_${at - 1}` });
    const asked = shown(await card(s.ws));
    expect(asked).toContain('Cancel +12015550101');
    expect(asked).not.toContain('+12015550103');
  });

  it('searches nothing for people without the role', async () => {
    const s = await stage({ CONFIRM_OWN: false });
    await s.type('/numbers', 'cancel ava stone', U_VIEW);
    await whisper(s.ws, U_VIEW, 'needs the role operator');
    expect(await s.requests()).toEqual([]);
  });
});

describe('a text to send', () => {
  it('keeps its digits as they were typed', async () => {
    const s = await stage({ CONFIRM_OWN: false });
    await s.type('/message', 'outbound From=０１０１ To=+13125550100 Body=０１２３');
    const asked = shown(await card(s.ws));
    expect(asked).toContain('０１２３');
    expect(asked).toContain('+12015550101');
  });
});

describe('a name with a slip or two', () => {
  it('is no name for a change until a person has chosen it', async () => {
    const s = await stage({ CONFIRM_OWN: false });
    await s.type('/numbers', 'cancel bem reed');
    const choice = await whisper(s.ws, U_AGENT, 'Which number do you mean by “bem reed”?');
    expect(shown(choice)).toContain('Ben Reed · (201) 555-0102');
    expect(await s.gate.actions.list({})).toEqual([]);
  });
});

describe('the card of a change', () => {
  it('tells once what was typed', async () => {
    const s = await stage({ CONFIRM_OWN: false });
    await s.type('/message', 'routes delete main');
    expect(shown(await card(s.ws)).split('“main” was taken for Main SMS route.')).toHaveLength(2);
  });
});

describe('a picker', () => {
  it('offers records by their names, without ids and numbers of others', async () => {
    const s = await stage({ CONFIRM_OWN: false });
    await s.type('/numbers', 'update form');
    await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
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
});
