import { beforeEach, describe, expect, it } from 'vitest';
import { loses } from '../../support/asking.ts';
import { FastClock } from '../../support/clock.ts';
import { PROVISION, seeded } from '../../support/seed.ts';
import { openWorld, type World } from '../../support/world.ts';

let world: World;
beforeEach(async () => {
  world = await openWorld({ MCP_TOOLSETS: 'all' }, new FastClock());
});

/** A new account, which no reading can find. */
const create = () =>
  loses(world, 'account_create', { AccountName: 'Lost' }, { path: '/v1.0/account/create', status: 500 });

describe('switchboard settle', () => {
  it.each([[], ['--not-done']])('reads the outcome now, and takes no word against it: %j', async (...word) => {
    const input = { PhoneNumbers: [{ Number: seeded(1) }], LimitValue: 30_000 };
    const id = await loses(world, 'numbers_data_usage_set', input, {
      path: '/v1.0/numbers/data-usage',
      dropAfterCommit: true,
    });
    const ran = await world.settle([id, ...word]);
    expect(ran.code).toBe(0);
    expect(ran.json()).toMatchObject({ id, status: 'done', result: { LimitValue: 30_000 } });
  });

  it('says what to do where no reading can tell', async () => {
    const id = await create();
    const ran = await world.settle([id]);
    expect([ran.code, ran.out]).toEqual([4, '']);
    expect(ran.error()).toMatchObject({ outcome: 'unknown' });
    expect(ran.error().message).toContain(`switchboard settle ${id} --done, or --not-done`);
  });

  it.each([
    ['--done', 'done', 'done'],
    ['--not-done', 'failed', 'not done'],
  ])('takes an approver’s word: %s', async (flag, status, said) => {
    const id = await create();
    const ran = await world.settle([id, flag]);
    expect([ran.code, ran.json().status]).toEqual([0, status]);
    const audit = await world.runtime.gate.actions.audit(5);
    expect(audit.find(({ what }) => what === status)).toMatchObject({
      who: 'ana (terminal)',
      detail: `ana looked and says that it was ${said}.`,
    });
    // A second word changes nothing.
    const again = await world.settle([id, flag === '--done' ? '--not-done' : '--done']);
    expect([again.code, again.json().status]).toEqual([status === 'done' ? 0 : 1, status]);
    expect(again.err).toContain(`It is ${status}, not unknown, so`);
  });

  it('says of a change for a later day that it is done, not that it is scheduled', async () => {
    const [year, month, day] = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10).split('-');
    const input = {
      StatusChange: 'park',
      PhoneNumbers: [{ Number: seeded(1) }],
      EffectiveDate: `${month}/${day}/${year}`,
    };
    const id = await loses(world, 'numbers_status', input, { path: '/v1.0/numbers/status', status: 500 });
    expect((await world.settle([id, '--done'])).json().status).toBe('done');
    const { Actions } = (await world.cli(['events_since', 'Since=1h'])).json();
    expect(Actions).toContainEqual(expect.objectContaining({ Id: id, State: 'done' }));
  });

  it('is for approvers', async () => {
    const id = await create();
    const ran = await world.settle([id, '--done'], 'operator');
    expect([ran.code, ran.error().code]).toEqual([2, 'forbidden_by_role']);
    expect((await world.runtime.gate.refresh(id)).state).toBe('unknown');
  });

  it('shows an action whose outcome is known, and refuses what is no id', async () => {
    const bought = await world.cli(['numbers_provision', '--json', JSON.stringify(PROVISION), '--yes']);
    expect(bought.code).toBe(0);
    const [action] = await world.runtime.gate.actions.list({ limit: 1, whole: true });
    expect((await world.settle([action?.id ?? ''])).json()).toMatchObject({ status: 'done' });
    for (const args of [[], ['one', 'two'], ['nonsense'], [action?.id ?? '', '--done', '--not-done']]) {
      const ran = await world.settle(args);
      expect([ran.code, ran.error().code]).toEqual([2, 'invalid_input']);
    }
    const unknown = await world.settle(['act_nobody']);
    expect([unknown.code, unknown.error().code]).toEqual([1, 'not_found']);
  });
});
