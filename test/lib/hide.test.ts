import { describe, expect, it } from 'vitest';
import { parseInput } from '../../src/catalogue/input.ts';
import { hideUrlSecrets, TYPED_SECRET, withoutTypedSecrets, withoutUrlSecrets } from '../../src/lib/hide.ts';
import { tools } from '../../tools/index.ts';

/** A copy of an input for each text and number in it, with another value in its place. */
function replaced(value: unknown, by: string): unknown[] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return [by];
  if (Array.isArray(value)) return value.flatMap((one, at) => replaced(one, by).map((new_) => value.with(at, new_)));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, member]) =>
    replaced(member, by).map((changed) => ({ ...value, [key]: changed })),
  );
}

describe('what stands for a removed secret', () => {
  const FORMS = [TYPED_SECRET, 'secret removed', '[SECRET REMOVED]', 'pin [secret removed] x', '«redacted»'];

  it.each(tools.map((tool) => [tool.id, tool] as const))('is taken by no field of %s', (_id, tool) => {
    const fields = Object.keys(tool.input.shape).map((name) => ({ ...tool.examples[0], [name]: TYPED_SECRET }));
    const nested = tool.examples.flatMap((example) => FORMS.flatMap((form) => replaced(example, form)));
    for (const input of [...fields, ...nested]) {
      const refusal = () => parseInput(tool, input, new Date());
      expect(refusal).toThrow(/open the form/);
    }
  });
});

/** Texts that people type; what stands in ‹ › is the secret. */
const TYPED = [
  'pin ‹4821›',
  'PIN — ‹48213›',
  '*PIN:‹* 48213›',
  'PIN (‹48213›)',
  'PIN\n‹4821›',
  'PIN ‹48-21-3›',
  'PIN‹4711›',
  'PIN#‹4711›',
  'P.I.N. ‹4711›',
  'p i n ‹4711›',
  'PIN‹４７１１›',
  'pin ‹four seven one one›',
  'PIN is ‹four eight two one three›',
  'the PIN they gave me was ‹9 8 7 6›',
  'PIN at the old carrier: ‹48213›',
  'with a PIN of ‹4821›',
  'set port out pin of 0105 to ‹4821›',
  'numbers 0105 pin ‹4821›',
  'the PIN for +12015550101 is ‹4821› and move 0102 to starter',
  'Port +13125550111, account 12345678, PIN ‹4821›, name Ava Stone',
  'port +12015550101; carrier PIN=‹48213›; account=77',
  'the carrier pin is ‹2015550105›',
  'customer wants pin ‹918273›, password: ‹Hunter2Secret!›',
  'the password is ‹Sup3rS3cretPw!9›',
  'set the password to ‹hunter2›',
  'set the password to ‹swordfish› for 0101',
  'for the password use ‹swordfish›',
  'change the password from ‹sunshine1› to ‹moonlight2›',
  "password is ‹'a b c'›",
  'password is ‹correct horse battery staple›',
  'account password ‹"open sesame"›, number +12015550101',
  'with password ‹swordfish›',
  'Here is the password:\n‹hunter2›',
  'pwd=‹hunter2›',
  'the passcode is ‹1234›',
  'the secret is ‹swordfish›',
  'the new token is ‹abc-def-ghi›',
  'api key ‹abc123›',
  'key: ‹8f3k2›',
  'auth code ‹K7Q2›',
  'the verification code she read me is ‹884211›',
  'pin for 2015550101 please, the code is ‹swordfish›',
  'el PIN del cliente: ‹4711›',
  'la contraseña nueva será ‹girasol›',
  "la clave es ‹'sol y luna'›",
  'cambia la clave a ‹girasol›',
  'dijo que la clave es ‹gato azul›',
  'su código de seguridad es ‹5521›',
  'el secreto: ‹gato›',
  'my pin is ‹4711› and password is ‹hunter2›, set port out pin of 0105',
  'port 917-555-0123 in, pin ‹0420›, Ava Stone, 1 Main St, Chicago IL 60601',
  'log in with ‹xoxb-123456789012-abcdef› please',
  'it is ‹eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjF9.c2ln›',
  'scan ‹LPA:1$smdp.example$K2-SECRET›',
  'send it to https://ana:‹p4ss›@example.com/in',
];

