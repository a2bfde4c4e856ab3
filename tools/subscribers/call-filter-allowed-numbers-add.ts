import { filterListChange } from '../shared/filter-lists.ts';

export default filterListChange('calls', 'allowed', 'add', {
  title: 'Allow callers',
  description:
    'Adds numbers to the allow list of a call filter, which decides who gets through in WHITELIST mode and with BlockUnknownNumbers.',
});
