import { expect, it } from 'vitest';
import { styleOf } from '../../../src/lib/log.ts';
import { answerText, cardOf } from '../../../src/surfaces/cli/answer.ts';

const LAYOUT = { width: 80, fields: undefined, style: styleOf(false), qr: undefined, isPortIn: false };

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

it('people, scheduled changes and kinds of orders are shown in words', async () => {
  const At = '2026-01-02T07:00:00.000Z';
  const action = { At, What: 'Park', State: 'done', AskedBy: 'slack:T1/U1 (Dana)', DecidedBy: 'slack:T1/U2' };
  const digest = { Since: At, Until: At, Actions: [action, { ...action, What: 'Text', Delivery: 'Undelivered' }] };
  const told = answerText(digest, LAYOUT, await cardOf(digest));
  expect(told.replace(/\s+/g, ' ')).toContain('asked by Dana in Slack, confirmed by a person in Slack');
  expect(told).toMatch(/⚠️ Text[\s\S]*✅ Park/);
  const line = { Number: '+12015550101', Scheduled: [{ StatusChange: 'park', EffectiveDate: '12/15/2099' }] };
  expect(answerText({ Numbers: [line] }, LAYOUT)).toMatch(/park on 2099-12-15/);
  expect(answerText({ OrderType: 'portin' }, LAYOUT)).toMatch(/Order type +port-in/);
});
