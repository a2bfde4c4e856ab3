import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Assistant } from '../../src/assistant/assistant.ts';
import { withoutTypedSecrets } from '../../src/assistant/typed-secrets.ts';
import { parseInput } from '../../src/catalogue/input.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { asSwitchboardError } from '../../src/lib/errors.ts';
import { TYPED_SECRET } from '../../src/lib/placeholders.ts';
import { openAssistant } from '../../src/start/assistant.ts';
import { tools } from '../../tools/index.ts';
import { type ScriptedModel, scriptedModel } from '../support/models.ts';
import { onSandbox } from '../support/on-sandbox.ts';
import { A1, openWorld, type World } from '../support/world.ts';

/** Messages that people type, each with the secret that must not reach the model. */
const TYPED: readonly (readonly [string, string])[] = [
  ['set the password to hunter2', 'hunter2'],
  ['need a pin for 0103, customer says 8841', '8841'],
  ['need a pin for 0103, it is swordfish', 'swordfish'],
  ['pin for 2015550101 please, the code is swordfish', 'swordfish'],
  ['need a pin for 0103, customer says it is swordfish', 'swordfish'],
  ['got a password from the old carrier, customer says: swordfish', 'swordfish'],
  ['set the password to swordfish for 0101', 'swordfish'],
  ["password is 'a b c'", 'a b c'],
  ['password is correct horse battery staple', 'horse battery'],
  ['use hunter2 as password for 0101', 'hunter2'],
  ["I'd like hunter2 to be my password", 'hunter2'],
  ['for the password use swordfish', 'swordfish'],
  ['change the password from sunshine1 to moonlight2', 'moonlight2'],
  ['change the password from sunshine1 to moonlight2', 'sunshine1'],
  ['Here is the password:\nhunter2', 'hunter2'],
  ["Her password? It's hunter2", 'hunter2'],
  ['Password hunter2!', 'hunter2!'],
  ['pwd=hunter2', 'hunter2'],
  ['user bob pass hunter2', 'hunter2'],
  ['login bob / hunter2', 'hunter2'],
  ["'open sesame' is the account password", 'open sesame'],
  ['account password "open sesame", number +12015550101', 'open sesame'],
  ['The old carrier says the account password is Blue$ky', 'Blue$ky'],
  ['PIN at the old carrier: 48213', '48213'],
  ['48213 is the PIN', '48213'],
  ['use 4821 as the port-out PIN', '4821'],
  ['with a PIN of 4821', '4821'],
  ['set a pin of 4821 for 0105', '4821'],
  ['set pin of 4821 for 0105', '4821'],
  ['port 0103, set pin of 4821', '4821'],
  ['give 0105 pin of 4821', '4821'],
  ['my pin is 4711 and password is hunter2, set port out pin of 0105', '4711'],
  ['set port out pin of 0105 to 4821', '4821'],
  ['numbers 0105 pin 4821', '4821'],
  ['pin 4821', '4821'],
  ['change the PIN of 0101 to 4821', '4821'],
  ['PIN — 48213', '48213'],
  ['*PIN:* 48213', '48213'],
  ['PIN: `48213`', '48213'],
  ['PIN (48213)', '48213'],
  ['PIN\n4821', '4821'],
  ['PIN 48-21-3', '48-21-3'],
  ['PIN is four eight two one three', 'eight two'],
  ['the PIN they gave me was 9 8 7 6', '8 7 6'],
  ['the PIN for +12015550101 is 4821 and move 0102 to starter', '4821'],
  ['Port +13125550111, account 12345678, PIN 4821, name Ava Stone', '4821'],
  ['port +12015550101; carrier PIN=48213; account=77', '48213'],
  ['my pin is: one two three four', 'two three'],
  ['The security code is 998877', '998877'],
  ["My mother's maiden name is Smith", 'Smith'],
  ['credentials: bob hunter2', 'hunter2'],
  ['the new token is abc-def-ghi', 'abc-def-ghi'],
  ['passwort: geheim', 'geheim'],
  ['Das Kundenkennwort lautet Sonnenblume', 'Sonnenblume'],
  ['mein PIN ist vier acht zwei eins', 'acht zwei'],
  ['the carrier pin is 2015550105', '2015550105'],
  ['port 0101, PIN: 2015550105', '2015550105'],
  ['the pin 48213 is for 2015550105', '48213'],
  ['Le mot de passe est bonjour', 'bonjour'],
  ['le code PIN du client est le 4821', '4821'],
  ['la contraseña nueva será girasol', 'girasol'],
  ["la clave es 'sol y luna'", 'sol y luna'],
  ['a senha é girassol2024', 'girassol2024'],
  ['la password è girasole', 'girasole'],
  ['wachtwoord is zonnebloem', 'zonnebloem'],
  ['hasło to słonecznik', 'słonecznik'],
  ['şifre: 4821', '4821'],
  ['пароль подсолнух', 'подсолнух'],
  ['пароль: подсолнух', 'подсолнух'],
  ['密码是hunter2', 'hunter2'],
  ['密码：向日葵', '向日葵'],
  ['パスワードはhunter2です', 'hunter2'],
  ['비밀번호는 1234입니다', '1234'],
  ['كلمة المرور هي hunter2', 'hunter2'],
];

