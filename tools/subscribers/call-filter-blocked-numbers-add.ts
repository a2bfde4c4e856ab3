import { CALL_FILTER, filterListChange } from '../shared/filters.ts';

export default filterListChange(CALL_FILTER, 'blocked', 'add', {
  title: 'Block callers',
  description: 'Blocks callers on a call filter: their calls are dropped silently.',
});
