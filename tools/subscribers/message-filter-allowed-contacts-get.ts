import { filterListRead, MESSAGE_FILTER } from '../shared/filters.ts';

export default filterListRead(MESSAGE_FILTER, 'allowed', {
  title: 'Allowed message contacts',
  description: 'The allow list of a message filter: contacts whose messages are always delivered.',
});
