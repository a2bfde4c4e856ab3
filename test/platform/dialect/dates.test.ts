import { expect, it } from 'vitest';
import { readDate, readMoment } from '../../../src/platform/dialect/dates.ts';

const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());

it.each([
  ['2026-07-01T12:00:00.56', 'America/Denver', '2026-07-01T18:00:00.560Z'],
  ['2025-10-29T12:36:19.338438+00:00', 'Asia/Tokyo', '2025-10-29T12:36:19.338Z'],
  ['2026-01-01T00:00:00+0530', 'UTC', '2025-12-31T18:30:00.000Z'],
  ['2026-07-01 12:00', 'UTC', '2026-07-01T12:00:00.000Z'],
  ['07/01/2026 12:05:06 AM', 'America/New_York', '2026-07-01T04:05:06.000Z'],
  ['02/05/2023', 'America/Denver', '2023-02-05T07:00:00.000Z'],
])('reads %s in %s', (text, zone, expected) => {
  expect(iso(readMoment(text, zone))).toBe(expected);
});

it.each(['', 'soon', '2026-02-30', '13/01/2026', '2026-01-01T25:00:00', '01/01/2026 13:00:00 PM', '5', 5, null])(
  'does not take %s for a date',
  (text) => {
    expect(readDate(text, 'UTC')).toBeUndefined();
  },
);

it('takes a day for the whole day of the zone', () => {
  const span = readDate('2026-03-08', 'America/New_York');
  expect([iso(span?.from), iso(span?.until)]).toEqual(['2026-03-08T05:00:00.000Z', '2026-03-09T03:59:59.999Z']);
});

it('keeps both readings of an hour that occurs twice', () => {
  const span = readDate('2026-11-01T01:30:00', 'America/New_York');
  expect([iso(span?.from), iso(span?.until)]).toEqual(['2026-11-01T05:30:00.000Z', '2026-11-01T06:30:00.000Z']);
});
