import { expect, it } from 'vitest';
import { isRepeated } from '../../src/language/member-words.ts';

it('compares texts and numbers of a record, and no other value', () => {
  // `String` throws for such an object.
  const odd = { toString: null };
  expect(isRepeated('PhoneNumber', { Number: '+12015550101', PhoneNumber: '+12015550101' })).toBe(true);
  for (const other of [odd, null, '+12015550102'])
    expect(isRepeated('PhoneNumber', { Number: other, PhoneNumber: odd })).toBe(false);
});
