import { filterListRead } from '../shared/filter-lists.ts';
import { CALL_FILTER } from '../shared/filters.ts';

export default filterListRead(CALL_FILTER, 'blocked', {
  title: 'Blocked callers',
  description: 'The block list of a call filter. Calls from these numbers are dropped.',
  source: 'I',
});
