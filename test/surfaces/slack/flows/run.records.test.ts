import { expect, it } from 'vitest';
import { forPeople } from '../../../snapshots/diary.ts';
import { C_SUPPORT, type Stage, stage, U_AGENT, U_VIEW, whisper } from '../support.ts';

/* The records that a command reads: what people read first, and ids, which they copy, under Details. */

const id = (prefix: string) => `${prefix}-00000000-0000-4000-8000-000000000001`;

/** The lines of the answer to this command, as a person reads them. */
async function answered(
  s: Stage,
  command: string,
  text: string,
  says: RegExp,
  user: string = U_AGENT,
): Promise<string[]> {
  await s.type(command, text, user, C_SUPPORT);
  return forPeople(await whisper(s.ws, user, says)).split('\n');
}

it('has the ids of a record under Details', async () => {
  const lines = await answered(await stage(), '/packages', 'get PackageId=starter', /Package details/);
  expect(lines.filter((line) => /PKID-|DID-|AGID-/.test(line))).toEqual([
    `~ Details  Package \`${id('PKID')}\` · Distributor \`DID-sandbox\` · Aggregator \`${id('AGID')}\``,
  ]);
  expect(lines).toContain('*Package name*  Starter');
  expect(lines.filter((line) => line.endsWith('  Starter'))).toHaveLength(1);
});

it('offers whoever may ask for it the correction of an order that was refused', async () => {
  const s = await stage();
  await s.control('orders', {
    OrderId: id('JNUOID'),
    Status: 'Rejected',
    ErrorMessage: '8A-ACCOUNT_NUM_REQ_OR_INCORRECT',
  });
  const own = await answered(s, '/numbers', `order ${id('JNUOID')}`, /Order status/);
  expect(own).toContain('[Correct and re-submit]');
  expect(own).toContain('*Correct*  Current account number');
  const others = await answered(s, '/numbers', `order ${id('JNUOID')}`, /Order status/, U_VIEW);
  expect(others).not.toContain('[Correct and re-submit]');
});
