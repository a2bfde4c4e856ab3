import { CALL_FILTER, filterListChange } from '../shared/filters.ts';

export default filterListChange(CALL_FILTER, 'allowed', 'remove', {
  title: 'Remove allowed callers',
  description:
    'Takes numbers off the allow list of a call filter: in WHITELIST mode they no longer get through. It does not block them.',
});
