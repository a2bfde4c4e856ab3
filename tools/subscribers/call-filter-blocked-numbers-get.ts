import { CALL_FILTER, filterListRead } from '../shared/filters.ts';

export default filterListRead(CALL_FILTER, 'blocked', {
  title: 'Blocked callers',
  description: 'The block list of a call filter. Calls from these numbers are dropped.',
});
