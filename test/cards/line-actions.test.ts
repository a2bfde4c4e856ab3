import { describe, expect, it } from 'vitest';
import type { Open } from '../../src/cards/card.ts';
import { fixAction, inputWith, type LineReader, lineActions } from '../../src/cards/line-actions.ts';
import type { Actor } from '../../src/lib/actor.ts';
import type { Fields } from '../../src/lib/json.ts';
import { groups } from '../../tools/groups.ts';
import { tools } from '../../tools/index.ts';

const PHONE = '+12015550101';
const OPERATOR: Actor = { id: 'slack:T1/U1', name: 'Ana', role: 'operator', surface: 'slack', priority: 'person' };
const ACTIVE: Fields = { Number: { Number: PHONE, Status: 'Active', AccountId: 'AID-1' } };
const GONE: Fields = { Number: { Number: PHONE, Status: 'Cancelled - Pending Delete' } };
const ESIM: Fields = { Number: { Number: PHONE, Status: 'Active', Iccid: '8901', activation: 'withheld' } };
const LIMIT: Open = {
  does: 'Set a higher limit. The form asks how much.',
  operation: 'numbers_data_usage_set',
  input: { PhoneNumbers: [{ Number: PHONE }] },
  needs: ['LimitValue'],
};
const READER: LineReader = { actor: OPERATOR, tools, groups, hasGuard: true };

function offered(value: Fields, reader: LineReader, more: { open?: Open; watched?: boolean } = {}) {
  return lineActions({ value, phone: PHONE, open: more.open, watched: more.watched ?? false }, reader);
}

const labels = (...given: Parameters<typeof offered>) => offered(...given).map(({ label }) => label);

describe('the actions of a number', () => {
  const rest = ['Watch', 'Call filters', 'Data used', 'Change a number', 'Cancel numbers', 'More actions…'];
  it.each<
    [what: string, value: Fields, reader: Partial<LineReader>, more: { open?: Open; watched?: boolean }, string[]]
  >([
    ['in service', ACTIVE, {}, {}, ['Why?', 'Send a message', ...rest]],
    ['that is watched', ACTIVE, {}, { watched: true }, ['Why?', 'Send a message', 'Stop watching', ...rest.slice(1)]],
    ['with trouble', ACTIVE, {}, { open: LIMIT }, ['Set a higher limit', 'Why?', 'Send a message', ...rest]],
    ['that is cancelled', GONE, {}, {}, ['Reactivate', 'More actions…']],
    [
      'for a viewer',
      ACTIVE,
      { actor: { ...OPERATOR, role: 'viewer' } },
      {},
      ['Why?', ...rest.slice(1, 3), rest[5] ?? ''],
    ],
    ['on a shared card', ACTIVE, { isShared: true, handle: 'h' }, {}, []],
    ['for nobody', ACTIVE, { actor: undefined, handle: 'h' }, {}, ['Details', 'Share']],
  ])('%s', (_, value, reader, more, expected) => {
    expect(labels(value, { ...READER, ...reader }, more)).toEqual(expected);
  });

  it('has the code of an eSIM after the two most wanted steps, and the details last', () => {
    const shown = labels(ESIM, { ...READER, handle: 'h' });
    expect(shown.slice(0, 4)).toEqual(['Why?', 'Send a message', 'Show QR code', 'Swap SIM']);
    expect(shown.slice(-3)).toEqual(['More actions…', 'Details', 'Share']);
    for (const reader of [READER, { ...READER, handle: 'h', actor: { ...OPERATOR, role: 'viewer' } as const }])
      expect(labels(ESIM, reader)).not.toContain('Show QR code');
  });

  it('has no step for a service that the line lacks, and none for a subscriber that it lacks', () => {
    const record = { ...(ACTIVE.Number as Fields), MessageEnabled: false, DataEnabled: false };
    const shown = labels({ Number: record }, READER);
    expect(shown).not.toContain('Send a message');
    expect(shown).not.toContain('Data used');
    const orphan = { Number: { ...(ACTIVE.Number as Fields), AssignedSubscriberId: null } };
    const menu = offered(orphan, READER).find(({ id }) => id === 'moreSteps')?.options ?? [];
    expect(JSON.stringify(menu)).toContain(`numbers_update|${PHONE}`);
    expect(JSON.stringify(menu)).not.toContain('blocked_numbers_add');
  });

  it('opens the form of all filters only where there is one', () => {
    const held = { Number: { Number: PHONE, Status: 'Active', AssignedSubscriberId: 'TSUID-1' } };
    expect(labels(held, READER)).toContain('Guard');
    expect(labels(held, { ...READER, hasGuard: false })).not.toContain('Guard');
  });

  it('carries the number, and its account where the operation takes one', () => {
    const values = offered(GONE, READER).map(({ id, value }) => [id, value]);
    expect(values[0]).toEqual(['fill', `numbers_reactivate|{"PhoneNumber":"${PHONE}"}`]);
    const owned = { Number: { ...(GONE.Number as Fields), AccountId: 'AID-1' } };
    expect(offered(owned, READER)[0]?.value).toContain('"AccountId":"AID-1"');
  });

  it('has each operation that takes a number and fits its state in the menu', () => {
    const menuOf = (value: Fields) =>
      offered(value, READER)
        .find(({ id }) => id === 'moreSteps')
        ?.options?.flatMap(({ choices }) => choices.map((choice) => choice.value));
    expect(menuOf(ACTIVE)).toContain(`numbers_cancel|${PHONE}`);
    expect(menuOf(GONE)).not.toContain(`numbers_cancel|${PHONE}`);
    expect(menuOf(GONE)).toContain(`numbers_reactivate|${PHONE}`);
    expect(menuOf(ACTIVE)).not.toContain(`numbers_lookup|${PHONE}`);
  });
});

