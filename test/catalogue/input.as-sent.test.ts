import { describe, expect, it } from 'vitest';
import { parseInput } from '../../src/catalogue/input.ts';
import type { Tool } from '../../src/catalogue/operation.ts';
import { asSwitchboardError } from '../../src/lib/errors.ts';
import { tools } from '../../tools/index.ts';
import { rows } from './arguments.ts';

const NOW = new Date('2026-11-20T12:00:00Z');

describe('the catalogue', () => {
  it.each(rows)('reads $sentence', ({ operation, given, means, refused }) => {
    const tool = tools.find(({ id }) => id === operation) as Tool;
    try {
      expect(parseInput(tool, given, NOW)).toEqual(means);
    } catch (error) {
      if (!refused) throw error;
      const { code, field, message } = asSwitchboardError(error).face;
      expect({ code, field }).toEqual({ code: 'invalid_input', field: refused.field });
      expect(message).toMatch(refused.message);
    }
  });

  it('takes the two names that the platform has for one member', () => {
    const read = (operation: string, given: object) =>
      parseInput(tools.find(({ id }) => id === operation) as Tool, given, NOW);
    const CallRouteID = 'CRID-00000000-0000-4000-8000-000000000001';
    expect(read('voice_routes_get', { CallRouteId: CallRouteID })).toEqual({ CallRouteID });
    const line = { SubscriberId: 'TSUID-1', PackageId: 'PKID-1', Type: 'Mvno' };
    expect(read('subscriptions_create', { ...line, PhoneNumberId: 'NID-1' })).toMatchObject({ ...line, TNID: 'NID-1' });
    // Both at once are two members.
    expect(() => read('voice_routes_get', { CallRouteID, CallRouteId: CallRouteID })).toThrow('CallRouteId');
  });
});
