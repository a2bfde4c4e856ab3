import { findPhoneNumbersInText, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { expect, it } from 'vitest';
import { isPossiblePhone, phonesIn, toE164 } from '../../../src/platform/dialect/phone.ts';

const digits = (count: number, seed: number) =>
  Array.from({ length: count }, (_, at) => ((seed * 7919 + at * 104_729 + ((seed * (at + 3)) >> 2)) >>> 0) % 10).join(
    '',
  );

it('reads numbers as the library does, also those that it is not asked about', () => {
  const texts = ['', '+', '+1', '2015550101', '(201) 555-0101', '1 201 555 0101', '+44 20 7946 0958'];
  for (let seed = 0; seed < 2_000; seed += 1) texts.push(`+1${digits(8 + (seed % 4), seed)}`, `+${digits(11, seed)}`);
  for (const text of texts) {
    const national = parsePhoneNumberFromString(text, 'US')?.number ?? text;
    expect(toE164(text), text).toBe(national);
    expect(isPossiblePhone(national), text).toBe(parsePhoneNumberFromString(national)?.isPossible() === true);
  }
});

it('does not drop an extension: such a text is no number', () => {
  for (const text of ['+12015550101x5', '+1 201 555 0101 ext 5', '(201) 555-0101 ext. 5']) {
    expect(toE164(text)).toBe(text);
    expect(isPossiblePhone(text)).toBe(false);
  }
});

it('finds the numbers in a sentence that the library finds, also short ones of other countries', () => {
  const texts = [
    'park 0103',
    'code 011 43 12345',
    'at +49 49691',
    'at +683 4123',
    'ring 201 555 0101 and 0102',
    'no digits',
  ];
  for (let seed = 0; seed < 300; seed += 1) {
    const number = digits(3 + (seed % 10), seed);
    texts.push(`call ${number}`, `call +${number}`, `call 011 ${number}`, `0104 and ${number}`, `of (${number})`);
  }
  const found = texts.map((text) => phonesIn(text));
  const expected = texts.map((text) => findPhoneNumbersInText(text, 'US').map(({ number }) => String(number.number)));
  expect(found).toEqual(expected.map((numbers) => [...new Set(numbers)]));
  expect(found.flat().filter((number) => number.length < 9).length).toBeGreaterThan(0);
});
