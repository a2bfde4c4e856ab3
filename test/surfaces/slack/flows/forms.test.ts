import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../../../../src/catalogue/fields.ts';
import { enterAll } from '../../../../src/demo/playground/forms.ts';
import { objects } from '../../../../src/demo/playground/types.ts';
import { tools } from '../../../../tools/index.ts';
import { programFields } from '../../../../tools/surfaces/forms.ts';
import { card, record, type Stage, shown, stage, U_AGENT, until, whisper } from '../support.ts';

/* Forms whose fields change while they are open, and lists that are typed as lines. */

const TSUID = 'TSUID-00000000-0000-4000-8000-000000000001';
const PRODUCT = 'PRID-00000000-0000-4000-8000-000000000002';

async function opened(command: string, line: string): Promise<Stage> {
  const s = await stage();
  await s.type(command, line);
  await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
  return s;
}

function blocks(s: Stage): string[] {
  const definition = record(s.ws.openViews(U_AGENT).at(-1)?.definition);
  return objects(definition.blocks).flatMap(({ type, block_id }) => (type === 'input' ? [String(block_id)] : []));
}

function typed(s: Stage): Record<string, unknown> {
  const entered = s.ws.openViews(U_AGENT).at(-1)?.entered ?? new Map<string, Record<string, unknown>>();
  return Object.fromEntries([...entered].map(([key, state]) => [key.split('/')[0], state.value]));
}

/** Types into the open form, without a request. */
function enter(s: Stage, values: Record<string, string>): void {
  const view = s.ws.openViews(U_AGENT).at(-1);
  if (!view) throw new Error('no form is open');
  enterAll(view, values);
}

function choose(s: Stage, blockId: string, value: string) {
  return s.ws.click({ user: U_AGENT, view: true, actionId: 'sb_value', blockId, value });
}

function press(s: Stage, actionId: string) {
  return s.ws.click({ user: U_AGENT, view: true, actionId });
}

describe('fields that a choice makes needless', () => {
  it('disappear and come back, and what was typed stays', async () => {
    const s = await opened('/voice', 'routes create form');
    expect(blocks(s)).not.toContain('TrunkIp1');
    await choose(s, 'RouteType', 'Trunk');
    await until(() => blocks(s).includes('TrunkIp1'), 'fields of a trunk');
    expect(blocks(s)).not.toContain('VoiceUrl');
    enter(s, { RouteName: 'Main', TrunkIp1: '192.0.2.10' });

    await choose(s, 'RouteType', 'URL');
    await until(() => blocks(s).includes('VoiceUrl'), 'fields of a URL');
    expect(blocks(s)).not.toContain('TrunkIp1');
    expect(typed(s).RouteName).toBe('Main');
    await choose(s, 'VoiceAuthenticationType', 'Basic');
    await until(() => blocks(s).includes('VoiceUsername'), 'the user name');

    await choose(s, 'RouteType', 'Trunk');
    await until(() => blocks(s).includes('TrunkIp1'), 'fields of a trunk');
    expect(blocks(s)).not.toContain('VoiceUsername');
    const sent = await s.ws.submit({ user: U_AGENT });
    expect(sent).toMatchObject({ outcome: 'acked', body: '' });
    await whisper(s.ws, U_AGENT, 'CRID-');
    const { voiceRoutes } = record(await s.control('state'));
    const made = (voiceRoutes as unknown[]).map(record).find((route) => JSON.stringify(route).includes('"Main"'));
    expect(JSON.stringify(made)).toContain('192.0.2.10');
    expect(s.ws.warnings()).toEqual([]);
  });
});

describe('values that are known', () => {
  it('are boxes where several may be chosen, and are sent as one text', async () => {
    const s = await opened('/webhook', 'create WebhookUrl=https://example.com/hook SubscribedEvents=New_Sms form');
    const [, boxes] = objects(s.ws.openViews(U_AGENT)[0]?.definition.blocks).filter(({ type }) => type === 'input');
    const { type, options, initial_options } = record(boxes?.element);
    expect(type).toBe('checkboxes');
    expect(objects(options).map(({ value }) => value)).toContain('Call_On_Hold');
    expect(JSON.stringify(options)).toContain('"Call on hold"');
    expect(objects(initial_options).map(({ value }) => value)).toEqual(['New_Sms']);
    const none = await s.ws.submit({ user: U_AGENT, values: { SubscribedEvents: [] } });
    expect(Object.keys(none.errors ?? {})).toEqual(['SubscribedEvents']);
    await s.ws.submit({ user: U_AGENT, values: { SubscribedEvents: ['Order_Update', 'Call_On_Hold'] } });
    expect(shown(await card(s.ws))).toMatch(/Order_Update, ?Call_On_Hold/);
    expect(s.ws.warnings()).toEqual([]);
  });

  it('of programs alone are asked for only if they were given', async () => {
    for (const [id, names] of Object.entries(programFields)) {
      const tool = tools.find((one) => one.id === id);
      expect((tool ? fieldsOf(tool) : []).map(({ name }) => name)).toEqual(expect.arrayContaining([...names]));
    }
    expect(blocks(await opened('/numbers', 'inventory form'))).not.toContain('Fields');
    expect(blocks(await opened('/numbers', 'inventory Fields=Number form'))).toContain('Fields');
  });
});

