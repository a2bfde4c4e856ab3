import { defineOperation, type Operation, type RowSentence } from '../../src/catalogue/operation.ts';
import type { Fields } from '../../src/lib/values.ts';
import { text } from './before.ts';
import { numberList, out } from './fields.ts';
import { dataState } from './line.ts';

/* Lines in sentences, and the reads of data used and of limits, whose answers are lists of lines. */

/** "Ava Stone · +12015550101"; the number alone if its customer is not known. */
export function lineSaid(phone: string, nameOf: (id: string) => string | undefined): string {
  const customer = nameOf(phone);
  return customer === undefined ? phone : `${customer} · ${phone}`;
}

/** "data is slowed" for data that does not run as usual; empty otherwise. */
export function behaviourSaid(usage: Fields): string {
  const state = dataState(usage);
  return state === 'normal' ? '' : `data is ${state}`;
}

/**
 * A read of the data of up to 100 lines (PLATFORM.md, Data usage).
 *
 * @param part the last part of its path
 * @param row the members of a line in the answer
 * @param says a line in words
 * @param next the operations offered for a line, with the texts of their buttons
 */
export function dataUsageRead(
  part: 'info' | 'settings',
  { title, description }: { title: string; description: string },
  row: Fields & Parameters<typeof out.rows>[0],
  says: (line: Fields) => Pick<RowSentence, 'says' | 'usage'>,
  next: readonly { tool: string; title: string }[],
): Operation {
  return defineOperation({
    endpoint: `POST /v1.0/numbers/data-usage/${part}`,
    title,
    description,
    risk: 'read',
    batch: { row: 'Number', list: 'PhoneNumbers', most: 100 },
    source: 'S+I',
    notes: 'PLATFORM.md, Data usage; assumed: lists have at most 100 entries',
    input: () => ({ PhoneNumbers: numberList }),
    output: () => ({
      Status: out.text,
      PhoneNumbers: out.rows({ Number: out.text, Status: out.text, StatusMessage: out.text, ...row }),
    }),
    sentences: {
      of: 'PhoneNumbers',
      title: (count, { PhoneNumbers }) =>
        `${title} of ${PhoneNumbers.length === 1 ? PhoneNumbers[0]?.Number : `${count} lines`}`,
      row: (line, _input, nameOf) => {
        const phone = text(line.Number) ?? '';
        const said = says(line);
        // The platform has no values for some lines, and says why.
        const isUnread = /^(?:fail|error|not)/i.test(text(line.Status) ?? '');
        const why = text(line.StatusMessage);
        const values = isUnread ? `not read${why === undefined ? '' : `: ${why}`}` : said.says;
        const words = [lineSaid(phone, nameOf), values].filter((one) => one !== '');
        const input = { PhoneNumbers: [{ Number: phone }] };
        return { ...said, says: words.join(': '), next: next.map((one) => ({ ...one, input })) };
      },
    },
    examples: [{ PhoneNumbers: [{ Number: '+12015550101' }] }],
  });
}
