import { CALL_FILTER, filterListChange } from '../shared/filters.ts';

export default filterListChange(CALL_FILTER, 'allowed', 'add', {
  title: 'Allow callers',
  description: 'Allows callers on a call filter, for WHITELIST mode and BlockUnknownNumbers.',
});
