import { describe, expect, it } from 'vitest';
import { type Stage, sharedStage, shown, U_AGENT, until, whispers } from '../support.ts';

/* Commands whose words are no operation, in the words of people. */

/** All that the person sees after a command. */
async function seen(s: Stage, command: string, line: string, says: RegExp | string): Promise<string> {
  await s.type(command, line);
  const all = () =>
    [
      ...whispers(s.ws, U_AGENT).map(shown),
      ...s.ws.openViews(U_AGENT).map((view) => JSON.stringify(view.definition)),
    ].join('\n');
  await until(
    () => (typeof says === 'string' ? all().includes(says) : says.test(all())),
    `${command} ${line}: ${says}`,
  );
  return all();
}

describe('the words of a command', () => {
  const stageOf = sharedStage();

  it.each([
    ['/numbers', 'limits 0105', /Data limits/],
    ['/numbers', 'usage 0101', /Data used/],
    ['/numbers', 'data limits 0101', /Data limits/],
    ['/numbers', 'data used by 0101', /Data used/],
    ['/webhook', 'list', /Webhooks of an account/],
    ['/packages', 'list', /Packages of the account/],
    ['/packages', 'show all', /Packages of the account/],
    ['/message', 'routes list', /1 message route/],
    ['/voice', 'routes list', /1 voice route/],
    ['/events', '12h', /the last 12 hours\./],
    ['/events', 'since 3 weeks', /the last 21 days\.(?! Not taken)/],
    ['/events', 'since 1 week', /the last 7 days\.(?! Not taken)/],
    ['/webhook', 'list', /No webhooks/],
    ['/subscribers', 'list', /All subscribers|Ava Stone/],
    ['/numbers', 'pause 0103', /Park \(201\) 555-0103/],
    ['/number', '0102 why', /Why a number cannot send SMS/],
    ['/number', '0101 limit 1gb', /1024 MB \(1 GB\)/],
    ['/number', '0101?', /Ava Stone · \(201\) 555-0101/],
    ['/numbers', 'data usage set 0101 500mb', /500 MB/],
    ['/numbers', 'update 0101 caller name Bob', /Caller first name[\s\S]*Bob/],
    ['/numbers', 'why 0102 no sms', /Why a number cannot send SMS/],
    ['/numbers', 'list cancelled', /2 numbers found/],
    ['/numbers', 'active', /state: Active/],
    ['/numbers', 'park 0104 tomorrow', /Effective date/],
    ['/numbers', 'cancle the line 0104 reason="lost phone"', /the reason “lost phone”/],
    ['/subscribers', 'find ava', /ava@acme\.example/],
    ['/account', 'details acme', /Acme Mobile/],
    ['/packages', 'show starter', /15 USD/],
    ['/subscriptions', 'who is on starter', /plan: starter/],
    ['/subscribers', 'create Joe Blow joe@x.example', /Joe Blow[\s\S]*joe@x\.example/],
    ['/numbers', 'plan 0105', /Ava Stone · \(201\) 555-0105/],
    ['/numbers', 'block 3125550199 for 0102', /has no call filter yet/],
    ['/numbers', 'find voip', /product: voip/],
    ['/numbers', 'find suspended', /state: Parked/],
    ['/numbers', 'assign 0110 "ava stone"', /Assigned subscriber[\s\S]*Ava Stone/],
    ['/packages', 'give starter 0103', /Subscribe a number to a package[\s\S]*Starter · 15 USD a month/],
    ['/packages', 'assign starter 0110', /\(201\) 555-0110 has no subscriber/],
    ['/packages', 'remove starter 0105', /End a subscription/],
    ['/batch', 'park acme', /Status change[\s\S]*park/],
    ['/batch', 'set 10gb on all acme lines', /Open the list/],
  ])('are read as plain words: %s %s', async (command, line, says) => {
    const s = stageOf();
    const text = await seen(s, command, line, says);
    expect(text).not.toContain('There is no operation');
    await until(
      () => !whispers(s.ws, U_AGENT).some((one) => shown(one).includes('Looking that up…')),
      'the answer alone',
    );
  });

  it.each([
    ['/packages', 'update family', /Change a package/],
    ['/packages', 'update starter', /Change a package/],
    ['/products', 'update esim', /Change a product/],
  ])('open the form of a record that is named: %s %s', async (command, line, says) => {
    const s = stageOf();
    const text = await seen(s, command, line, says);
    expect(text).not.toMatch(/❌|fits no field/);
  });

  it('name no list where a group makes no such record', async () => {
    const text = await seen(stageOf(), '/workgroups', 'create form', 'There is no operation');
    expect(text).toContain('/workgroups create');
  });

  it('name the order of a number that is being ported in', async () => {
    const s = stageOf();
    await s.type('/numbers', 'order 3125550190');
    const text = await seen(s, '/numbers', 'order 3125550190', /No order matches|Order status/);
    expect(text).not.toContain('fits no field');
  });

  it.each(['find zzz', 'find 99'])('are a search where they name no criterion: %s', async (line) => {
    const s = stageOf();
    const text = await seen(s, '/numbers', line, new RegExp(`No number matches “${line.slice(5)}”`));
    expect(text).not.toContain('Understood: Find numbers');
  });

  it('offer what an unclear word may mean, with the numbers of the line', async () => {
    const s = stageOf();
    const { body } = await s.type('/numbers', 'release 0103 0104');
    expect(body).toMatch(/Cancel numbers[\s\S]*End a hold[\s\S]*Set a port-out PIN/);
    const { ts = '' } = (await whispers(s.ws, U_AGENT)).at(-1) ?? {};
    await s.ws.click({ user: U_AGENT, messageTs: ts, actionId: 'sb_fill_1' });
    await until(() => s.ws.openViews(U_AGENT).length > 0, 'the form');
    const form = JSON.stringify(s.ws.openViews(U_AGENT).at(-1)?.definition);
    expect(form).toContain('+12015550103\\n+12015550104');
    expect(form).toContain('Cancel numbers');
  });

  it('offer the three nearest operations where nothing fits', async () => {
    const s = stageOf();
    const { body } = await s.type('/numbers', 'thingamajig the data of everybody');
    expect(body).toMatch(/Nearest to what you wrote/);
  });
});
