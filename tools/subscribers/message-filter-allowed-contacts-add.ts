import { filterListChange } from '../shared/filter-lists.ts';

export default filterListChange('messages', 'allowed', 'add', {
  title: 'Allow message contacts',
  description:
    'Adds contacts whose messages skip every check of a message filter (keywords, links, media). Returns the whole list.',
});
