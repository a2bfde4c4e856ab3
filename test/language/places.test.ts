import { describe, expect, it } from 'vitest';
import { isPlace, placeName, rowsAt, withPlaceWords } from '../../src/language/places.ts';

describe('a place in a list', () => {
  const rows = ['Starter', 'Family', 'Max'];

  it.each([
    ['first', ['Starter']],
    ['2nd', ['Family']],
    ['last', ['Max']],
    ['fourth', []],
    [undefined, rows],
  ])('%s is its row, and all rows where it is the only one of several', (word, found) => {
    expect(rowsAt(placeName(word), rows)).toEqual(found);
  });

  it('is no name of a record', () => {
    expect(rowsAt('Starter', rows)).toBeUndefined();
    expect([isPlace('Listed goods'), isPlace(placeName('third'))]).toEqual([false, true]);
  });

  it('is shown in words', () => {
    expect(withPlaceWords(`the ${placeName('2nd')} message route`)).toBe('the second message route of the list');
    expect(withPlaceWords(`Products in the package “${placeName()}”`)).toBe('Products in the package of the list');
    expect(withPlaceWords(`Packages, for “${placeName('first')}”`)).toBe('Packages, for the first entry of the list');
  });
});
