import { describe, expect, it } from 'vitest';
import { entitiesIn } from '../../src/nlu/entities.ts';

/** 23:30 on a Sunday in Denver; Monday in UTC. */
const moment = { now: Date.parse('2026-11-23T06:30:00Z'), zone: 'America/Denver' };

const valuesIn = (text: string) =>
  entitiesIn(text, moment).map(({ kind, value }) => [kind, typeof value === 'object' ? value.iso : value]);

describe('entities', () => {
  it.each([
    [
      '0103 and +1 (201) 555-0104',
      [
        ['line', '0103'],
        ['phone', '+12015550104'],
      ],
    ],
    [
      '201.555.0104, 2015550105',
      [
        ['phone', '+12015550104'],
        ['phone', '+12015550105'],
      ],
    ],
    ['iccid 8901 2601 1112 2223 3334', [['iccid', '89012601111222233334']]],
    [
      '5 gb, 1.5gb, 500 mb, 2 gigs',
      [
        ['volume', 5120],
        ['volume', 1536],
        ['volume', 500],
        ['volume', 2048],
      ],
    ],
    [
      '128 kbps and 1mbps',
      [
        ['speed', '128-kbps'],
        ['speed', '1-mbps'],
      ],
    ],
    [
      '$12.50 or 9 dollars',
      [
        ['money', 12.5],
        ['money', 9],
      ],
    ],
    [
      'zip 60614, area 312, 4 lines',
      [
        ['zip', '60614'],
        ['area', '312'],
        ['count', 4],
      ],
    ],
    ['tsuid-00000000-0000-4000-8000-000000000001', [['id', 'TSUID-00000000-0000-4000-8000-000000000001']]],
    [
      'mail ann@acme.example or https://acme.example/in.',
      [
        ['email', 'ann@acme.example'],
        ['url', 'https://acme.example/in'],
      ],
    ],
    ['trunk at 203.0.113.9', [['ip', '203.0.113.9']]],
    ['say “on its way”', [['text', 'on its way']]],
    ["it's ben's", []],
    ['tomorrow', [['day', '2026-11-23']]],
    ['today', [['day', '2026-11-22']]],
    ['next friday', [['day', '2026-11-27']]],
    ['on dec 14', [['day', '2026-12-14']]],
    ['may i warn at 4', [['count', 4]]],
  ])('of “%s”', (text, expected) => {
    expect(valuesIn(text)).toEqual(expected);
  });

  it('are spans of the text that do not overlap', () => {
    const text = 'port 3125550111 to Ava by monday 5 pm, 10 gb for $20, "all of 0103"';
    const entities = entitiesIn(text, moment);
    for (const [at, { from, to }] of entities.entries()) {
      expect(to).toBeGreaterThan(from);
      expect(from).toBeGreaterThanOrEqual(entities[at - 1]?.to ?? 0);
    }
  });
});
