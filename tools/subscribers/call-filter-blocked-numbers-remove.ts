import { CALL_FILTER, filterListChange } from '../shared/filters.ts';

export default filterListChange(CALL_FILTER, 'blocked', 'remove', {
  title: 'Unblock callers',
  description: 'Unblocks callers on a call filter. Another rule may still stop them.',
  risk: 'write',
  source: 'S, path I',
});
