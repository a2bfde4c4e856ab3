import { expect, it } from 'vitest';
import { styleOf } from '../../../src/lib/style.ts';
import { answerText } from '../../../src/surfaces/cli/answer.ts';

const LAYOUT = {
  width: 80,
  wide: false,
  fields: undefined,
  style: styleOf(false),
  qr: false,
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
