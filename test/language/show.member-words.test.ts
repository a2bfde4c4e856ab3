import { expect, it } from 'vitest';
import { fieldsOf } from '../../src/catalogue/input.ts';
import { isRepeated, memberLabel, memberText } from '../../src/language/show.ts';
import { tools } from '../../tools/index.ts';
import { CHOICE_WORDS, KIND_WORDS } from '../../tools/shared/fields.ts';

it('compares texts and numbers of a record, and no other value', () => {
  // `String` throws for such an object.
  const odd = { toString: null };
  expect(isRepeated('PhoneNumber', { Number: '+12015550101', PhoneNumber: '+12015550101' })).toBe(true);
  for (const other of [odd, null, '+12015550102'])
    expect(isRepeated('PhoneNumber', { Number: other, PhoneNumber: odd })).toBe(false);
});

/** Labels of a form that are longer than those of an answer, or are no word for the member of one. */
const OF_FORMS_ALONE = [
  'ICCID',
  'Iccid',
  'SKU',
  'TNID',
  'PortOutNumber',
  'Results',
  'TargetClassification',
  'TargetPortinClassification',
];

it('calls a member as the form calls its field', () => {
  const fields = tools.flatMap((tool) => fieldsOf(tool).filter(({ secret }) => !secret));
  const other = fields.filter(({ name, label }) => memberLabel(name) !== label);
  expect(other.map(({ name }) => name).filter((name) => !OF_FORMS_ALONE.includes(name))).toEqual([]);
  expect(memberLabel('Body')).toBe('Text');
});

it('has other words for each choice', () => {
  for (const words of [KIND_WORDS, ...Object.values(CHOICE_WORDS)].map((one) => Object.values(one)))
    expect(new Set(words).size).toBe(words.length);
});

it('names kinds of lines and prices in words', () => {
  expect(memberText('NumberType', 'mvno', {})).toBe('mobile');
  expect(memberText('Classification', 'VoIP', {})).toBe('internet phone');
  expect(memberText('Type', 'iot', {})).toBe('data SIM');
  expect(memberText('Price', '15', {})).toBe('15 USD');
});
