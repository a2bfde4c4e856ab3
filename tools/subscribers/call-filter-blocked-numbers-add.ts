import { filterListChange } from '../shared/filter-lists.ts';
import { CALL_FILTER } from '../shared/filters.ts';

export default filterListChange(CALL_FILTER, 'blocked', 'add', {
  title: 'Block callers',
  description: 'Blocks callers on a call filter: their calls are dropped silently. Returns the whole list.',
  risk: 'write',
  source: 'S+I',
});
