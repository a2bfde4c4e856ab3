import { type GuidedAnswer, help } from '../answers/answer.ts';

/* Orders and questions about batches: their cards have the buttons, and no line is meant. */

/** Before an order: "please", "can you", "I want to". */
export const LEAD = String.raw`^\W*(?:(?:hi|hey|hello|morning|team|all|please|pls|plz|ok|okay|so|and|also|now|then|just|can|could|would|will|you|u|we|i|want|need|like|have|got|to|should|must|gotta|let['’]?s|let|me|someone|somebody|quick(?:ly)?|omg|help)[\s,:!–—-]+)*`;

const BATCH = String.raw`(?:batch(?:es)?|(?:bulk|mass)\s+(?:job|run|change|update|order|action|operation|request|edit|cancel\w*|park\w*|hold\w*|suspen\w*|pause|activation|reactivation|swap|text|message|sms|send\w*|import|list)s?|everything\s+(?:that\s+is\s+|that['’]?s\s+|thats\s+)?running|(?:everything|whatever|all)\s+(?:that\s+)?(?!i\b)\p{L}+\s+(?:has\s+|had\s+|just\s+)?(?:started|launched|kicked\s+off|set\s+off))`;
const OBJECT = String.raw`(?:(?!in\b|as\b|with\b|by\b|via\b|of\b|for\b)[\p{L}'’]+\s+){0,5}?`;
const CONTROL = String.raw`(?:stop|halt|abort|kill|cancel|end|quit|pause|hold|freeze|suspend|park|interrupt|resume|continue(?:\s+with)?|restart|unpause|unpark|unfreeze|reactivate|activate|go\s+on\s+with|carry\s+on\s+with|call\s+off|terminate|undo|revert|reverse|roll\s+back|shut\s+down|put|take|withdraw|drop|scrap|break)`;
const STOPS_BATCH = new RegExp(
  String.raw`${LEAD}${CONTROL}\s+(?:off\s+)?${OBJECT}${BATCH}\b|(?<!\b(?:in|as|with|by|via)\s+(?:a|an|one|the|same)\s+)\b${BATCH}\b[^.;!?]*\b(?:(?:should|must|has\s+to|needs?\s+to)\s+(?:be\s+)?|[,:–—-]\s*)(?:please\s+|pls\s+)?${CONTROL}\w*\b|\b(?:let|have|make)\s+${OBJECT}${BATCH}\s+${CONTROL}\b|\b${BATCH}\b[^.;!?]*[.?!]+\s*(?:(?:please|pls|then|so|ok)\s+)*${CONTROL}(?:\s+(?:it|that|this|them)\b|\s*[.!?]*$)`,
  'iu',
);
const ASKS_BATCH = new RegExp(
  String.raw`^\W*(?:(?:hi|hey|so|and|ok|please|pls|can|you|tell|me|show|know|check|see)[\s,]+)*(?:how|what['’]?s?|whats|where|wheres|is|are|was|were|did|does|has|have|which|any|status|show|list|who|when|why|progress|results?)\b[^.;!?]*\b${BATCH}\b|\b(?:status|state|progress|results?)\s+(?:of|for)\s+(?:the|that|my|our|this)\s+(?:\p{L}+\s+)?${BATCH}\b|\b${BATCH}\s+(?:status|state|progress|results?|stuck|running|done|finished)\b|(?:my|our|the|all|any|open|running)\s+${BATCH}\s*[?.!]*$|^\W*(?:(?:show|list|see|my|our|the|all|any|open|running)\s+)*batch(?:es)?(?:\s+(?:here|today|please|pls))*\s*[?.!]*$|^\W*(?:(?:the|my|our|that|this)\s+)?(?:\p{L}+\s+)?batch\b[^.;!?]{0,40}[,:–—-]\s*(?:how|what|where|is|did|when|any|still|done|status)\b|^\W*(?:(?:hi|hey|so|and|ok)[\s,]+)*(?:what(?:['’]?s|\s+is|\s+are)?|anything|is\s+(?:anything|something))\s+(?:still\s+|currently\s+|now\s+)?(?:running|in\s+progress|being\s+worked\s+on)(?:\s+(?:right\s+now|now|at\s+the\s+moment|currently|here|today))?\s*(?:[?.!]|$)`,
  'iu',
);
const HOW_BATCH = new RegExp(
  String.raw`^\W*(?:how|where|can|who|is\s+there)\b[^.;!?]*\b${CONTROL}\s+(?:off\s+)?${OBJECT}${BATCH}\b`,
  'iu',
);
const STARTS_BATCH = new RegExp(
  String.raw`${LEAD}(?:how\s+(?:do|can|to)\s+(?:i|we|you)?\s*)?(?:start|create|make|run|launch|open|begin|set\s+up|new)\s+${OBJECT}${BATCH}\s*[?.!]*$`,
  'iu',
);
const RESUMES = /\b(?:resume|continue|restart|unpause|unpark|unfreeze|reactivate|activate|go\s+on|carry\s+on)/i;
const UNDOES = /\b(?:undo|revert|reverse|roll\s+back|take\s+back)\b/i;
const PAUSES = /\b(?:pause|hold|freeze|suspend|park|interrupt)/i;
const WHERE = 'The batch command (/batch in Slack) lists your batches and opens the card';

