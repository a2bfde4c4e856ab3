import { filterListChange } from '../shared/filter-lists.ts';
import { CALL_FILTER } from '../shared/filters.ts';

export default filterListChange(CALL_FILTER, 'blocked', 'add', {
  title: 'Block callers',
  description:
    'Blocks callers on a call filter: their calls are dropped silently. Returns the whole list. CallFilterId: subscribers_call_filter_get. Undo: subscribers_call_filter_blocked_numbers_remove.',
  risk: 'write',
  source: 'S+I',
});
