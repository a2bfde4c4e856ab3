import { describe, expect, it } from 'vitest';
import { styleOf } from '../../../src/lib/style.ts';
import { answerText } from '../../../src/surfaces/cli/answer.ts';
import { wrappedList } from '../../../src/surfaces/cli/columns.ts';
import { wrap } from '../../../src/surfaces/cli/table.ts';

const LAYOUT = { wide: false, fields: undefined, style: styleOf(false), qr: undefined, isPortIn: false };
const row = (number: string) => ({
  Number: number,
  Status: 'Cancelled - Pending Delete',
  Customer: 'Maximiliana Featherstonehaugh',
  CallerName: 'A caller with a long name',
  Product: 'sms+data+voice',
  Used: '19.75 MB',
  LimitValue: '20 MB',
});
const ROWS = { Numbers: [row('+12015550101'), row('+12015550103')] };
const headOf = (named: string[]) => answerText(ROWS, { ...LAYOUT, width: 80, named }).split('\n')[1];

describe('the columns that a query names', () => {
  it('are shown where the others do not fit', () => {
    expect(headOf([])).not.toContain('Used');
    expect(headOf(['used', 'from'])).toMatch(/^Number +Used +Status/);
    expect(headOf(['limit'])).toMatch(/^Number +Limit value +Status/);
  });
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

describe('times', () => {
  it('are in the zone of the reader, and days stay days', () => {
    const at = '2026-01-21T14:03:09.000Z';
    const text = answerText({ CreatedOn: at, EffectiveDate: '2026-01-22' }, { ...LAYOUT, width: 80 });
    const local = new Date(at);
    const two = (part: number) => String(part).padStart(2, '0');
    const day = `2026-01-${two(local.getDate())} ${two(local.getHours())}:${two(local.getMinutes())}`;
    expect(text).toMatch(new RegExp(`Created on +${day} \\S+\\n`));
    expect(text).toContain('Jan 22, 2026');
    expect(text).not.toContain(at);
  });
});
