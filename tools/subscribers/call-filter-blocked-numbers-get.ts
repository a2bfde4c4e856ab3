import { filterListRead } from '../shared/filters.ts';

export default filterListRead('calls', 'blocked', {
  title: 'Blocked callers',
  description: 'The block list of a call filter. Calls from these numbers are dropped.',
});
