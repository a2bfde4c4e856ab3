import { expect, it } from 'vitest';
import { card, record, shown, stage, U_AGENT, U_LEAD, until, whisper } from '../support.ts';

const TSUID = 'TSUID-00000000-0000-4000-8000-000000000001';
const PATH = '/subscribers/message-filter';

it('a message filter with the wrong direction is corrected and read back', async () => {
  const s = await stage({ CONFIRM_OWN: false });
  await s.type('/subscribers', `guardian-features set ${TSUID} EnableIntelligentGuardianMessages=yes`);
  await whisper(s.ws, U_AGENT, '✅');
  await s.type(
    '/subscribers',
    `message-filter create SubscriberId=${TSUID} Phone=+12015550101 FilterMode=ADOLESCENT BlockLinks=yes ApplyToOutbound=yes`,
  );
  await whisper(s.ws, U_AGENT, /Done[^:]*: Create a message filter/);
  const [made] = record(await s.control('state')).messageFilters as unknown[];
  const { FilterId } = record(made);

  // The direction that was missing is added at once; nothing is lost.
  await s.type('/subscribers', `message-filter update ${FilterId} ApplyToInbound=yes`);
  await until(async () => (await s.requests(`${PATH}/update`)).length === 1, 'the update');
  await s.settled();
  const filter = async () => {
    const { messageFilters } = record(await s.control('state'));
    return record((messageFilters as unknown[])[0]);
  };
  expect(record((await filter()).fields)).toMatchObject({
    ApplyToInbound: true,
    ApplyToOutbound: true,
    BlockLinks: true,
  });

  // The wrong direction is still a protection, so an approver is asked before it is taken away.
  await s.type('/subscribers', `message-filter update ${FilterId} ApplyToOutbound=no`);
  const found = await card(s.ws);
  for (const text of ['the message filter of +12015550101', 'Ava Stone', 'Apply to outbound'])
    expect(shown(found)).toContain(text);
  expect(await s.requests(`${PATH}/update`)).toHaveLength(1);
  await s.ws.click({ user: U_LEAD, messageTs: found.ts, actionId: 'sb_confirm' });
  await until(() => s.ws.message(found.ts)?.text.includes('Done') === true, 'the end');

  await s.type('/subscribers', `message-filter SubscriberId=${TSUID}`);
  expect(shown(await whisper(s.ws, U_AGENT, /Adolescent/))).toContain('incoming only. Blocked are links.');
  expect(record((await filter()).fields)).toMatchObject({
    ApplyToInbound: true,
    ApplyToOutbound: false,
    BlockLinks: true,
  });
  expect(s.ws.warnings()).toEqual([]);
});
