import { filterListRead } from '../shared/filter-lists.ts';
import { CALL_FILTER } from '../shared/filters.ts';

export default filterListRead(CALL_FILTER, 'allowed', {
  title: 'Allowed callers',
  description: 'The allow list of a call filter. In WHITELIST mode only these callers get through.',
  source: 'I',
});