const STARTS = new RegExp(`${LEAD}${CONTROL}\\b`, 'iu');

/** The verb of an order about a batch: "stop" in "stop the park batch" and in "the batch parks the wrong lines, stop". */
function controlOf(said: string, order: string): string {
  // "Put the batch on hold"
  if (/\b(?:put|take)\b/i.test(order)) return said;
  const verbs = order.match(new RegExp(`\\b${CONTROL}\\b`, 'giu')) ?? [];
  return (STARTS.test(said) ? verbs[0] : verbs.at(-1)) ?? order;
}

const OF_BATCH = new RegExp(
  `${LEAD}(?<control>${CONTROL})\\s+(?:it|that|this|them)(?:\\s+off)?(?:[\\s,]+(?:please|pls|now|then|again|for\\s+now))*[\\s.!]*$`,
  'iu',
);

/** "Pause it" after a question of a batch: the order about the batch. Undefined for other messages. */
export function ofBatchBefore(said: string, last: string): string | undefined {
  const control = OF_BATCH.exec(said)?.groups?.control;
  return control === undefined || ofBatch(last) === undefined ? undefined : `${control} the batch`;
}

/** True for a question of which batches there are, or how far one is: "is a batch running". */
export function asksForBatches(said: string): boolean {
  return ASKS_BATCH.test(said) && ![STOPS_BATCH, HOW_BATCH, STARTS_BATCH].some((other) => other.test(said));
}

/** "Stop the batch": its card has the buttons, and no number is meant. */
export function ofBatch(said: string): GuidedAnswer | undefined {
  const found = STOPS_BATCH.exec(said) ?? HOW_BATCH.exec(said);
  const order = found && controlOf(said, found[0]);
  if (order === null) {
    if (STARTS_BATCH.test(said))
      return help(
        'A batch begins with the batch command (in Slack “/batch numbers status”, with the lines or a file), or with the lines that a search found. Nothing was done',
      );
    if (!ASKS_BATCH.test(said)) return undefined;
    return help(
      `A batch shows its progress on its card, with “Pause”, “Stop” and “Results”, where it was asked for. ${WHERE}. Nothing was done`,
    );
  }
  const who = 'by the person who asked for the batch or by an approver';
  if (UNDOES.test(order))
    return help(
      `A batch is not undone as a whole. “Stop” on its card ends what is left of it, and “Results” lists what was done. ${WHERE}. Nothing was done`,
    );
  if (RESUMES.test(order))
    return help(`A paused batch goes on with “Resume” on its card, pressed ${who}. ${WHERE}. Nothing was done`);
  const first = PAUSES.test(order) ? '“Pause” on its card, and ended with “Stop”' : '“Stop” on its card';
  return help(
    `A batch is ${PAUSES.test(order) ? 'paused' : 'stopped'} with ${first}, where it was asked for, ${who}. That is a brake, which needs no approval: rows that were not sent stay as they are, and what was done stays done. ${WHERE}. Nothing was done`,
  );
}
