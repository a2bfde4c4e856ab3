import { describe, expect, it } from 'vitest';
import { styleOf } from '../../../src/lib/style.ts';
import { answerText, cardOf } from '../../../src/surfaces/cli/answer.ts';
import { wrap, wrappedList } from '../../../src/surfaces/cli/table.ts';

const LAYOUT = { width: 80, wide: false, fields: undefined, style: styleOf(false), qr: undefined, isPortIn: false };

it.each([
  [{ Numbers: [], Message: '', Found: 0 }, 'No numbers.'],
  [{ Numbers: [], Message: 'No number matches.', Hint: '' }, 'No number matches.'],
  [{ Numbers: [], Message: '', TotalResults: 0 }, /^Total results +0/m],
])('an empty list is one sentence, and hides no other member: %j', (value, text) => {
  expect(answerText(value, LAYOUT)).toMatch(text);
});

it('what happened and a diagnosis bring no control character of others to a terminal', async () => {
  const esc = '\u001b[31m';
  const At = '2026-01-02T07:00:00.000Z';
  const digest = {
    ...{ Since: '2026-01-02T06:00:00.000Z', Until: '2026-01-02T08:00:00.000Z' },
    Orders: [{ At, Status: esc, PhoneNumbers: [esc], Why: esc }],
    Alerts: [{ At, PhoneNumber: esc, Found: esc }],
    Messages: [{ At, From: esc, To: [esc], Body: esc }],
    Actions: [
      { At, What: esc, State: 'done', Customer: esc, Changes: [esc], AskedBy: `local:${esc}`, DecidedReason: esc },
    ],
  };
  const Findings = [{ Finding: esc, CarrierMessage: esc, Affects: [esc], Blocked: [esc] }];
  const diagnosis = { Summary: 'One thing.', Findings };
  const told = await Promise.all([digest, diagnosis].map(async (one) => answerText(one, LAYOUT, await cardOf(one))));
  expect(told[0]).toContain('Changes 1');
  expect(told[1]).toContain('1. ');
  expect(told.join('')).not.toContain('\u001b');
});

describe('words', () => {
  const WORDS = 'bat_0123456789abcdef0123 unbreakable-identifier-of-some-length done';

  it.each([10, 20, 30, 40, 80])('are not broken at %i columns', (width) => {
    expect(wrap(WORDS, width).flatMap((line) => line.split(' '))).toEqual(WORDS.split(' '));
    for (const names of [
      ['Id', 'Text'],
      ['Text', 'Id'],
    ]) {
      const cells = [['bat_0123456789abcdef0123', WORDS]];
      for (const word of WORDS.split(' ')) expect(wrappedList(names, cells, width)).toContain(word);
    }
  });
});

it('times are in the zone of the reader, and days stay days', () => {
  const at = '2026-01-21T14:03:09.000Z';
  const text = answerText({ CreatedOn: at, EffectiveDate: '2026-01-22' }, LAYOUT);
  const local = new Date(at);
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `2026-01-${two(local.getDate())} ${two(local.getHours())}:${two(local.getMinutes())}`;
  expect(text).toMatch(new RegExp(`Created on +${day} \\S+\\n`));
  expect(text).toContain('Jan 22, 2026');
  expect(text).not.toContain(at);
});
