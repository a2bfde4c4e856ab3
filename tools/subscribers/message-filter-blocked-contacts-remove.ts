import { filterListChange } from '../shared/filters.ts';

export default filterListChange('messages', 'blocked', 'remove', {
  title: 'Unblock message contacts',
  description:
    'Takes contacts off the block list of a message filter: their messages arrive again unless another rule stops them.',
});
