import { filterListChange } from '../shared/filters.ts';

export default filterListChange('calls', 'blocked', 'remove', {
  title: 'Unblock callers',
  description: 'Unblocks callers on a call filter. Another rule may still stop them.',
  risk: 'write',
  source: 'S, path I',
});
