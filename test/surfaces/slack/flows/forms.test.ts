import { describe, expect, it } from 'vitest';
import { enterAll } from '../../../../src/demo/playground/forms.ts';
import { objects } from '../../../../src/demo/playground/types.ts';
import { record, type Stage, stage, U_AGENT, until, whisper } from '../support.ts';

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
