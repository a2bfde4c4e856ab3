import { describe, expect, it } from 'vitest';
import { sinceIn } from '../../../../src/assistant/guided/facts/since.ts';

/* The start of the time that a sentence asks about, read from the writer's clock. */

const NIGHT = '2026-11-24T03:13:00Z';
const value = (sentence: string, now: string, zone?: string) => sinceIn(sentence, Date.parse(now), zone)?.value;

describe('the start of a time in a sentence', () => {
  it.each([
    ['since 6 pm', NIGHT, 'America/New_York', '2026-11-23T23:00:00.000Z'],
    ['since 6 pm', NIGHT, 'UTC', '2026-11-23T18:00:00.000Z'],
    ['overnight', '2026-11-24T01:00:00Z', 'Asia/Tokyo', '2026-11-23T09:00:00.000Z'],
    ['overnight', '2026-11-24T15:00:00Z', 'America/Los_Angeles', '2026-11-24T02:00:00.000Z'],
    ['today', '2026-11-24T01:00:00Z', 'Asia/Tokyo', '2026-11-23T15:00:00.000Z'],
    ['yesterday', NIGHT, 'America/New_York', '2026-11-22T05:00:00.000Z'],
    ['this morning', '2026-11-24T02:00:00Z', 'Asia/Tokyo', '2026-11-23T21:00:00.000Z'],
    ['since the weekend', NIGHT, 'America/New_York', '2026-11-20T23:00:00.000Z'],
    // The night in which summer time ends has 25 hours.
    ['yesterday', '2026-11-01T17:00:00Z', 'America/New_York', '2026-10-31T04:00:00.000Z'],
    ['last 4 hours', NIGHT, 'America/New_York', '4h'],
    ['12h', NIGHT, 'America/New_York', '12h'],
    ['event 2 days', NIGHT, 'America/New_York', '2d'],
    // A count before a unit is no hour of the clock.
    ['since 1 week', NIGHT, 'America/New_York', '7d'],
    ['events since 3 weeks', NIGHT, 'America/New_York', '21d'],
    ['since two months', NIGHT, 'America/New_York', '30d'],
    ['since 30 minutes', NIGHT, 'America/New_York', '1h'],
    ['2 weeks ago', NIGHT, 'America/New_York', '14d'],
    ['2 weeks', NIGHT, 'America/New_York', '14d'],
  ])('is read in the zone of the writer: %s at %s in %s', (sentence, now, zone, expected) => {
    expect(value(sentence, now, zone)).toBe(expected);
  });

  it('is never in the future', () => {
    const zones = ['UTC', 'Asia/Tokyo', 'America/Los_Angeles', 'Pacific/Kiritimati'];
    const sentences = ['this morning', 'today', 'overnight', 'since 8', 'since 11:30 pm', 'over the weekend'];
    for (let hour = 0; hour < 24; hour += 1) {
      const now = Date.parse('2026-11-24T00:00:00Z') + hour * 3_600_000;
      for (const zone of zones)
        for (const sentence of sentences) {
          const start = Date.parse(sinceIn(sentence, now, zone)?.value ?? '');
          expect(start, `${sentence} at hour ${hour} in ${zone}`).toBeLessThanOrEqual(now);
        }
    }
  });

  it('names the zone, and reads UTC where it is unknown', () => {
    const now = Date.parse(NIGHT);
    expect(sinceIn('since 6 pm', now, 'America/New_York')?.text).toBe('since 2026-11-23 18:00 (America/New_York)');
    expect(sinceIn('since 6 pm', now)?.text).toBe('since 2026-11-23 18:00 UTC');
    expect(sinceIn('since 6 pm', now, 'Nowhere/Land')?.text).toBe('since 2026-11-23 18:00 UTC');
    expect(sinceIn('last 8 hours', now)?.text).toBe('in the last 8 hours');
    expect(sinceIn('what is 0103', now)).toBeUndefined();
  });
});
