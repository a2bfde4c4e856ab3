import { filterListChange, MESSAGE_FILTER } from '../shared/filters.ts';

export default filterListChange(MESSAGE_FILTER, 'blocked', 'add', {
  title: 'Block message contacts',
  description: 'Blocks contacts on a message filter: their messages are dropped and the sender is not told.',
});
