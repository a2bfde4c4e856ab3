import { wordsOf } from '../../../language/sentence.ts';
import { respelled } from '../../../language/spelling.ts';

/*
 * Questions about the state of what was asked for in the conversation: "did lee approve it", "has anyone said yes yet",
 * "did that go through", "what did you just change". They name no record, and the person who decides is no customer.
 */

const MAX_LENGTH = 80;
const ASKS =
  /^\W*(?:(?:and|so|ok|okay|but|hey|hm+|well|now|wait)[\s,]+)*(?:did|has|have|had|is|are|was|were|who|which|what|whats|any|anyone|anybody|anything|still|nobody|no\s+one)\b/iu;
const DECISION = String.raw`(?:approv(?!er)\w+|confirm\w*|declin\w+|reject\w*|decid\w+|agree\w*|ok(?:ay)?['’]?e?d|(?:ok|okay)\s+(?:it|that|this)|sign\w*\s+(?:it\s+|that\s+)?off|(?:say|said|says|given?|gave)\s+(?:\p{L}+\s+){0,2}?(?:yes|no|ok|okay|go|nod)|answer\w*|react(?!ivat)\w*|respond\w*|repl(?:y|ied)|look(?:ed|ing)?\s+at\s+(?:it|that|this)|press\w*|click\w*)`;
const OUTCOME = String.raw`(?:go(?:ne|es)?\s+(?:through|thru|out|live)|went\s+(?:through|thru|out)|happen\w*|appl(?:y|ied)|execut\w+|carried\s+out|process\w*|succeed\w*|done\s+already|already\s+done)`;
const CHANGED = String.raw`what\s+(?:did|have|has)\s+(?:you|we|i|switchboard|it|that|this)\s+(?:just\s+|now\s+|already\s+|really\s+|actually\s+)*(?:change|do|done|did|send|sent)\w*`;
const STATE = new RegExp(String.raw`\b(?:${DECISION}|${OUTCOME}|${CHANGED})\b`, 'iu');
/** The request itself, or nothing: "did lee approve it", "has anyone answered yet". */
const ITSELF =
  /\b(?:it|that|this|those|them|these|ones?|yet|already|still|mine|my|just|so\s+far)\b|^\W*\S+(?:\s+\S+){0,3}\W*$/iu;
const PERIOD =
  /\b(?:today|yesterday|tonight|week|weeks|month|months|days?|hours?|since|night|morning|ago|ever|often|many|last|usually|normally|always)\b|\d/i;
/** Things that a request may be called. */
const OWN_THINGS: ReadonlySet<string> = new Set(['approval', 'request', 'question', 'order', 'number', 'change']);
const OPEN_WORDS = '(?:open|waiting|pending|outstanding|unanswered|undecided)';
const STILL_OPEN = new RegExp(
  String.raw`\b(?:is|are|was|does|do)\s+(?:it|that|this|they|those|these|mine)\s+(?:\p{L}+\s+){0,2}?(?:${OPEN_WORDS}|waits?|wait)\b|\b(?:ones?|of\s+(?:them|those|these|mine))\s+(?:is|are)\s+(?:still\s+)?${OPEN_WORDS}\b|^\W*still\s+${OPEN_WORDS}\W*$`,
  'iu',
);

/** True for a question about the state of the request of the conversation. */
export function asksState(said: string): boolean {
  const text = respelled(said).text;
  if (text.length > MAX_LENGTH || PERIOD.test(text) || asksWhoDecides(text)) return false;
  if (STILL_OPEN.test(text)) return true;
  if (!ASKS.test(text) || !STATE.test(text) || !ITSELF.test(text)) return false;
  return wordsOf(text).every(({ things }) => things.every((one) => OWN_THINGS.has(one)));
}

const LIVE =
  /^\W*(?:(?:and|so|ok|okay|but|hey|hm+|now)[\s,]+)*(?:is|are|has|was)\s+(?:it|that|this|the\s+(?:change|swap|new\s+(?:sim|one)))\s+(?:(?:already|now|been)\s+)*(?:live|active(?=\s+(?:already|yet))|activated|in\s+effect|effective|cancell?ed|changed|swapped|done)(?:\s+(?:already|yet|now))*[\s?.!]*$/iu;

/** "Is it live already", which asks for the state of an offer that is open. */
export function asksIfLive(said: string): boolean {
  return LIVE.test(said);
}

/** True for a question whether the request was decided. */
export function asksDecision(said: string): boolean {
  return asksState(said) && DECIDED.test(respelled(said).text);
}

