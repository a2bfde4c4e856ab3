import { phonesIn } from '../../../platform/dialect/phone.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import { orders } from '../answers/endings.ts';

/*
 * A question of how something goes that names it by its deed: "port in +1…, is it stuck?", "reactivate 0108, did that go
 * through?". The deed is the name of a change that was asked for before, and is not ordered again.
 */

const HEAD = String.raw`^(?<deed>[^;.!?]{4,120}?)\s*[,;:–—-]+\s*(?:(?:and|so|but|ok|hey)[\s,]+)*`;
const IT = String.raw`(?:it|that|this|things?|(?:the|that|this)\s+(?:order|request|port|change|one))`;
const STATE = String.raw`(?:stuck|hanging|blocked|late|delayed|overdue|done|through|finished|complete[d]?|approved|confirmed|declined|rejected|refused|failed|moving|progressing|pending|open|waiting|alive|dead|ready|executed|in\s+progress|on\s+(?:track|time))`;
const ASKS = new RegExp(
  [
    String.raw`${HEAD}(?:is|was|has|isn['’]?t|hasn['’]?t)\s+${IT}\s+(?:(?:still|already|now|all|yet|been|finally|even|just)\s+)*${STATE}\b[^,;.!?]{0,24}\?*\s*$`,
    String.raw`${HEAD}(?:did|has|have|didn['’]?t)\s+${IT}\s+(?:(?:ever|already|finally|even)\s+)*(?:go(?:ne)?|get|got|work(?:ed)?|happen(?:ed)?|fail(?:ed)?|come|arrive[d]?|finish(?:ed)?|complete[d]?|succeed(?:ed)?|move[d]?)\b[^,;.!?]{0,24}\?*\s*$`,
    String.raw`${HEAD}(?:where|how)\s+(?:does|is|are|did|far)\s+(?:${IT}|we)\s*(?:stand|at|now|going|doing|along|hang|go)?(?:\s+(?:now|with\s+${IT}))?\s*\?*\s*$`,
    String.raw`${HEAD}(?:any\s+(?:news|updates?|progress)|what(?:['’]?s|\s+is)\s+(?:the\s+)?(?:status|state|news|hold-?up|holding\s+it\s+up)|status)(?:\s+(?:on|of|with)\s+${IT})?\s*\?*\s*$`,
  ]
    .join('|')
    .replaceAll('?<deed>', ''),
  'iu',
);
const DEED = new RegExp(`${HEAD}(?=(?:is|was|has|have|did|where|how|any|what|status)\\b|\\p{L}+n['’]t\\b)`, 'iu');

/** The state of what the deed names, in place of an offer to do it. */
export function ofAskedState(
  guided: GuidedAnswer,
  text: string,
  answered: (text: string) => GuidedAnswer,
): GuidedAnswer {
  const isOffer = guided.kind === 'form' || guided.kind === 'question';
  if (!isOffer || text.length > 160 || !ASKS.test(text)) return guided;
  const deed = DEED.exec(text)?.groups?.deed ?? '';
  const [phone] = phonesIn(deed);
  const number = phone ?? /(?<![\d-])\d{4}(?![\d-])/.exec(deed)?.[0];
  if (number === undefined || !orders(deed)) return guided;
  const isPort = guided.operation === 'numbers_portin';
  const state = answered(isPort ? `status of the port order of ${number}` : `what happened with ${number}`);
  if (state.kind !== 'lookup' && state.kind !== 'events') return guided;
  const told = `; “${deed.trim()}” is read as what was asked for before, and is not offered`;
  return {
    ...state,
    understood: `${state.understood.replace(/\.$/, '')}${told}.`,
    remarks: `${state.remarks ?? ''}${told}`,
    ...(!isPort && guided.operation !== undefined && { stateOf: guided.operation }),
  };
}