it.each([
  ['a line with all services', ACTIVE, ['Send a message', 'Set data limits', 'Block message contacts'], []],
  [
    'a line whose texts and data are off',
    { Number: { PhoneNumber: PHONE, Status: 'Active', MessageEnabled: false, DataEnabled: false } },
    ['Block message contacts'],
    ['Send a message', 'Set data limits', 'Data used'],
  ],
  [
    'a released line',
    { Number: { PhoneNumber: PHONE, Status: 'Cancelled' } },
    ['Messages of a number'],
    ['Block callers', 'Unblock message contacts', 'Watch a number'],
  ],
])('the menu of %s has what it can do', (_, value, has, hasNot) => {
  const menu = offered(value, READER).find(({ options }) => options !== undefined);
  const choices = (menu?.options ?? []).flatMap((group) => group.choices.map(({ label }) => label));
  expect(choices).toEqual(expect.arrayContaining(has));
  for (const label of hasNot) expect(choices).not.toContain(label);
});

describe('the fix of a finding', () => {
  const reactivate = tools.find(({ id }) => id === 'numbers_reactivate');
  const REACTIVATE = {
    does: 'Reactivate it for 5 USD.',
    operation: 'numbers_reactivate',
    input: { PhoneNumber: PHONE },
    needs: [],
  };
  const read = tools.find(({ id }) => id === 'numbers_diagnose');
  const change = tools.find(({ id }) => id === 'numbers_data_usage_set');
  it.each([
    ['opens a form', LIMIT, change, ['fill', 'Set a higher limit']],
    ['asks about a change whose values are known', REACTIVATE, reactivate, ['run', 'Reactivate it for 5 USD']],
    [
      'opens a form for what is left to choose',
      { ...REACTIVATE, needs: ['AccountId'] },
      reactivate,
      ['fill', 'Reactivate it for 5 USD'],
    ],
    ['runs a read', { ...LIMIT, does: '' }, read, ['run', 'Put it right']],
    ['is not offered', LIMIT, undefined, [undefined, undefined]],
  ] as const)('%s', (_, open, tool, expected) => {
    const fix = fixAction(open, tool);
    expect([fix?.id, fix?.label]).toEqual(expected);
  });
});

it('fills the field of an operation that takes a number', () => {
  const filled = (id: string) => inputWith(tools.find((tool) => tool.id === id) as (typeof tools)[number], PHONE);
  expect(filled('numbers_reactivate')).toEqual({ PhoneNumber: PHONE });
  expect(filled('numbers_cancel')).toEqual({ PhoneNumbers: [{ Number: PHONE }] });
  expect(filled('distributor_accounts_get')).toEqual({});
  // The contacts of a filter are others.
  expect(filled('subscribers_message_filter_blocked_contacts_add')).toEqual({ SubscriberId: PHONE });
  expect(filled('message_outbound')).toEqual({ To: [{ Number: PHONE }] });
});
