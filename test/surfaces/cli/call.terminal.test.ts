import { describe, expect, it } from 'vitest';
import { qrLines } from '../../../src/lib/qr.ts';
import { errorOf, run, statusOf } from './support.ts';

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

  it.each([
    ['2', 0, /Ava Stone · \(201\) 555-0103/],
    ['no', 3, /Nothing was sent/],
  ])('is chosen from a list on a terminal: %s', async (types, code, text) => {
    const done = await run(['numbers', 'diagnose', 'ava'], { tty: true, types });
    expect(done.code).toBe(code);
    expect(`${done.out}${done.err}`).toMatch(text);
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
    // A change is refused before it is sent.
    const change = await run(['numbers_reactivate', '+12015550107', '--yes', '--fields', 'Statsu'], how);
    expect([change.code, statusOf('+12015550107')]).toEqual([2, 'Cancelled - Pending Delete']);
    expect(change.err).toMatch(/Did you mean Status\?/);
  });
});

describe('one record on a terminal', () => {
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
