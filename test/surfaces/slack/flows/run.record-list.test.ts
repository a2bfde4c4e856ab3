import { expect, it } from 'vitest';
import { objects } from '../../../../src/demo/playground/types.ts';
import { record, type Stage, sharedStage, U_AGENT, U_LEAD, U_VIEW, until, whisper } from '../support.ts';

const stageOf = sharedStage();

/* Lists of records as sentences, each with what can be done with it. */

/** The sentences of the list in the newest answer, and the texts of the menu beside each. */
async function listed(s: Stage, command: string, line: string, title: string, user: string = U_AGENT) {
  await s.type(command, line, user);
  const message = await whisper(s.ws, user, title);
  const rows = objects(message.blocks).filter(({ type }) => type === 'section');
  return {
    message,
    rows: rows.map(({ text, accessory }) => [
      String(record(text).text),
      objects(record(accessory).options).map((option) => String(record(option.text).text)),
    ]),
  };
}

it('opens the form of a change, filled in, and its details as a table', async () => {
  const s = stageOf();
  const { message } = await listed(s, '/account', 'packages', '1 package');
  const [row] = objects(message.blocks).filter(({ type }) => type === 'section');
  const [change] = objects(record(row?.accessory).options);
  const at = { user: U_AGENT, messageTs: message.ts };
  await s.ws.click({ ...at, actionId: String(record(row?.accessory).action_id), value: String(change?.value) });
  await until(() => s.ws.openViews(U_AGENT).length === 1, 'the form');
  expect(JSON.stringify(s.ws.openViews(U_AGENT)[0]?.definition)).toContain('Starter line');
  await s.ws.click({ ...at, actionId: 'sb_page' });
  await whisper(s.ws, U_AGENT, 'PKID-00000000-0000-4000-8000-000000000001');
});

it('offers viewers nothing that they may not ask for', async () => {
  const s = stageOf();
  expect((await listed(s, '/account', 'packages', '1 package', U_VIEW)).rows).toEqual([
    ['Starter · 15 USD a month', ['Package details']],
  ]);
  expect((await listed(s, '/account', 'packages', '1 package', U_LEAD)).rows[0]?.[1]).toHaveLength(2);
});
