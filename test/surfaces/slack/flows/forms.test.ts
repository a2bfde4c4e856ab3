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

function press(s: Stage, actionId: string) {
  return s.ws.click({ user: U_AGENT, view: true, actionId });
}

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
    const { ts } = await whisper(s.ws, U_AGENT, 'sb_confirm');
    await s.ws.click({ user: U_AGENT, messageTs: ts, actionId: 'sb_confirm' });
    await whisper(s.ws, U_AGENT, 'Done: Create the package');
    const [sent] = (await s.requests('/packages')).slice(-1);
    expect(sent?.status).toBe(200);
    expect(JSON.stringify(record(await s.control('state')).packages)).toContain(PRODUCT);
    expect(s.ws.warnings()).toEqual([]);
  });
});
