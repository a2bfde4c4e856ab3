import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../../../src/catalogue/fields.ts';
import { qrLines } from '../../../src/lib/qr.ts';
import { tools } from '../../../tools/index.ts';
import { errorOf, run, statusOf, world } from './support.ts';

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

describe('the list of operations', () => {
  it.each([40, 60, 80])('breaks no id in %s columns, so that each can be copied', async (columns) => {
    const { out } = await run(['--help'], { tty: true, columns });
    const list = out.split('\n').filter((line) => /^ {2}(?: {4})?\S/.test(line));
    const texts = list.filter((line) => !/^ +\w+$/.test(line));
    expect(widest(texts.join('\n'))).toBeLessThanOrEqual(columns);
    for (const { id } of tools) expect(out).toMatch(new RegExp(`^  ${id}(  |$)`, 'm'));
  });
});

describe('the help of an operation', () => {
  /** The lines of its list of fields or commands. */
  const listOf = (out: string) => /^(?:Fields|Commands):\n((?: {2,}.*\n)+)/m.exec(out)?.[1]?.split('\n') ?? [];

  it.each([40, 60, 80, 120])('fits %s columns and breaks no name of a field', async (columns) => {
    for (const tool of tools) {
      const { out } = await run([tool.id, '--help'], { tty: true, columns });
      const names = fieldsOf(tool).map(({ name }) => name);
      const found = listOf(out).flatMap((line) => /^ {2}(\S+)(?: {2}|$)/.exec(line)?.[1] ?? []);
      expect(found).toEqual(names);
      // A command to copy is not wrapped, and neither is a word that is longer than the line, such as an id.
      const prose = out.split('\n').filter((line) => !/switchboard call|^ *\S+$/.test(line));
      expect(widest(prose.join('\n')), tool.id).toBeLessThanOrEqual(columns);
    }
  });

  it('has the description beside the name, or below it on a narrow terminal', async () => {
    const wide = await run(['numbers_portin_update', '--help'], { tty: true, columns: 80 });
    expect(wide.out).toMatch(/^ {2}PortInDate {18}Port-in date: .*\n {30}\S/m);
    const narrow = await run(['numbers_portin_update', '--help'], { tty: true, columns: 40 });
    expect(narrow.out).toMatch(/^ {2}PortInDate\n {6}Port-in date: /m);
  });

  it('lists the commands of a group whole', async () => {
    for (const columns of [40, 60, 80]) {
      const { out } = await run(['numbers', '--help'], { tty: true, columns });
      for (const command of ['cancel order request', 'data usage settings', 'portin eligibility'])
        expect(out).toMatch(new RegExp(`^ {2}${command}(?: {2}|$)`, 'm'));
      expect(widest(out)).toBeLessThanOrEqual(columns + 'switchboard call'.length);
    }
  });
});

describe('a text on a terminal', () => {
  const cancel = ['numbers', 'cancel', '+12015550103'];

  it('is not wrapped by us in a question or an error, so that it can be compared and copied word for word', async () => {
    const asked = await run(cancel, { tty: true, columns: 60, types: 'n' });
    expect(asked.err).toContain(
      '> I consent to the immediate cancellation of +12015550103 on the carrier. Service ends',
    );
    expect(asked.err).toMatch(/^Cancel \+12015550103$/m);
    const wrong = await run([...cancel, '--yess'], { tty: true, columns: 60 });
    expect(wrong.err).toMatch(/^--yess is not an option\. Did you mean --yes\?\nUsage: switchboard call .*\n$/);
  });

  it('keeps the spaces of a value that will be sent', async () => {
    const body = `Two  spaces,   three, ${'and many words '.repeat(8)}`.trim();
    const words = ['message_outbound', 'From=+12015550101', 'To=+12015550199', `Body=${body}`];
    const { err } = await run(words, { tty: true, columns: 60, types: 'n' });
    expect(err).toContain(body);
  });
});