describe('rows', () => {
  it('are added and removed, and keep what was typed', async () => {
    const s = await opened('/packages', 'create PackageName="Family line" Type=esim Price=20 form');
    expect(blocks(s).filter((path) => path.startsWith('PackageItems'))).toEqual([]);
    await press(s, 'sb_row_more');
    await until(() => blocks(s).includes('PackageItems.0.ProductId'), 'the first row');
    const offered = { user: U_AGENT, view: true as const, actionId: 'sb_pick', blockId: 'PackageItems.0.ProductId' };
    await s.ws.suggest({ ...offered, value: PRODUCT });
    const first = { 'PackageItems.0.ProductId': PRODUCT, 'PackageItems.0.Price': '9.00' };
    enter(s, { ...first, Monthly: 'true' });
    await press(s, 'sb_row_more');
    await until(() => blocks(s).includes('PackageItems.1.ProductId'), 'the second row');
    expect(typed(s)['PackageItems.0.Price']).toBe('9.00');

    const wrong = await s.ws.submit({ user: U_AGENT });
    expect(Object.keys(wrong.errors ?? {})).toEqual(['PackageItems.1.ProductId']);
    await press(s, 'sb_row_less');
    await until(() => !blocks(s).includes('PackageItems.1.ProductId'), 'one row');
    expect(await s.ws.submit({ user: U_AGENT })).toMatchObject({ outcome: 'acked', body: '' });
    await whisper(s.ws, U_AGENT, 'Done: Create the package');
    const [sent] = (await s.requests('/packages')).slice(-1);
    expect(sent?.status).toBe(200);
    expect(JSON.stringify(record(await s.control('state')).packages)).toContain(PRODUCT);
    expect(s.ws.warnings()).toEqual([]);
  });
});

describe('lines', () => {
  it('take a second value after a colon', async () => {
    const s = await opened('/numbers', 'status StatusChange=swap-sim form');
    const date = { EffectiveDate: '2031-01-06' };
    const bare = await s.ws.submit({ user: U_AGENT, values: { PhoneNumbers: '+12015550101', ...date } });
    expect(JSON.stringify(bare.json)).toContain('+12015550101: 8901240397190195850');
    const PhoneNumbers = '+12015550101: 8901240397190195850';
    expect(await s.ws.submit({ user: U_AGENT, values: { PhoneNumbers } })).toMatchObject({ body: '' });
    expect(shown(await card(s.ws))).toContain('8901240397190195850');
  });

  it('stand for keyword rules, which are sent as the platform takes them', async () => {
    const rules = '{"CustomKeywords":["drugs"],"SeverityMap":{"drugs":"HIGH"}}';
    const s = await opened('/subscribers', `message-filter create SubscriberId=${TSUID} KeywordFilter='${rules}' form`);
    const definition = JSON.stringify(s.ws.openViews(U_AGENT).at(-1)?.definition);
    expect(definition).toContain('drugs: HIGH');
    await s.ws.suggest({ user: U_AGENT, view: true, actionId: 'sb_pick', blockId: 'Phone', value: '+12015550101' });
    const KeywordFilter = 'drugs: high\nmeet me alone';
    const values = { Phone: '+12015550101', FilterMode: 'ACTIVE', ApplyToInbound: 'true', KeywordFilter };
    expect(await s.ws.submit({ user: U_AGENT, values })).toMatchObject({ outcome: 'acked', body: '' });
    await s.settled();
    const { shown: sent } = (await s.gate.actions.list({ limit: 1 }))[0] ?? {};
    expect(JSON.parse(String(record(sent).KeywordFilter))).toEqual({
      CustomKeywords: ['drugs', 'meet me alone'],
      SeverityMap: { drugs: 'HIGH' },
    });
  });
});
