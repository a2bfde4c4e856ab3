import { describe, expect, it } from 'vitest';
import { objects } from '../../../../src/demo/playground/types.ts';
import { recordOf as record } from '../../../../src/lib/json.ts';
import { C_SUPPORT, card, type Stage, shown, stage, U_AGENT, U_LEAD, U_VIEW, until, whisper } from '../support.ts';

/* Last digits, names and account names in place of a number or an id: in commands, forms and pickers. */

const AVA = 'Ava Stone · (201) 555-0101 · Acme Mobile';
const form = (s: Stage) => JSON.stringify(s.ws.openViews(U_AGENT)[0]?.definition);

async function offered(s: Stage, blockId: string, value: string, user = U_AGENT) {
  const { json } = await s.ws.suggest({ user, view: true, actionId: 'sb_pick', blockId, value });
  return objects(record(json).options).map((option) => [record(option.text).text, option.value]);
}

describe('a command', () => {
  it.each([
    ['cancel 0101', '+12015550101'],
    ['cancel ben reed', '+12015550102'],
    ['cancel "Ben Reed"', '+12015550102'],
    ['cancel PhoneNumbers=0101', '+12015550101'],
    ['cancel (201) 555-0101', '+12015550101'],
    ['cancel ０１０１', '+12015550101'],
    ['cancel PhoneNumbers=٠١٠١', '+12015550101'],
  ])('asks about the one number that is meant: %s', async (line, phone) => {
    const s = await stage({ CONFIRM_OWN: false });
    await s.type('/numbers', line);
    const asked = shown(await card(s.ws));
    expect(asked).toContain(phone);
  });

  it.each([
    ['/numbers', '0102', 'Ben Reed'],
    ['/numbers', 'ben reed', 'Ben Reed'],
    ['/numbers', 'get 0102', '(201) 555-0102'],
    ['/subscribers', 'ben reed', 'Ben Reed'],
    ['/subscribers', 'get 0102', 'Ben Reed'],
    ['/subscribers', '0102', 'Ben Reed'],
    ['/subscribers', '０１０２', 'Ben Reed'],
    ['/number', '０１０２', 'Ben Reed'],
    ['/number', '٠١٠٢', 'Ben Reed'],
    ['/numbers', 'why ０１０２', '(201) 555-0102'],
    ['/subscribers', 'get (201) 555-0102', 'Ben Reed'],
    ['/account', 'acme', 'Acme Mobile'],
    ['/message', 'routes main sms', 'Main SMS route'],
    ['/message', 'routes 0101', 'Main SMS route'],
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
    const told = await whisper(s.ws, U_AGENT, '“0107” was taken for ');
    const line = objects(told.blocks)
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

  it('says that nothing matches, and what to do', async () => {
    const s = await stage({ CONFIRM_OWN: false });
    await s.type('/numbers', 'cancel nobody here');
    const answer = await whisper(s.ws, U_AGENT, 'No number matches “nobody here”');
    expect(shown(answer)).toContain('type the whole number');
    expect(await s.gate.actions.list({})).toEqual([]);
  });

  it('opens its form with the number that is meant', async () => {
    const s = await stage({ CONFIRM_OWN: false });
    await s.type('/numbers', 'update ben reed form');
    await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
    expect(form(s)).toContain('+12015550102');
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

describe('a message shortcut', () => {
  const looked = async (s: Stage, text: string) => {
    await s.ws.say({ user: U_AGENT, channel: C_SUPPORT, text });
    const messageTs = s.ws.messages(C_SUPPORT).at(-1)?.ts ?? '';
    await s.ws.messageShortcut({ user: U_AGENT, callbackId: 'sb_find_numbers', messageTs });
  };

  it('looks up the number that a message names by digits or by a customer, and asks which of several', async () => {
    const s = await stage({ CONFIRM_OWN: false });
    await looked(s, 'Ava Stone says that her line 0104 has been dead since 0900');
    await whisper(s.ws, U_AGENT, /more:\+12015550104.*sb_share/);
    await looked(s, 'please call Ben Reed, before 17:30');
    await whisper(s.ws, U_AGENT, /more:\+12015550102.*sb_share/);
    await looked(s, 'ben reed');
    await looked(s, 'a text from Ava Stone');
    const which = await whisper(s.ws, U_AGENT, '7 numbers fit that message. Which one?');
    expect(shown(which)).toMatch(/Ava Stone · \(201\) 555-0103/);
    expect(shown(which)).toMatch(/Ava Stone · \(201\) 555-0107[^"]* · Cancelled - Pending Delete"/);
    await looked(s, 'nobody at all');
    await whisper(s.ws, U_AGENT, 'no phone number, last digits or name of a customer');
  });
});

describe('the port-in guide', () => {
  it('takes a name or last digits for the number that is meant', async () => {
    const s = await stage({ CONFIRM_OWN: false });
    await s.type('/numbers', 'portin guide ben reed');
    await until(() => s.ws.openViews(U_AGENT).length === 1, 'the guide');
    expect(form(s)).toContain('+12015550102');
    await s.type('/numbers', 'portin guide acme', U_LEAD);
    const which = await whisper(s.ws, U_LEAD, 'Which number do you mean by “acme”?');
    await s.ws.click({ user: U_LEAD, messageTs: which.ts, actionId: 'sb_guide_0' });
    await until(() => s.ws.openViews(U_LEAD).length === 1, 'the guide for the chosen number');
    expect(JSON.stringify(s.ws.openViews(U_LEAD)[0]?.definition)).toMatch(/"\+120155501\d\d"/);
  });
});

describe('a name with a slip or two', () => {
  it.each(['eva ston', 'ava stoen', 'Avva Stone', 'ben red', 'bn reed', 'acmee mobile'])(
    'is found: %s',
    async (name) => {
      const s = await stage({ CONFIRM_OWN: false });
      await s.type('/number', name);
      const answer = await whisper(s.ws, U_AGENT, /Ava Stone|Ben Reed|Acme/);
      expect(shown(answer)).not.toContain('No number matches');
    },
  );

  it('is no name for a change until a person has chosen it', async () => {
    const s = await stage({ CONFIRM_OWN: false });
    await s.type('/numbers', 'cancel bem reed');
    const choice = await whisper(s.ws, U_AGENT, 'Which number do you mean by “bem reed”?');
    expect(shown(choice)).toContain('Ben Reed · (201) 555-0102');
    expect(await s.gate.actions.list({})).toEqual([]);
  });
});

describe('a name after a read', () => {
  it.each([
    ['/account', 'message routes globex', '“globex” was taken for Globex Family', 'Main SMS route'],
    ['/account', 'packages banana', '"banana" fits no field', 'Starter'],
    ['/packages', 'get nope', 'No package matches “nope”', 'Starter'],
    ['/products', 'get data', '5 GB of data', 'eSIM profile'],
    ['/workgroups', 'get front', '“front” was taken for Front desk', 'Understood'],
  ])('is never dropped: %s %s', async (command, line, answer, without) => {
    const s = await stage({ CONFIRM_OWN: false });
    await s.type(command, line);
    expect(shown(await whisper(s.ws, U_AGENT, answer))).not.toContain(without);
  });
});

describe('an order that was placed here', () => {
  it.each([
    ['/numbers', 'order 0150', 'Order status'],
    ['/number', '0150', 'it is being ported in'],
    ['/numbers', 'portin cancel 0150', 'Cancel port-in order of +13125550150'],
  ])('is found by the last digits of its number: %s %s', async (command, line, answer) => {
    const s = await stage({ CONFIRM_OWN: false });
    const input = {
      PortInNumber: '+13125550150',
      CurrentCarrierName: 'Example Wireless',
      CurrentAccountNumber: '46512222',
      CurrentAccountPassword: '90817263',
      CurrentBillingAddress: { Street1: '1 Main St', City: 'Chicago', State: 'IL', Zip: '60601' },
    };
    const lead = { id: 'lead', name: 'Lee', role: 'approver', surface: 'cli', priority: 'person' } as const;
    const asked = await s.gate.perform('numbers_portin', input, lead);
    if (asked.kind !== 'pending') throw new Error('the port-in was not asked for');
    await s.gate.confirm(asked.action.id, lead, 'page');
    await until(async () => (await s.gate.actions.get(asked.action.id))?.state === 'done', 'the order');
    await s.type(command, line);
    await whisper(s.ws, U_AGENT, answer);
  });
});

describe('the card of a change', () => {
  it('tells the approver and the requester what was typed', async () => {
    const s = await stage({ CONFIRM_OWN: false });
    await s.type('/message', 'routes delete main');
    expect(shown(await card(s.ws))).toContain('“main” was taken for Main SMS route.');
    const own = shown(await whisper(s.ws, U_AGENT, 'Waits for an approver'));
    expect(own.split('“main” was taken for Main SMS route.')).toHaveLength(2);
  });
});

describe('a command that finds nothing', () => {
  it.each([
    ['/numbers', 'order xyz', /No order matches “xyz”/, 'subscriber'],
    ['/webhook', 'get x', /too short to find a webhook/, 'fits no field'],
    ['/message', 'get TMID-000', /Message TMID-000 not found/, 'number matches'],
    ['/packages', 'get PKID-9999', /Package PKID-9999 not found/, 'could not be read'],
  ])('names what it looked for: %s %s', async (command, line, answer, without) => {
    const s = await stage({ CONFIRM_OWN: false });
    await s.type(command, line);
    expect(shown(await whisper(s.ws, U_AGENT, answer))).not.toContain(without);
  });

  it('says in its form that there is no such record', async () => {
    const s = await stage({ CONFIRM_OWN: false });
    await s.type('/packages', 'update PKID-9999');
    await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
    expect(form(s)).toContain('No package “PKID-9999” was found. Choose one.');
    expect(form(s)).not.toContain('could not be read');
  });
});

describe('a guide', () => {
  it('is offered to those who may start it', async () => {
    const s = await stage({ CONFIRM_OWN: false });
    await s.type('/guide', '', U_VIEW);
    const list = shown(await whisper(s.ws, U_VIEW, 'What do you want to do?'));
    expect(list).toContain('needs the role operator');
    expect(list).not.toContain('"Start"');
    await s.type('/guide', '');
    expect(shown(await whisper(s.ws, U_AGENT, 'What do you want to do?'))).toContain('"Start"');
  });
});

describe('a batch command that is not understood', () => {
  it.each(['foo', 'show', 'numbers statsu 0101 0103'])('offers the choice of an operation: %s', async (line) => {
    const s = await stage({ CONFIRM_OWN: false });
    await s.type('/batch', line);
    const answer = shown(await whisper(s.ws, U_AGENT, 'Choose what to do'));
    expect(answer).not.toContain('There is no group');
  });
});

describe('a plan', () => {
  it('is found by the line that has it', async () => {
    const s = await stage({ CONFIRM_OWN: false });
    await s.type('/subscriptions', 'get 0105');
    await whisper(s.ws, U_AGENT, 'Subscription');
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

  it('offers the line of full-width and Arabic digits, and not these digits', async () => {
    const s = await stage({ CONFIRM_OWN: false });
    await s.type('/numbers', 'update form');
    await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
    for (const typed of ['０１０１', '٠١٠١']) expect(await offered(s, 'Number', typed)).toHaveLength(1);
  });
});

describe('a form', () => {
  it('names a record without a name by what it belongs to', async () => {
    const s = await stage({ CONFIRM_OWN: false });
    await s.type('/subscriptions', 'update 0105');
    await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
    expect(form(s)).toContain('Ava Stone · (201) 555-0105');
  });

  it('takes a name that was typed into a list of numbers', async () => {
    const s = await stage({ CONFIRM_OWN: false });
    await s.type('/numbers', 'data usage set form');
    await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
    const several = await s.ws.submit({ user: U_AGENT, values: { PhoneNumbers: 'acme', LimitValue: '9000' } });
    expect(several.errors?.PhoneNumbers).toContain('Ava Stone · (201) 555-0101');
    const done = await s.ws.submit({ user: U_AGENT, values: { PhoneNumbers: '0101', LimitValue: '9000' } });
    expect(done).toMatchObject({ outcome: 'acked', body: '' });
    await whisper(s.ws, U_AGENT, 'Done: Set the data limits');
  });
});
