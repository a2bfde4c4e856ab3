import { type GuidedAnswer, help } from '../answers/answer.ts';
import { DEEDS, type Reader, waitingNow } from '../answers/readings.ts';
import { aboutOf, ruleOf } from '../answers/rules.ts';
import { type Asked, LAST_MONTH } from '../facts/stance.ts';
import { type ProductSettings, platformHealth, whoMay } from './product.ts';

/* Answers to what is no operation, for messages that examples recognise and no rule does. */

/** The labels of the examples that are no operations. */
export const TOPICS = [
  'health',
  'history',
  'not_here',
  'numbers_portin_requirements',
  'undo_last',
  'waiting',
  'who_may',
  'withdraw',
] as const;
export type Topic = (typeof TOPICS)[number];

const TAKEN_BACK =
  'A request that still waits is taken back with “Withdraw” on its card, by the person who asked; “what is waiting” lists the cards';
const UNDONE = `${TAKEN_BACK}. A change that was made is undone by another change, which its outcome names`;
const NOT_HERE =
  'That was read as something that is not done here. What is done here are numbers, SIMs, port-ins, texts, routes, customers, plans and call filters';

const BACK = String.raw`(?:undone|undo|undoable|reversed|reversible|reverted|irreversible|permanent|final|(?:taken|rolled|put)\s+back|take\s+back)`;
/** Asks what can be undone at all, and of no change by its name. */
const ASKS_UNDOING = new RegExp(
  String.raw`^\W*(?:(?:hi|hey|so|and|ok|tell|me|show|list)[\s,]+)*(?:what|which)(?:\s+(?:all|of\s+(?:these|this|that|it|them)|sorts?\s+of\s+(?:changes|things)|kinds?\s+of\s+(?:changes|things)|changes|actions|things|orders|operations|ones|stuff))?\s+(?:here\s+)?(?:can|could|may|is|are|do|will)\b[^.;!?\d]*\b${BACK}\b`,
  'iu',
);

/** The answer to "what can be undone and what not". Undefined for any other sentence. */
export function ofUndoing({ said, facts }: Pick<Asked, 'said' | 'facts'>): GuidedAnswer | undefined {
  if (facts.mentions.length > 0 || facts.message !== undefined || !ASKS_UNDOING.test(said)) return undefined;
  return help(`${UNDONE}. What cannot be undone is said before it is confirmed; ask “can a SIM swap be undone”`);
}

/** The answer about a topic. Undefined if it cannot be given to this writer. */
export function ofTopic(
  topic: Topic,
  asked: Asked,
  { reader, settings }: { reader: Reader; settings: ProductSettings },
): GuidedAnswer | undefined {
  switch (topic) {
    case 'health':
      return platformHealth(asked, reader.byId.get('distributor_accounts_get'));
    case 'history':
      return reader.events(DEEDS, { ...asked, since: asked.since ?? LAST_MONTH });
    case 'waiting':
      return waitingNow(asked, reader.events);
    case 'who_may':
      return whoMay(settings);
    case 'withdraw':
      return help(TAKEN_BACK);
    case 'undo_last':
      return help(UNDONE);
    case 'not_here':
      return help(NOT_HERE);
    case 'numbers_portin_requirements': {
      const tool = reader.byId.get('numbers_portin');
      const about = tool && aboutOf(ruleOf(tool, {}), tool, (id) => reader.byId.get(id));
      const needs =
        'For a port-in, ask the customer for the number, the present carrier, the account number and PIN there, the name and address on the bill, and the ZIP. The guide asks for each';
      return { ...help(needs), operation: 'numbers_portin', ...(about && { about }) };
    }
  }
}
