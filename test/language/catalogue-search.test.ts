import { describe, expect, it } from 'vitest';
import { CatalogueSearch, searchableOf } from '../../src/language/catalogue-search.ts';
import { tools } from '../../tools/index.ts';
import { type Wish, wishes } from './wishes.ts';
import { phrased } from './wishes-phrased.ts';
import { worded } from './wishes-worded.ts';

const search = new CatalogueSearch(tools.map(searchableOf));
const risks = new Map(tools.map(({ id, risk }) => [id, risk]));
const all: readonly Wish[] = [...wishes, ...worded, ...phrased];
const firstOf = (query: string) => search.search(query)[0] ?? '';
const isRisky = (id: string) => ['destroy', 'spend'].includes(risks.get(id) ?? '');

describe('the search of assistants', () => {
  it('finds what a wish asks for first', () => {
    const missed = all.flatMap(([query, first]) =>
      first.split('|').includes(firstOf(query)) ? [] : [`${query}: ${firstOf(query)}`],
    );
    expect(missed).toEqual([]);
  });

  it('finds nothing first that does the opposite, and nothing that destroys or costs unless it is asked for', () => {
    const harmful = all.flatMap(([query, first, never = '']) => {
      const found = firstOf(query);
      const isHarm = never.split(' ').includes(found) || (isRisky(found) && !first.split('|').includes(found));
      return isHarm ? [`${query}: ${found}`] : [];
    });
    expect(harmful).toEqual([]);
  });

  it('finds nothing first that destroys or costs where only the words of its definition fit', () => {
    for (const query of ['purchased package', 'a pin and its validity', 'the platform charges', 'deletion of records'])
      expect([query, isRisky(firstOf(query))]).toEqual([query, false]);
  });

  it('has a wish for every operation', () => {
    const wanted = new Set(all.flatMap(([, first]) => first.split('|')));
    const without = tools.map(({ id }) => id).filter((id) => !wanted.has(id));
    expect(without).toEqual([]);
  });
});
