import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../../src/lib/clock.ts';
import { reminderAt } from '../../../../src/surfaces/slack/people/directory.ts';

/* The hour of a reminder. 2026-03-04 is a Wednesday. */

const reminder = (asked: string, hours: number, zone: string | undefined) => {
  const createdAt = Date.parse(asked);
  return new Date(reminderAt({ createdAt, expiresAt: createdAt + hours * HOUR_MS }, zone)).toISOString().slice(0, 16);
};

describe('the reminder of a question', () => {
  it.each([
    ['comes a minute before its end in working hours', '2026-03-04T08:00Z', 8, 'UTC', '2026-03-04T15:59'],
    ['comes in the last working hour before a night', '2026-03-04T14:00Z', 8, 'UTC', '2026-03-04T16:59'],
    ['counts the hours of the approver', '2026-03-04T14:00Z', 8, 'America/Los_Angeles', '2026-03-04T21:59'],
    ['counts the hours of an approver far ahead', '2026-03-04T03:00Z', 8, 'Asia/Tokyo', '2026-03-04T07:59'],
    ['comes before the night on a weekend', '2026-03-07T18:00Z', 8, 'UTC', '2026-03-07T21:59'],
    ['comes before its end if it lasts a night only', '2026-03-04T22:00Z', 8, 'UTC', '2026-03-05T05:59'],
    ['comes before its end if it is short', '2026-03-04T23:00Z', 1, 'UTC', '2026-03-04T23:59'],
    ['comes before its end in an unknown zone', '2026-03-04T14:00Z', 8, 'Moon/Base', '2026-03-04T21:59'],
    ['comes before its end if Slack names no zone', '2026-03-04T14:00Z', 8, undefined, '2026-03-04T21:59'],
  ])('%s', (_, asked, hours, zone, expected) => {
    expect(reminder(asked, hours, zone)).toBe(expected);
  });
});
