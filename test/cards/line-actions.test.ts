import { describe, expect, it } from 'vitest';
import type { Open } from '../../src/cards/card.ts';
import { type LineReader, lineActions } from '../../src/cards/line-actions.ts';
import type { Actor } from '../../src/lib/actor.ts';
import type { Fields } from '../../src/lib/values.ts';
import { groups } from '../../tools/groups.ts';
import { tools } from '../../tools/index.ts';

const PHONE = '+12015550101';
const OPERATOR: Actor = { id: 'slack:T1/U1', name: 'Ana', role: 'operator', surface: 'slack', priority: 'person' };
const ACTIVE: Fields = { Number: { Number: PHONE, Status: 'Active', AccountId: 'AID-1' } };
const GONE: Fields = { Number: { Number: PHONE, Status: 'Cancelled - Pending Delete' } };
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
  const rest = ['Watch', 'Change a number', 'Cancel a line', 'More actions…'];
  it.each<
    [what: string, value: Fields, reader: Partial<LineReader>, more: { open?: Open; watched?: boolean }, string[]]
  >([
    ['in service', ACTIVE, {}, {}, ['Why?', 'Send a message', ...rest]],
    ['that is watched', ACTIVE, {}, { watched: true }, ['Why?', 'Send a message', 'Stop watching', ...rest.slice(1)]],
    ['with trouble', ACTIVE, {}, { open: LIMIT }, ['Set a higher limit', 'Why?', 'Send a message', ...rest]],
    ['that is cancelled', GONE, {}, {}, ['Reactivate', 'More actions…']],
    ['for a viewer', ACTIVE, { actor: { ...OPERATOR, role: 'viewer' } }, {}, ['Why?', 'More actions…']],
    ['on a shared card', ACTIVE, { isShared: true, handle: 'h' }, {}, []],
    ['for nobody', ACTIVE, { actor: undefined, handle: 'h' }, {}, ['Details', 'Share']],
  ])('%s', (_, value, reader, more, expected) => {
    expect(labels(value, { ...READER, ...reader }, more)).toEqual(expected);
  });
});
