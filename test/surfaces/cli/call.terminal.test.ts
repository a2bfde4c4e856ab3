import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { qrLines } from '../../../src/lib/qr.ts';
import { errorOf, run, statusOf } from './support.ts';

/** The longest line, in columns; the answers here are plain ASCII and symbols of one column. */
function widest(text: string): number {
  return Math.max(
    ...stripVTControlCharacters(text)
      .split('\n')
      .map((line) => [...line].length),
  );
}

const headOf = (text: string, title: RegExp) => {
  const lines = text.split('\n');
  return lines[lines.findIndex((line) => title.test(line)) + 1] ?? '';
};

describe('a text on a terminal', () => {
  it('keeps the spaces of a value that will be sent', async () => {
    const body = `Two  spaces,   three, ${'and many words '.repeat(8)}`.trim();
    const words = ['message_outbound', 'From=+12015550101', 'To=+12015550199', `Body=${body}`];
    const { err } = await run(words, { tty: true, columns: 60, types: 'n' });
    expect(err).toContain(body);
  });
});

describe('the short command number', () => {
  // Together the two have as many digits as the serial of a SIM.
  it.each([
    ['2015550101', '2015550103'],
    ['12015550101', '12015550103'],
    ['201-555-0101', '201.555.0103'],
    ['+12015550101', '+12015550103'],
  ])('gives a row for each of several numbers: %s %s', async (...numbers) => {
    const { code, out } = await run(['number', ...numbers]);
    expect(code).toBe(0);
    expect(JSON.parse(out).Numbers).toMatchObject([{ Number: '+12015550101' }, { Number: '+12015550103' }]);
  });
});

describe('a name in place of a number or an id', () => {
  it.each([
    [['numbers', 'get', 'ben', 'reed'], { Number: '+12015550102' }],
    [['numbers_get', 'PhoneNumber=0102'], { Number: '+12015550102' }],
    [['subscribers', 'get', '0102'], { Name: 'Ben Reed' }],
    [['message', 'routes', 'main'], { RouteName: 'Main SMS route' }],
  ])('is found: %j', async (words, record) => {
    const { code, out } = await run(words);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject(record);
  });

  it('is never guessed: several are listed, and nothing is asked', async () => {
    const several = await run(['numbers', 'cancel', 'acme', '--yes'], { tty: true });
    expect(several.code).toBe(2);
    expect(several.err).toContain('Which number is "acme"?');
    expect(several.err).toContain('+12015550101  Ava Stone · (201) 555-0101 · Acme Mobile');
    const none = await run(['numbers', 'cancel', 'nobody', '--yes'], { tty: true });
    expect(none.code).toBe(2);
    expect(none.err).toContain('No number matches "nobody"');
  });
});

describe('a list on a terminal', () => {
  const inventory = ['numbers', 'inventory'];
  const TITLE = /^Phone numbers \(10\)$/;

  it.each([60, 80, 120, 200])('fits %s columns, number and status first', async (columns) => {
    const { out } = await run(inventory, { tty: true, columns });
    expect(widest(out)).toBeLessThanOrEqual(columns);
    expect(headOf(out, TITLE)).toMatch(/^Number +Status +/);
    expect(out).toMatch(/Not shown: .*--fields A,B\s+chooses\s+columns,\s+--wide\s+shows\s+all\./s);
  });

  it('has every member with --wide, and is never cut in a pipe', async () => {
    const wide = await run([...inventory, '--wide'], { tty: true, columns: 80 });
    expect(headOf(wide.out, TITLE)).toContain('Next swap reset date');
    const piped = await run([...inventory, '--output', 'table'], { columns: 80 });
    expect(piped.out).toBe(wide.out);
  });

  it.each([{ tty: true }, { tty: false }])('refuses a member of --fields that no record has (%j)', async (how) => {
    const { code, out, err } = await run([...inventory, '--fields', 'Number,Statsu'], how);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/no member Statsu\. Did you mean Status\?/);
    const far = await run([...inventory, '--fields', 'Foo'], how);
    expect([far.code, far.out]).toEqual([2, '']);
    expect(far.err).toMatch(/no member Foo\. It has AccountId, /);
    // A change is refused before it is sent.
    const change = await run(['numbers_reactivate', '+12015550107', '--yes', '--fields', 'Statsu'], how);
    expect([change.code, statusOf('+12015550107')]).toEqual([2, 'Cancelled - Pending Delete']);
    expect(change.err).toMatch(/Did you mean Status\?/);
  });
});

describe('one record on a terminal', () => {
  it('stands in lines of field and value, the parts under their names', async () => {
    const { out } = await run(['number', '+12015550101'], { tty: true, columns: 80 });
    expect(out).toMatch(
      /^● Ava Stone · \(201\) 555-0101: active; 12\.5 of 20 MB used\n\nNumber\n {2}Number +\+12015550101\n/,
    );
    expect(out).toMatch(/\n\nSubscriber\n {2}Subscriber +TSUID-\S+\n {2}Name +Ava Stone\n/);
    expect(out).toMatch(/^ {2}Used +12\.5 of 20 MB used \(63 %\)$/m);
  });

  it('draws the activation code of an eSIM with --qr, and after a change without it', async () => {
    const plain = await run(['numbers_get', '+12015550101'], { tty: true });
    expect(plain.out).not.toContain('█');
    expect(plain.out).toContain('--qr shows the activation code');
    const { out } = await run(['numbers_get', '+12015550101', '--qr'], { tty: true });
    const narrow = await run(['numbers_get', '+12015550101', '--qr'], { tty: true, columns: 40 });
    expect(narrow.out).toMatch(/The QR code needs 45 columns, and this\nterminal has 40\./);
    const { QrActivationLink } = JSON.parse((await run(['numbers_get', '+12015550101', '--qr'])).out);
    expect(out).toContain((qrLines(QrActivationLink, 'light') ?? []).join('\n'));
  });
});

describe('an error', () => {
  it('is one sentence on a terminal and one document in a pipe', async () => {
    const { err } = await run(['numbers_get', 'PhoneNumber=+12015550199'], { tty: true });
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect(errorOf((await run(['numbers_get', '+12015550199'])).err).message).toBe(err.trimEnd());
  });
});
