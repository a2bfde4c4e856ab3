import { filterListChange } from '../shared/filter-lists.ts';
import { CALL_FILTER } from '../shared/filters.ts';

export default filterListChange(CALL_FILTER, 'blocked', 'remove', {
  title: 'Unblock callers',
  description:
    'Takes numbers off the block list of a call filter; they ring through again unless another rule stops them.',
  risk: 'write',
  source: 'S, path I',
});
