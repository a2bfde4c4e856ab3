import { expect, it } from 'vitest';
import { isRepeated, memberText } from '../../src/language/member-words.ts';

it('compares texts and numbers of a record, and no other value', () => {
  // `String` throws for such an object.
  const odd = { toString: null };
  expect(isRepeated('PhoneNumber', { Number: '+12015550101', PhoneNumber: '+12015550101' })).toBe(true);
  for (const other of [odd, null, '+12015550102'])
    expect(isRepeated('PhoneNumber', { Number: other, PhoneNumber: odd })).toBe(false);
});

it('names kinds of lines and prices in words, with the platform’s word once', () => {
  expect(memberText('NumberType', 'mvno', {})).toBe('mobile (mvno)');
  expect(memberText('Classification', 'VoIP', {})).toBe('internet phone (voip)');
  expect(memberText('Type', 'iot', {})).toBe('data SIM (iot)');
  expect(memberText('Price', '15', {})).toBe('15 USD');
});
