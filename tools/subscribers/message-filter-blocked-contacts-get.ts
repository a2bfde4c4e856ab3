import { filterListRead, MESSAGE_FILTER } from '../shared/filters.ts';

export default filterListRead(MESSAGE_FILTER, 'blocked', {
  title: 'Blocked message contacts',
  description: 'The block list of a message filter: contacts whose messages are dropped.',
});
