import { expect, it } from 'vitest';
import { objects } from '../../../../src/demo/playground/types.ts';
import { record, type Stage, sharedStage, U_AGENT, U_LEAD, U_VIEW, whisper } from '../support.ts';

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

it('offers viewers nothing that they may not ask for', async () => {
  const s = stageOf();
  expect((await listed(s, '/account', 'packages', '1 package', U_VIEW)).rows).toEqual([
    ['Starter · 15 USD a month', ['Package details']],
  ]);
  expect((await listed(s, '/account', 'packages', '1 package', U_LEAD)).rows[0]?.[1]).toHaveLength(2);
});
