import { expect, it } from 'vitest';
import { styleOf } from '../../../src/lib/style.ts';
import { answerText } from '../../../src/surfaces/cli/answer.ts';
import { diagnosed, happened } from '../../../src/surfaces/cli/listed.ts';

const LAYOUT = {
  width: 80,
  wide: false,
  fields: undefined,
  style: styleOf(false),
  qr: undefined,
  isPortIn: false,
};

it.each([
  [{ Numbers: [], Message: '' }, 'No numbers.'],
  [{ Numbers: [], Message: '', Found: 0 }, 'No numbers.'],
  [{ Numbers: [], Message: 'No number matches.', Hint: '' }, 'No number matches.'],
  [{ Numbers: [], Message: '', TotalResults: 0 }, /^Total results +0/m],
])('an empty list is one sentence, and hides no other member: %j', (value, text) => {
  expect(answerText(value, LAYOUT)).toMatch(text);
});

it('what happened and a diagnosis bring no control character of others to a terminal', () => {
  const esc = '\u001b[31m';
  const At = '2026-01-02T07:00:00.000Z';
  const layout = { ...LAYOUT, listed: { happened, diagnosed } };
  const told = answerText(
    {
      ...{ Since: '2026-01-02T06:00:00.000Z', Until: '2026-01-02T08:00:00.000Z' },
      Orders: [{ At, Status: esc, PhoneNumbers: [esc], Why: esc }],
      Alerts: [{ At, PhoneNumber: esc, Found: esc }],
      Messages: [{ At, From: esc, To: [esc], Body: esc }],
      Actions: [
        { At, What: esc, State: 'done', Customer: esc, Changes: [esc], AskedBy: `local:${esc}`, DecidedReason: esc },
      ],
    },
    layout,
  );
  const Findings = [{ Finding: esc, CarrierMessage: esc, Affects: [esc], Blocked: [esc] }];
  const diagnosis = answerText({ Summary: 'One thing.', Findings }, layout);
  expect(told).toContain('Changes 1');
  expect(diagnosis).toContain('1. ');
  expect(`${told}${diagnosis}`).not.toContain('\u001b');
});
