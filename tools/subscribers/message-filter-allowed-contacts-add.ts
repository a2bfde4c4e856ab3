import { filterListChange } from '../shared/filter-lists.ts';
import { MESSAGE_FILTER } from '../shared/filters.ts';

export default filterListChange(MESSAGE_FILTER, 'allowed', 'add', {
  title: 'Allow message contacts',
  description:
    'Adds contacts whose messages skip every check of a message filter (keywords, links, media). Returns the whole list.',
  risk: 'write',
  source: 'S+I',
});
