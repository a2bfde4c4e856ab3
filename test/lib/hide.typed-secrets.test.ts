import { describe, expect, it } from 'vitest';
import { TYPED_SECRET, withoutTypedSecrets } from '../../src/lib/hide.ts';

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