describe('the short command number', () => {
  it.each([
    ['0104', '+12015550104'],
    ['ben reed', '+12015550102'],
    ['TSUID-00000000-0000-4000-8000-000000000002', '+12015550102'],
  ])('looks up the only number that it finds: %s', async (query, number) => {
    const { code, out } = await run(['number', ...query.split(' ')]);
    expect(code).toBe(0);
    expect(JSON.parse(out).Number).toMatchObject({ Number: number });
  });

  it('lists several', async () => {
    const { code, out } = await run(['number', 'ava', 'stone']);
    expect(code).toBe(0);
    expect(JSON.parse(out).Numbers.length).toBeGreaterThan(1);
  });

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

  it('says which operation may have been meant by a word that it searches for', async () => {
    const { err } = await run(['number', 'inventry'], { tty: true });
    expect(err).toBe('Searched for "inventry". Did you mean switchboard call numbers inventory?\n');
  });

  it('takes a number as people write it', async () => {
    const { out } = await run(['number', '+1', '(201)', '555-0101', '--fields', 'Number']);
    expect(JSON.parse(out)).toMatchObject({ Number: { Number: '+12015550101' } });
  });

  it.each([
    [['number', '+12015550101', 'Foo=1'], /^Foo: is not a field of numbers lookup/],
    [
      ['numbers', 'inventry'],
      /Did you mean switchboard call numbers inventory\?\s+Type switchboard call numbers help to list/,
    ],
    [['why', '+12015550107'], /^There is no group why\. Did you mean numbers why\?/],
    [['numbers', 'put', 'ben', 'on', 'hold'], /In plain words: switchboard ask "numbers put ben on hold"$/],
    [['frobnicate'], /^There is no group frobnicate\. switchboard call --help lists all operations\.$/],
    [['number'], /^Give a number, its last digits or a name, for example: switchboard number 0104$/],
    [['number', '01'], /^01 is neither a phone number nor the end of one\..*: switchboard number 0104$/],
    [['number', '0101', '0103'], /^To look up several numbers, give each in full/],
    [['+12015550101'], /^Name an operation first\..*:\s+switchboard call number \+12015550101$/],
  ])('is no guess: %j', async (words, message) => {
    const { code, err } = await run(words, { tty: true });
    expect(code).toBe(2);
    expect(err.trim()).toMatch(message);
    expect(world.opened).toBe(0);
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

describe('an answer that is an empty list', () => {
  it.each([
    [['find', 'Status=Active', 'AreaCode=999'], 'No number matches.\n'],
    [['watches'], 'No results.\n'],
  ])('is one sentence, and complete in JSON: %j', async (words, sentence) => {
    const { code, out } = await run(['numbers', ...words], { tty: true });
    // A search that finds nothing ends with 1, as grep does.
    expect([code, out]).toEqual([words[0] === 'find' ? 1 : 0, sentence]);
    const lists = Object.values(JSON.parse((await run(['numbers', ...words])).out)).filter(Array.isArray);
    expect(lists).toEqual([[]]);
  });

  it('counts the rows of a list once', async () => {
    const { out } = await run(['numbers', 'find', 'ava', 'stone'], { tty: true });
    expect(out).toMatch(/^Numbers \(7\)\n/);
    expect(out).not.toContain('Found');
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

  it('cuts long values with … only where --wide does not forbid it', async () => {
    const fields = ['--fields', 'Number,AccountId,MessageRouteId'];
    const cut = await run([...inventory, ...fields], { tty: true, columns: 80 });
    expect(cut.out).toMatch(/^\+12015550101 +AID-0000[\d-]+… +MRID-0000[\d-]+…$/m);
    expect(widest(cut.out)).toBeLessThanOrEqual(80);
    const wide = await run([...inventory, ...fields, '--wide'], { tty: true, columns: 80 });
    expect(wide.out).toContain('MRID-00000000-0000-4000-8000-000000000001');
    expect(wide.out).not.toContain('…');
  });

  it('has every member with --wide, and is never cut in a pipe', async () => {
    const wide = await run([...inventory, '--wide'], { tty: true, columns: 80 });
    expect(headOf(wide.out, TITLE)).toContain('Next swap reset date');
    const piped = await run([...inventory, '--output', 'table'], { columns: 80 });
    expect(piped.out).toBe(wide.out);
  });

  it('has the columns of --fields in that order', async () => {
    const { code, out } = await run([...inventory, '--fields', 'status,phonenumber'], { tty: true });
    expect(code).toBe(0);
    expect(headOf(out, TITLE)).toMatch(/^Status +Phone number$/);
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

  it('gives the chosen members as JSON in a pipe', async () => {
    const { out } = await run([...inventory, '--fields', 'Number']);
    expect(JSON.parse(out).PhoneNumbers[0]).toEqual({ Number: '+12015550101' });
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

  it('begins with what needs attention and the command that mends it', async () => {
    const { out } = await run(['number', '+12015550105'], { tty: true, columns: 100 });
    expect(out).toMatch(
      /^⚠️ Ava Stone · \(201\) 555-0105: data nearly used up, 19\.75 of 20 MB used\n\nFix: Set a higher/,
    );
    expect(out).toContain('switchboard call numbers_data_usage_set PhoneNumbers=+12015550105 LimitValue=…');
  });

  it('says each number and id once', async () => {
    const { out } = await run(['numbers_get', '+12015550101'], { tty: true });
    expect(out.match(/\+12015550101/g)).toHaveLength(1);
  });

  it('shows findings in words, each with a command that can be copied', async () => {
    const { out } = await run(['numbers', 'diagnose', '+12015550107'], { tty: true, columns: 200 });
    expect(out).toMatch(/^1\. The number is cancelled/m);
    expect(out).toMatch(/^ {3}Affects: texts, calls, data$/m);
    const command = /^ {3}switchboard call (numbers_reactivate .*)$/m.exec(out)?.[1] ?? '';
    const again = await run([...command.split(' '), '--yes']);
    expect([again.code, statusOf('+12015550107')]).toEqual([0, 'Active']);
  });

  it('shows a port-in as steps', async () => {
    const order = 'JNUOID-00000000-0000-4000-8000-000000000001';
    const { out } = await run(['numbers', 'order', 'get', order], { tty: true });
    expect(out).toMatch(/^● Submitted ─ ○ Carrier approval ─ ○ Scheduled ─ ○ Completed\n/);
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

  it('says at 80 columns what was done, by whom and how it ended, and shows the lists with --wide', async () => {
    for (const number of ['+12015550103', '+12015550104']) await run(['numbers', 'cancel', number, '--yes']);
    const { out } = await run(['events', 'since', '8h'], { tty: true, columns: 80 });
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(out).toMatch(/^What happened since \d{4}-.*\n\nChanges 2\n/);
    const told = out.replace(/\n {2}/g, ' ');
    expect(told).toMatch(/✅ Cancel \(201\) 555-0103 for Ava Stone · Acme Mobile: Service: Active → Cancelled/);
    expect(told).toMatch(/ · asked by .+, confirmed by .+ · \d{4}-\d\d-\d\d \d\d:\d\d/);
    const wide = await run(['events', 'since', '8h', '--output', 'table', '--wide'], { tty: true });
    expect(headOf(wide.out, /^Actions \(2\)$/)).toMatch(/^At +What +State /);
  });

  it('shows the recipients of a message as numbers', async () => {
    for (const body of ['One', 'Two'])
      await run(['message_outbound', 'From=+12015550101', 'To=+12015550199', `Body=${body}`, '--yes']);
    const { out } = await run(['message', 'search', '+12015550101'], { tty: true, columns: 80 });
    expect(headOf(out, /^Results \(2\)$/)).toMatch(/^At +Status +Body /);
    expect(out).not.toContain('Number +12015550199');
    expect(out).toMatch(/ \+12015550199$/m);
  });
});

describe('colours on a terminal', () => {
  const ESCAPE = '\u001b[';
  it('are only there if the terminal has them, and red only for what failed or takes away', async () => {
    const plain = await run(['numbers', 'inventory'], { tty: true });
    expect(plain.out).not.toContain(ESCAPE);
    const { out } = await run(['numbers', 'inventory'], { tty: true, colours: true });
    expect(stripVTControlCharacters(out)).toBe(plain.out);
    expect(out).toContain(ESCAPE);
    expect(out).not.toContain(`${ESCAPE}31m`);
    const refused = await run(['numbers_get', '+12015550199'], { tty: true, colours: true });
    expect(refused.err).toContain(`${ESCAPE}31m`);
    const asked = await run(['numbers', 'cancel', '+12015550103'], { tty: true, colours: true, types: 'n' });
    const question = asked.err.split('? [y/N]')[0] ?? '';
    expect(question.slice(question.lastIndexOf(`${ESCAPE}31m`))).toMatch(/^.{5}Cancel /);
  });

  it('are never in JSON', async () => {
    const { out } = await run(['numbers_get', '+12015550101', '--output', 'json'], { tty: true, colours: true });
    expect(out).not.toContain(ESCAPE);
  });
});

describe('an error', () => {
  it('is one sentence on a terminal and one document in a pipe', async () => {
    const { err } = await run(['numbers_get', 'PhoneNumber=+12015550199'], { tty: true });
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect(errorOf((await run(['numbers_get', '+12015550199'])).err).message).toBe(err.trimEnd());
  });
});
