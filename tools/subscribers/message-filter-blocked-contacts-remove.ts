import { filterListChange, MESSAGE_FILTER } from '../shared/filters.ts';

export default filterListChange(MESSAGE_FILTER, 'blocked', 'remove', {
  title: 'Unblock message contacts',
  description:
    'Takes contacts off the block list of a message filter: their messages arrive again unless another rule stops them.',
});