/** Texts about secrets that have none, and texts about other things. */
const KEPT = [
  'port out pin for 2015550101 please, she’s going to verizon',
  'need a transfer pin for 0103, customer is leaving us',
  'port out pin 2015550105 please',
  'he needs his transfer pin, 201-555-0105',
  'customer needs the pin to take 0102 with them',
  'What is the port-out PIN for 0101?',
  'reset the password of 0101',
  'set port out pin of 0105',
  '/numbers pin 0101',
  'the customer says the PIN is wrong',
  'Is the password correct?',
  'the PIN is on file',
  'the PIN has 4 digits',
  'password must be longer than 8 characters',
  'which orders failed because of a wrong PIN?',
  'Limit 300 MB for 0101, PIN not needed',
  'he gets 2fa codes all day, texts off 0103',
  'the error code is 500',
  'area code 212',
  'zip code 84043',
  'código postal 84043',
  'Customer called from +12015550101, wants a new PIN',
  'order JNUOID-00000000-0000-4000-8000-000000000001 is stuck',
  'customer lost the phone, park it until 2026-12-15',
];

describe('a text without typed secrets', () => {
  it.each(TYPED)('%s', (row) => {
    const text = row.replace(/[‹›]/g, '');
    expect(withoutTypedSecrets(text)).toEqual({ text: row.replace(/‹[^›]*›/g, TYPED_SECRET), found: true });
  });

  it.each(KEPT)('has none: %s', (text) => expect(withoutTypedSecrets(text)).toEqual({ text, found: false }));

  it('takes time in proportion to its length', () => {
    const began = performance.now();
    for (const part of ['password is ', 'a', 'PIN "', 'pin=', "pass'", 'x-', '4821 is ', 'key to ', 'p i n '])
      withoutTypedSecrets(part.repeat(Math.floor(8000 / part.length)));
    expect(performance.now() - began).toBeLessThan(4000);
  });
});

it.each([
  ['https://bob:pw@a.example/x', 'https://«redacted»@a.example/x'],
  ['https://a.example/x?api_key=short&env=prod', 'https://a.example/x?api_key=«redacted»&env=prod'],
  ['https://a.example/x?sig=abc%2Bd;env=prod', 'https://a.example/x?sig=«redacted»;env=prod'],
  ['https://a.example/x?accessToken=abc', 'https://a.example/x?accessToken=«redacted»'],
  ['https://a.example/x?id=48213377', 'https://a.example/x?id=«redacted»'],
  ['https://a.example/x?env=prod#top', 'https://a.example/x?env=prod#top'],
  ['wss://a.example/x?session=abc', 'wss://a.example/x?session=«redacted»'],
  ['sip:line:pw@a.example', 'sip:line:«redacted»@a.example'],
  ['sip:line@a.example', 'sip:line@a.example'],
  ['a.example', 'a.example'],
])('%s is shown as %s', (url, shown) => {
  expect(hideUrlSecrets(url)).toBe(shown);
});

it('the rows of a change hide what their members hide', () => {
  const [before, after] = ['https://a.example/?token=one', 'https://b.example/?token=two'];
  const row = { of: 'MRID-1', member: 'MessageUrl' };
  const hidden = ['a', 'b'].map((name) => `https://${name}.example/?token=«redacted»`);
  expect(withoutUrlSecrets({ rows: [{ ...row, before, after }] })).toEqual({
    rows: [{ ...row, before: hidden[0], after: hidden[1] }],
  });
});

it('other texts keep their addresses', () => {
  const input = { Body: 'https://a.example/reset?token=abc', MmsMedia: [{ MediaUrl: 'https://a.example/?sig=abc' }] };
  expect(withoutUrlSecrets(input)).toEqual(input);
});
