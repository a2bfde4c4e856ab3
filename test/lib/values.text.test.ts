import { describe, expect, it } from 'vitest';
import { renderMrkdwn } from '../../src/demo/playground/mrkdwn.ts';
import { readXml, XmlError } from '../../src/events/parse.ts';
import { hideLabelled, hider } from '../../src/lib/hide.ts';
import { jsonText, visible } from '../../src/lib/values.ts';
import { activationsIn, createRedactor, withholdActivation } from '../../src/platform/dialect/redact.ts';
import { orderRank } from '../../src/platform/dialect/verdict.ts';

describe('characters nobody sees', () => {
  it.each([
    ['\u001b[2J', '[U+001B][2J'],
    ['a\u0000\u007f\u009b1m', 'a[U+0000][U+007F][U+009B]1m'],
    ['abc\u202edcba\u2066x\u2069', 'abc[U+202E]dcba[U+2066]x[U+2069]'],
    ['in\u200bvis\u2060ible\ufeff\u00ad', 'in[U+200B]vis[U+2060]ible[U+FEFF][U+00AD]'],
    ['tag\u{e0041}', 'tag[U+E0041]'],
    ['pay\u200dpal', 'pay[U+200D]pal'],
    ['line\nbreak\tand tab', 'line\nbreak\tand tab'],
    ['👩‍👩‍👧 ❤️ नमस्ते क्‍ष می‌خواهم Žluťoučký', '👩‍👩‍👧 ❤️ नमस्ते क्‍ष می‌خواهم Žluťoučký'],
  ])('%j is shown as %j', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it('are escaped in JSON without changing the value', () => {
    const value = { 'k\u202e': 'a\u001b[2J\u200b\u2028"\\', n: [1, null] };
    const text = jsonText(value, 2);
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\u200b\u202e\u2028]/u);
    expect(JSON.parse(text)).toEqual(value);
  });
});

describe('names that every object has', () => {
  const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];
  it.each(names)('%s is no entity, no state and no emoji', (name) => {
    expect(() => readXml(`<a>&${name};</a>`)).toThrow(XmlError);
    expect(orderRank(name)).toBeUndefined();
    expect(renderMrkdwn(`:${name}: <!date^1^{${name}}|x>`)).not.toContain('native code');
    const member = () => JSON.parse(`{"a":{"${name}":{"x":1}}}`);
    expect(createRedactor([]).strip(member())).toEqual(member());
  });
});

describe('secrets by value', () => {
  const hide = hider(['hunter2-account-secret', '2024', 'abc', 'xy']);

  it.each([
    ['the PIN 2024, pin=2024; "2024"', 'the PIN «redacted», pin=«redacted»; "«redacted»"'],
    ['+12015552024 (201) 555-2024 2024-01-31 01/31/2024 20245 12024 2024.50', undefined],
    ['JNUOID-00000000-2024-4000-8000-000000000001 7f3a2024bc91', undefined],
    ['%202024 \\u00202024', '%20«redacted» \\u0020«redacted»'],
    ['abc abcd xabc =abc', '«redacted» abcd xabc =«redacted»'],
    ['xy is too short', undefined],
    ['<hunter2-account-secret>', '<«redacted»>'],
  ])('%j', (text, hidden) => {
    expect(hide(text)).toBe(hidden ?? text);
  });

  it.each([
    ['in upper case', (secret: string) => secret.toUpperCase()],
    ['in lower case', (secret: string) => secret.toLowerCase()],
    ['in hex', (secret: string) => Buffer.from(secret).toString('hex')],
    ['URL-encoded in upper case', (secret: string) => encodeURIComponent(secret.toUpperCase())],
  ])('finds a long secret %s, at its place and as often as it stands', (_how, written) => {
    for (const secret of ['Hunter2/xQ9zz', 'Straße-ΟΔΟΣ 9', 'İstanbul-Secret']) {
      const form = written(secret);
      const said = `İ a ${form} Σς ${form}${form}. Hunter Straße`;
      expect(hider([secret])(said)).toBe(`İ a «redacted» Σς «redacted»«redacted». Hunter Straße`);
    }
  });

  it('finds a value that names itself, and leaves a sentence about it', () => {
    const hidden = 'AuthCode: «redacted» and "Password":"«redacted»"';
    expect(hideLabelled('AuthCode: K7Q2M9 and "Password":"x1yz"')).toBe(hidden);
    expect(hideLabelled('Password: must be longer')).toBe('Password: must be longer');
  });

  it('takes the PIN of one row out of that row only, and a long secret out of all', () => {
    const rows = [
      { PortOutPin: '5060', Note: '5060', Port: '8080' },
      { PortOutPin: '8080', Note: '8080', Port: '5060' },
      { Password: 'correct-horse-battery', Note: 'none' },
      { Note: 'correct-horse-battery' },
    ];
    expect(createRedactor([]).strip(rows)).toEqual([
      { Note: '«redacted»', Port: '8080' },
      { Note: '«redacted»', Port: '5060' },
      { Note: 'none' },
      { Note: '«redacted»' },
    ]);
  });
});

describe('the activation code of an eSIM', () => {
  const answer = {
    PhoneNumberAssigned: '+12015550120',
    QRCode: 'https://esim.example/qr?c=LPA:1$smdp.example.com$K2-1',
    Message: 'Scan LPA:1$smdp.example.com$K2-1 now',
    Sims: [{ ActivationCode: '1$smdp$K2' }],
  };

  it('is left out of what a channel reads, wherever it stands', () => {
    const shown = JSON.stringify(withholdActivation(answer));
    expect(shown).not.toMatch(/LPA|K2/);
    expect(shown).toContain('+12015550120');
    expect(Object.keys(activationsIn(answer))).toEqual(['QRCode', 'Message', 'ActivationCode']);
  });
});
