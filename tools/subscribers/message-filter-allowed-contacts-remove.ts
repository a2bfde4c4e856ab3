import { filterListChange, MESSAGE_FILTER } from '../shared/filters.ts';

export default filterListChange(MESSAGE_FILTER, 'allowed', 'remove', {
  title: 'Remove allowed contacts',
  description:
    'Takes contacts off the allow list of a message filter: its checks apply to them again. It does not block them.',
});
