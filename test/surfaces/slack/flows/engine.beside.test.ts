import { expect, it } from 'vitest';
import { seeded } from '../../../support/seed.ts';
import { U_AGENT } from '../ids.ts';
import { shown, stage, until } from '../support.ts';

it.fails('a remedy that is pressed twice at once leaves no answer that says that it waits, once it is applied', async () => {
  const s = await stage();
  const actor = { id: 'cli:ana', name: 'Ana', role: 'approver', surface: 'cli', priority: 'person' } as const;
  const off = await s.gate.perform('numbers_update', { Number: seeded(1), MessageEnabled: false }, actor);
  if (off.kind === 'pending') await s.gate.confirm(off.action.id, actor, 'page');
  await s.type('/numbers', `why ${seeded(1)}`);
  await until(() => shown(s.whispers().at(-1)).includes('sb_run_0'), 'the remedy');
  const diagnosis = s.whispers().at(-1)?.ts ?? '';
  const press = (messageTs: string, actionId: string) => s.ws.click({ user: U_AGENT, messageTs, actionId });
  await Promise.all([press(diagnosis, 'sb_run_0'), press(diagnosis, 'sb_run_0')]);
  const waiting = () => s.whispers().filter((one) => shown(one).includes('sb_confirm'));
  await until(() => waiting().length > 0, 'the question');
  await s.settled();
  await press(waiting()[0]?.ts ?? '', 'sb_confirm');
  await until(() => s.whispers().some((one) => shown(one).includes('✅ Done')), 'the outcome');
  await s.settled();
  expect(waiting()).toEqual([]);
});
