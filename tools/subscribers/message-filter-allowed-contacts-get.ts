import { filterListRead } from '../shared/filters.ts';

export default filterListRead('messages', 'allowed', {
  title: 'Allowed message contacts',
  description: 'The allow list of a message filter: contacts whose messages are always delivered.',
});
