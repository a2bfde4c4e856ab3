import { beforeEach, describe, expect, it } from 'vitest';
import { labelledNumbers, pastedLists, refusedNumbers, writtenNumbers } from '../../support/inputs/numbers.ts';
import { seenTexts, unseenTexts } from '../../support/inputs/texts.ts';
import { PORT_IN, seeded } from '../../support/seed.ts';
import { call, face, type Json, openWorld, value } from '../../support/world.ts';

/* Inputs as clients and clipboards write them, over MCP by HTTP. */

const world = await openWorld({ MCP_TOOLSETS: 'all' });
beforeEach(() => world.reset());

const asked = async (name: string, input: Json) => {
  const result = await call(await world.client(), name, input);
  if (result.isError) throw new Error(face(result).message);
  const { confirmation } = value(result);
  const action = await world.runtime.gate.actions.get(confirmation.id);
  return { shown: action?.shown ?? {}, said: JSON.stringify(result.content) };
};

describe('a number in a tool call', () => {
  it.each([...writtenNumbers, ...labelledNumbers])('$what', async ({ write }) => {
    const result = await call(await world.client(), 'numbers_get', { PhoneNumber: write('2015550101') });
    expect(value(result)).toMatchObject({ PhoneNumber: seeded(1) });
    expect(value(result).Warning).toBeUndefined();
  });

  it.each(refusedNumbers)('is refused with the reason: $what', async ({ text, says }) => {
    const { message, field } = face(await call(await world.client(), 'numbers_get', { PhoneNumber: text }));
    expect(field).toBe('PhoneNumber');
    expect(message).toMatch(says);
  });

  it('is not dropped beside another one that fits the same field', async () => {
    const both = { PhoneNumber: seeded(1), Number: seeded(2) };
    const { code, field } = face(await call(await world.client(), 'numbers_get', both));
    expect([code, field]).toEqual(['invalid_input', 'Number']);
  });

  it.each(pastedLists)('stands for several where a list belongs: $what', async ({ write }) => {
    const pasted = write(seeded(3), '201-555-0104');
    const { shown } = await asked('numbers_cancel', { PhoneNumbers: [pasted] });
    expect(shown.PhoneNumbers).toEqual([{ Number: seeded(3) }, { Number: seeded(4) }]);
  });
});

describe('a text in a tool call', () => {
  it.each(unseenTexts)('loses $what, and the question says so', async ({ given, sent }) => {
    const { shown, said } = await asked('numbers_portin', {
      ...PORT_IN,
      SubscriberName: given,
      CurrentBillingAddress: { ...PORT_IN.CurrentBillingAddress, Street1: given },
    });
    expect(shown).toMatchObject({ SubscriberName: sent, CurrentBillingAddress: { Street1: sent } });
    const [note = ''] = /[\w., ]+: invisible characters were removed\./.exec(said) ?? [];
    for (const field of ['SubscriberName', 'CurrentBillingAddress.Street1']) expect(note).toContain(field);
  });

  it.each(seenTexts)('keeps $what', async ({ text }) => {
    const { shown, said } = await asked('numbers_portin', { ...PORT_IN, SubscriberName: text });
    expect(shown.SubscriberName).toBe(text);
    expect(said).not.toContain('invisible');
  });
});
