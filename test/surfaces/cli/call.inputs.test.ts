import { describe, expect, it } from 'vitest';
import { labelledNumbers, refusedNumbers, serials, writtenNumbers } from '../../support/inputs/numbers.ts';
import { seenTexts, unseenTexts } from '../../support/inputs/texts.ts';
import { run, world } from './support.ts';

/* Inputs as clipboards write them, at the terminal: as arguments with and without a field's name, and as JSON. */

describe('a number at the terminal', () => {
  it('is read in every way to write one', async () => {
    const wrong: string[] = [];
    // A dash begins a flag.
    for (const { what, write } of writtenNumbers.filter(({ write }) => !write('').startsWith('-'))) {
      const { code, err } = await run(['numbers', 'get', write('2015550101')]);
      if (code !== 0) wrong.push(`${what}: ${err}`);
    }
    for (const { what, write } of labelledNumbers) {
      const { code, err } = await run(['numbers_get', `PhoneNumber=${write('2015550101')}`]);
      if (code !== 0) wrong.push(`${what}, by name: ${err}`);
    }
    expect(wrong).toEqual([]);
    expect(new Set(world.sent.map(({ input }) => JSON.stringify(input)))).toEqual(
      new Set([JSON.stringify({ PhoneNumber: '+12015550101' })]),
    );
  });

  it.each(refusedNumbers)('is refused with the reason: $what', async ({ text, says }) => {
    const { code, err } = await run(['numbers_get', '--json', JSON.stringify({ PhoneNumber: text })], { tty: true });
    expect(code).toBe(2);
    expect(err).toMatch(says);
    expect(world.sent).toEqual([]);
  });
});

describe('the serial of a SIM at the terminal', () => {
  it.each(serials)('$what', async ({ text, sent, remark }) => {
    const { err } = await run(['numbers_update', 'Number=+12015550101', `Iccid=${text}`], { tty: true, types: 'n' });
    expect(err).toContain(sent);
    if (remark) expect(err.replace(/\s+/g, ' ')).toMatch(remark);
    else expect(err.replace(/\s+/g, ' ')).not.toMatch(/the card\./);
  });
});

describe('a text at the terminal', () => {
  it.each(unseenTexts)('loses $what, and the result says so', async ({ given, sent }) => {
    const body = JSON.stringify({ From: '+12015550101', To: [{ Number: '+12015550102' }], Body: given });
    const { code, out, err } = await run(['message_outbound', '--json', body, '--yes']);
    expect({ code, err }).toMatchObject({ code: 0 });
    expect(world.sent.findLast(({ read }) => !read)?.input).toMatchObject({ Body: sent });
    expect(out).toContain('Body: invisible characters were removed.');
  });

  it.each(seenTexts)('keeps $what', async ({ text }) => {
    const { out } = await run(['message_outbound', 'From=+12015550101', 'To=+12015550102', `Body=${text}`, '--yes']);
    expect(world.sent.findLast(({ read }) => !read)?.input).toMatchObject({ Body: text });
    expect(out).not.toContain('invisible');
  });
});