/** Messages about secrets that contain none, and messages about other things. */
const KEPT = [
  "turn texting off on +12015550103, he's getting spammed with otp codes",
  'he gets 2fa codes all day, texts off 0103',
  "port out pin for 2015550101 please, she's going to verizon",
  'transfer pin on +12015550101 asap, customer goes to verizon',
  'need a transfer pin for 0103, customer is leaving us',
  'port out pin 2015550105 please',
  'he needs his transfer pin, 201-555-0105',
  'create a pin for 0103, she was with us for years',
  'customer needs the pin to take 0102 with them',
  'she wants the transfer PIN to move 0102 away',
  'Set a port-out PIN for 0101',
  'What is the port-out PIN for 0101?',
  'reset the password of 0101',
  'set port out pin of 0105',
  'reset pin of 0105, customer called',
  'need port-out PIN of 0105 please',
  'set port out pin for 0105',
  'port out pin on 0105 please',
  '/numbers pin 0101',
  'number pin 0101',
  'the customer says the PIN is wrong',
  'Is the password correct?',
  'the PIN is on file',
  'the PIN has 4 digits',
  'password must be longer than 8 characters',
  'I forgot my password yesterday',
  'which orders failed because of a wrong PIN?',
  'Limit 300 MB for 0101, PIN not needed',
  'cancel 0101 and 0102, no PIN needed',
  'pass 0101 to Ava',
  'the error code is 500',
  'area code 212',
  'Is a PIN needed for the port-in of +13125550111?',
  'order JNUOID-00000000-0000-4000-8000-000000000001 is stuck',
];

let world: World;
let model: ScriptedModel;
let assistant: Assistant;

beforeAll(async () => {
  world = await openWorld();
  model = await scriptedModel('openai-compatible');
  const env = { ASSISTANT_MODEL: 'm', ASSISTANT_URL: model.url, DATA_DIR: world.folder };
  const worker = { on: () => undefined } as never;
  assistant = openAssistant(loadConfig({ ...onSandbox(world.sandbox.url), ...env }), { ...world.runtime, worker });
});
afterAll(async () => {
  await model.close();
  await world.close();
});
beforeEach(() => {
  model.requests.length = 0;
});

const writer = { id: 'slack:ana', name: 'ana', role: 'operator', surface: 'slack', priority: 'person' } as const;

/** Sends a message and returns the text that reaches the model. */
async function read(text: string): Promise<string> {
  const turn = assistant.turn({ thread: `t${Math.random()}`, text, writer });
  for await (const _event of turn);
  const { messages } = JSON.parse(model.requests.at(-1)?.text ?? '') as { messages: { content: string }[] };
  return messages.at(-1)?.content ?? '';
}

describe('a secret in a message', () => {
  it.each(TYPED)('is removed: %s', async (text, secret) => {
    const seen = await read(text);
    expect(seen).not.toContain(secret);
    expect(seen).toContain(TYPED_SECRET);
  });

  it('is removed without the line that the same message names', () => {
    const said = 'my pin is 4711 and password is hunter2, set port out pin of 0105';
    expect(withoutTypedSecrets(said).text).toBe(
      `my pin is ${TYPED_SECRET} and password is ${TYPED_SECRET}, set port out pin of 0105`,
    );
  });

  it('is removed, and the address behind it stays', () => {
    const said = 'port 917-555-0123 in, pin 0420, Ava Stone, 1 Main St, Chicago IL 60601';
    expect(withoutTypedSecrets(said).text).toBe(said.replace('0420', TYPED_SECRET));
    expect(withoutTypedSecrets('pins 0420, 4711').text).toBe(`pins ${TYPED_SECRET}, ${TYPED_SECRET}`);
  });

  it.each(KEPT)('is not seen where there is none: %s', (text) => {
    expect(withoutTypedSecrets(text)).toEqual({ text, found: false });
  });

  it('takes time in proportion to the length of the message', () => {
    const began = performance.now();
    for (const part of ['password is ', 'a', 'PIN "', 'пароль', '密码', "pass'", 'x-', '4821 is '])
      withoutTypedSecrets(part.repeat(Math.floor(8000 / part.length)));
    expect(performance.now() - began).toBeLessThan(4000);
  });
});

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

  it('is refused by the gate with the name of the field', async () => {
    const input = { OrderId: 'JNUOID-00000000-0000-4000-8000-000000000001', CurrentAccountPassword: TYPED_SECRET };
    const failed = await world.runtime.gate
      .perform('numbers_portin_update', { ...input, AccountId: A1 }, writer)
      .catch(asSwitchboardError);
    if (!('face' in failed)) throw new Error('it was taken');
    expect(failed.face).toMatchObject({ code: 'invalid_input', outcome: 'not_done', field: 'CurrentAccountPassword' });
    expect(failed.face.message).toContain('open the form');
  });
});
