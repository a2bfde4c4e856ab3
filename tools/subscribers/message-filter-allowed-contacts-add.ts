import { filterListChange } from '../shared/filters.ts';

export default filterListChange('messages', 'allowed', 'add', {
  title: 'Allow message contacts',
  description: 'Allows contacts on a message filter: their messages skip all but its block list.',
});
