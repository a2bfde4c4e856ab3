import { filterListChange, MESSAGE_FILTER } from '../shared/filters.ts';

export default filterListChange(MESSAGE_FILTER, 'allowed', 'add', {
  title: 'Allow message contacts',
  description: 'Allows contacts on a message filter: their messages skip all but its block list.',
});
