import { filterListChange } from '../shared/filter-lists.ts';
import { CALL_FILTER } from '../shared/filters.ts';

export default filterListChange(CALL_FILTER, 'allowed', 'add', {
  title: 'Allow callers',
  description:
    'Adds numbers to the allow list of a call filter, which decides who gets through in WHITELIST mode and with BlockUnknownNumbers.',
  risk: 'write',
  source: 'S+I',
});
