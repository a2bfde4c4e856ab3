import { filterListChange } from '../shared/filters.ts';

export default filterListChange('calls', 'blocked', 'add', {
  title: 'Block callers',
  description: 'Blocks callers on a call filter: their calls are dropped silently.',
});