const DECIDED = new RegExp(String.raw`\b${DECISION}`, 'iu');
/** "Does that need lee", "do we need an ok for this" */
const NEEDS =
  /^\W*(?:(?:and|so|ok|okay|but|hey)[\s,]+)*(?:does|do|will|would|must|is|are)\s+(?:it|that|this|they|these|those|we|i|you)\s+(?:(?:also|still|even|really|now)\s+)*(?:need|require|wait(?:ing)?\s+(?:for|on))\s+(?:an?\s+|the\s+|some\s+)?(?:(?<name>\p{L}[\p{L}-]+?)(?:['’]?s)?\s+)?(?<noun>approv(?:al|er)s?|ok(?:ay)?|yes|go(?:\s+ahead)?|sign-?\s?off|confirmation|permission|consent|supervisors?|lead|boss|manager|somebody|someone|anybody|anyone|\p{L}[\p{L}-]+?)(?:['’]?s)?(?:\s+(?:for|on|to)\s+(?:it|that|this|(?:approve|ok|confirm|decide|look)(?:\s+(?:it|that|this))?))?[\s?.!]*$/iu;
const NEEDED =
  /^(?:approv(?:al|er)s?|ok(?:ay)?|yes|go(?:\s+ahead)?|sign-?\s?off|confirmation|permission|consent|supervisors?|lead|boss|manager|somebody|someone|anybody|anyone)$/iu;

/** True for "does that need lee": it asks for a yes, or for a person whose name means nothing else. */
function needsSomebody(said: string): boolean {
  const { noun } = NEEDS.exec(said)?.groups ?? {};
  return noun !== undefined && (NEEDED.test(noun) || wordsOf(noun).every(({ isUnknown }) => isUnknown));
}

const WHO_DECIDES =
  /^\W*(?:(?:and|so|ok|okay|but|hey)[\s,]+)*(?:who(?:\s+(?:all|else|exactly))?\s+(?:has\s+to|must|needs?\s+to|should|can|may|will|would|is\s+going\s+to|gets\s+to)\s+|(?:does|do|will|would|must|should)\s+(?:someone|somebody|anyone|anybody|lee|a\s+\p{L}+|an\s+\p{L}+|the\s+\p{L}+)\s+(?:have\s+to|need\s+to)\s+)(?:now\s+)?(?:approve|confirm|decide|ok|okay|sign|say\s+yes)\b[^.;!?\d]{0,30}[\s?.!]*$/iu;

const WHICH_DECIDE =
  /^\W*(?:(?:and|so|ok|okay|but|hey)[\s,]+)*(?:which|what)\s+(?:of\s+(?:us|you)|people|persons|colleagues|ones)\s+(?:can|may|could|are\s+allowed\s+to)\s+(?:approve|confirm|decide|ok|okay|sign)\b[^.;!?\d]{0,30}[\s?.!]*$/iu;

/** True for "who has to approve that", which names no record. */
export function asksWhoDecides(said: string): boolean {
  return WHO_DECIDES.test(said) || WHICH_DECIDE.test(said) || needsSomebody(said);
}

const COMPLAINT =
  /^\W*(?:(?:no+|nope|nah|hey|um|hm+|but|sorry|wait|ugh|lol|omg|well|oh|ok|okay|i\s+think)[\s,.!]+)*(?:(?:you|switchboard|bot|the\s+bot)(?:\s+(?:are|were|got|have|understood|read|took|did))*(?:['’]re|['’]ve)?\s+(?:(?:it|that|this|me|them|not|so|totally|completely|all|just)\s+)*(?:wrong(?:ly)?|mistaken|confused|mis(?:read|understood|understand)(?:\s+(?:me|it|that))?|incorrect(?:ly)?)|(?:that|this|it|which)(?:\s+is|\s+was|['’]s|s)?\s*(?:not|n['’]t)\s+(?:at\s+all\s+)?what\s+(?:i|we)\s+(?:\p{L}+\s*){1,3}|(?:i|we)\s+(?:did\s*n['’]?o?t|did\s+not|never)\s+(?:ask(?:ed)?|mean|meant|say|said|want|wanted|order(?:ed)?|request(?:ed)?)(?:\s+(?:for|you))*(?:\s+(?:that|this|it|anything(?:\s+like\s+that)?))?)(?:[\s,.!;]+(?:(?:and|so|because|at\s+all|again|here)\b[\s,]*)*|$)/iu;

/** True for a message that only says that the answer before is wrong: "you are wrong, i didn't ask that". */
export function isComplaint(said: string): boolean {
  let rest = respelled(said).text.trim();
  // Each complaint ends where the next one begins.
  for (let count = 0; count < MOST_COMPLAINTS && COMPLAINT.test(rest); count += 1) {
    rest = rest.replace(COMPLAINT, '').trim();
    if (rest === '') return true;
  }
  return false;
}

const MOST_COMPLAINTS = 3;
