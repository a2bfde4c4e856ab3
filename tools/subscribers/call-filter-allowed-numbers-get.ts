import { CALL_FILTER, filterListRead } from '../shared/filters.ts';

export default filterListRead(CALL_FILTER, 'allowed', {
  title: 'Allowed callers',
  description: 'The allow list of a call filter. In WHITELIST mode only these callers get through.',
});
