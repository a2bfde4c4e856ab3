import { filterListRead } from '../shared/filters.ts';

export default filterListRead('messages', 'blocked', {
  title: 'Blocked message contacts',
  description: 'The block list of a message filter: contacts whose messages are dropped.',
});
