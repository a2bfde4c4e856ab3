import type { Assistant } from '../../assistant/assistant.ts';
import type { Tool } from '../../catalogue/operation.ts';
import type { RecordSearch } from '../../language/records.ts';
import type { Lookup } from '../../language/typed-values.ts';
import type { KeyValues } from '../../store/key-values.ts';
import type { downloads } from './api/web.ts';
import type { Cards, Services } from './live/cards.ts';
import type { Home } from './live/home.ts';
import type { createMemory, Directory } from './people/roles.ts';

/** Services that listeners and flows use. */
export interface SlackContext extends Services {
  tools: readonly Tool[];
  /** The lookup of a number. */
  lookup: Lookup;
  /** Messages that were answered, by channel and time. */
  answered: KeyValues;
  /** The last change that is offered in each conversation, with its message. */
  offers: KeyValues;
  /** Answers plain words. */
  assistant: Assistant;
  memory: ReturnType<typeof createMemory>;
  directory: Directory;
  /** Finds records by last digits and names. */
  records: RecordSearch;
  cards: Cards;
  download: ReturnType<typeof downloads>;
  home: Home;
}
