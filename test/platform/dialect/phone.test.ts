import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { expect, it } from 'vitest';
import { isPossiblePhone, toE164 } from '../../../src/platform/dialect/phone.ts';

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
