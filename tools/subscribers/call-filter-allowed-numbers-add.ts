import { filterListChange } from '../shared/filters.ts';

export default filterListChange('calls', 'allowed', 'add', {
  title: 'Allow callers',
  description: 'Allows callers on a call filter, for WHITELIST mode and BlockUnknownNumbers.',
});
