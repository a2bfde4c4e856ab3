import { expect, it } from 'vitest';
import { type Shown, shownBy } from '../../src/language/shown.ts';

const shown = (name: string): Shown => ({ noun: 'package', records: [{ name }] });

it('finds what was shown for each message from the last one back, and nothing for one that is not known', () => {
  const told = [
    { text: 'show plans', shown: shown('Old') },
    { text: 'find ava ', shown: shown('Ava') },
    { text: 'show plans', shown: shown('New') },
  ];
  expect(shownBy(['find ava', 'park it', 'show plans'], told)).toEqual([shown('Ava'), undefined, shown('New')]);
  expect(shownBy(['show plans', 'show plans'], told)).toEqual([shown('Old'), shown('New')]);
});
