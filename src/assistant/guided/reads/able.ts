import { defined } from '../../../lib/json.ts';
import { answer, type GuidedAnswer, understood } from '../answers/answer.ts';
import { nameIn } from '../answers/finder.ts';
import type { Reader } from '../answers/readings.ts';
import type { Asked } from '../facts/stance.ts';

/* "Can she text" and "does 0104 get calls" ask for the diagnosis of a line. A list of its messages does not answer them. */

const SUBJECT = String.raw`(?!(?:you|u|we|i|me|us|someone|somebody|anyone|anybody|it\s+be|one)\b)(?:(?:the\s+)?(?:(?:customer|client|subscriber|guy|lady|line|number)\s+(?:on\s+|of\s+|with\s+)?)?[#…*+]*[\d(][\d\s().-]*(?:(?:['’]s)?\s*(?:customer|client|subscriber|guy|lady|line|number|phone|one))?|(?:the\s+)?[\p{L}'’-]+(?:\s+[\p{L}'’-]+)?(?:\s+(?:on|at|with)\s+[#…*]*\d{4})?)`;
const TEXTS = String.raw`text|sms|(?:send|get|receive|write)\s+(?:and\s+(?:get|receive)\s+|or\s+(?:get|receive)\s+)?(?:any\s+|out\s+)?(?:texts?|sms|messages?|mms)`;
const CALLS = String.raw`call(?:\s+(?:out|anyone|anybody|people))?|phone|ring|(?:make|get|receive|take|place)\s+(?:and\s+(?:get|receive)\s+|or\s+(?:get|receive)\s+)?(?:any\s+)?(?:phone\s+)?calls?|be\s+(?:called|reached)`;
const DATA = String.raw`(?:use|get|have)\s+(?:any\s+|the\s+|mobile\s+)?(?:data|internet)|go\s+online|surf|get\s+online|browse`;
const TAIL = String.raw`(?:\s+(?:at\s+all|yet|again|now|right\s+now|today|still|anymore|any\s+more|please|pls|(?:on|with|from|at|for)\s+(?:the\s+)?(?:number|line|[#…*]*\d{4}|her|his|it|\p{L}+(?:['’]?s)?)(?:\s+(?:number|line|phone|\d{4}))?|[#…*]*\d{4}))*[\s?!.]*$`;
const ABLE = new RegExp(
  String.raw`^\W*(?:(?:hi|hey|hello|so|and|ok|okay|but|please|pls|quick|question|check|see|tell\s+me|if|whether|wait|now)[\s,:]+)*(?:can|could|does|do|did|is|are|will)\s+${SUBJECT}\s+(?:(?:still|even|now|already|actually|really|currently|again)\s+)*(?:able\s+to\s+|allowed\s+to\s+)?(?:(?:still|even)\s+)?(?:(?<texts>${TEXTS})|(?<calls>${CALLS})|(?<data>${DATA}))${TAIL}`,
  'iu',
);

/** The diagnosis that such a question asks for. Undefined for any other sentence. */
export function ofAble(asked: Asked, { byId, finder }: Reader): GuidedAnswer | undefined {
  const { facts, said, clauses, mayUse, since } = asked;
  const tool = byId.get('numbers_diagnose');
  const found = ABLE.exec(said)?.groups;
  if (!found || !tool || !mayUse(tool.id) || since !== undefined) return undefined;
  const [only, ...others] = facts.mentions;
  if (others.length > 0 || facts.ids.length > 0 || facts.message !== undefined) return undefined;
  if (only === undefined && nameIn(facts, clauses) === undefined) return undefined;
  const about = found.texts !== undefined ? 'texts' : found.calls !== undefined ? 'calls' : 'data';
  const input = { ...defined({ PhoneNumber: facts.numbers[0] }), About: about };
  const find = facts.numbers.length > 0 ? undefined : finder.findFor(tool, input, facts, clauses, true);
  if (facts.numbers.length === 0 && !find) return undefined;
  return answer('lookup', { tool, input, understood: understood(tool, input, find) }, find);
}
