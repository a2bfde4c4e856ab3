import { expect, it } from 'vitest';
import { objects } from '../../../../src/demo/playground/types.ts';
import { record, shown, stage, U_AGENT, until, whisper } from '../support.ts';

type Stage = Awaited<ReturnType<typeof stage>>;

/** The values that the open form starts with, by field. */
function filledIn(s: Stage) {
  const [form] = s.ws.openViews(U_AGENT);
  return Object.fromEntries(
    objects(form?.definition.blocks).flatMap((block) => {
      const element = record(block.element);
      const value = element.initial_value ?? record(element.initial_option).value;
      return value === undefined ? [] : [[String(block.block_id).split('~')[0], value]];
    }),
  );
}

it.each([
  ['/packages', 'update starter Price=twelve', /^sb_form/, { PackageName: 'Starter' }],
  ['/numbers', 'find Account=acme', /^sb_form/, { AccountId: 'AID-00000000-0000-4000-8000-000000000001' }],
])('%s %s is not understood, and its form still has what was', async (command, typed, action, values) => {
  const s = await stage();
  await s.type(command, typed, U_AGENT);
  const answer = await whisper(s.ws, U_AGENT, '🤔');
  const button = objects(answer.blocks)
    .flatMap((block) => objects(block.elements))
    .find(({ action_id: id }) => action.test(String(id)));
  await s.ws.click({ user: U_AGENT, messageTs: answer.ts, actionId: String(button?.action_id) });
  await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
  await s.settled();
  expect(filledIn(s)).toMatchObject(values);
});

it('a day that is over is refused with the reason', async () => {
  const s = await stage();
  await s.type('/numbers', 'status 0101 StatusChange=park EffectiveDate=2026-11-01', U_AGENT);
  expect(shown(await whisper(s.ws, U_AGENT, 'not done'))).toContain('has passed');
});

it('the form names a value that it cannot take', async () => {
  const [value, says] = ['StatusChange=foo', 'Status change: must be'];
  const s = await stage();
  await s.type('/numbers', `status 0101 ${value}`, U_AGENT);
  await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
  expect(JSON.stringify(s.ws.openViews(U_AGENT)[0]?.definition.blocks)).toContain(says);
});
