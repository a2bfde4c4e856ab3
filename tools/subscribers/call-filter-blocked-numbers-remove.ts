import { filterListChange } from '../shared/filter-lists.ts';

export default filterListChange('calls', 'blocked', 'remove', {
  title: 'Unblock callers',
  description:
    'Takes numbers off the block list of a call filter; they ring through again unless another rule stops them.',
  risk: 'write',
  source: 'S, path I',
});
