import type { LineFact } from '../../../language/line-facts.ts';
import { wordsOf } from '../../../language/sentence.ts';
import type { GuidedAnswer } from '../answers/answer.ts';

/*
 * This file finds the subject of a yes-or-no question. "Is the international add-on still active for ben" asks about an
 * add-on, and a yes about the line would be taken for a yes about that.
 */

const STATES =
  'active|live|alive|online|in\\s+service|on|off|enabled|disabled|switched|turned|allowed|parked|suspended|paused|frozen|cancell?ed|disconnected|deactivated|terminated|gone|deleted';
const SUBJECT = new RegExp(
  String.raw`^\W*(?:(?:hi|hey|hello|so|and|ok|please|pls|quick|question|check|see|tell|me|if|whether|can|could|you|u)[\s,:]+)*(?:is|are|was|isn['’]?t|has|does|do)\s+(?<subject>[^.;!?,]*?)\s+(?:(?:still|now|currently|already|really|even|actually|back)\s+)*(?:${STATES})\b(?!\s+(?:hold|pause|ice|the)\b)`,
  'iu',
);
/** "The international add on still active": the last word of the noun is no state. */
const ADD_ON = /\badd[\s-]?ons?\b/giu;
const PLAIN =
  /^(?:the|a|an|his|hers?|their|its|my|our|that|this|these|those|it|he|she|him|they|them|lines?|numbers?|phones?|cells?|mobiles?|e?sims?|services?|accounts?|customers?|subscribers?|users?|owners?|holders?|still|now|currently|already|actually|really|even|again|of|for|on|at|with|ending|in|both|yet|there|back|to|be|been|not|and|or|any|all|voip|iot|mvno|new|old|s|number|put|set|got|turned|switched|have|has|had|getting|going|about|temporarily|permanently|one)$/i;
const SERVICES =
  /^(?:texts?|texting|sms|mms|messages?|messaging|calls?|calling|voice|data|internet|outgoing|incoming|inbound|outbound|sending|receiving|services?)$/i;
/** Facts that say in what state a line or its services are. */
const OF_STATE: ReadonlySet<LineFact> = new Set(['active', 'parked', 'cancelled', 'texts on', 'calls on', 'data on']);
const OF_SERVICE: ReadonlySet<LineFact> = new Set(['texts on', 'calls on', 'data on']);

/** The thing that a question of a state is about, if it is neither the line nor a service of it. */
export function otherSubject(said: string, facts: readonly LineFact[], names: string): string | undefined {
  if (!facts.some((fact) => OF_STATE.has(fact))) return undefined;
  const subject = SUBJECT.exec(said.replace(ADD_ON, 'addon'))?.groups?.subject;
  if (subject === undefined) return undefined;
  const [thing = ''] = subject.split(/\s+(?:of|for|on|at)\s+/i);
  const isService = facts.some((fact) => OF_SERVICE.has(fact));
  const known = names.toLowerCase().split(/[^\p{L}\d]+/u);
  const isOwn = ({ typed, things }: ReturnType<typeof wordsOf>[number]) => {
    const plain = typed.toLowerCase().replace(/['’]s?$/, '');
    const isName = known.includes(plain) || known.includes(plain.replace(/s$/, ''));
    return (
      isName ||
      PLAIN.test(plain) ||
      (isService && SERVICES.test(plain)) ||
      things.includes('number') ||
      /\d/.test(plain)
    );
  };
  return wordsOf(thing).every(isOwn) ? undefined : thing.replace(/\baddon(s?)\b/gi, 'add-on$1');
}

/** The line with its plan, for a question about another thing than the line. */
export function ofOtherSubject(lookup: GuidedAnswer, thing: string, facts: readonly LineFact[]): GuidedAnswer {
  const left = facts.filter((fact) => !OF_STATE.has(fact));
  const input = lookup.operation === 'numbers_find' ? { ...lookup.input, Full: true } : lookup.input;
  const told = `Whether “${thing}” is on is not in the record of a line, which has its state, its services and its plan`;
  return {
    ...lookup,
    ...{ input, isInstead: true as const, lead: `${told}.`, understood: `${told}. ${lookup.understood}` },
    ...(left.length > 0 && { facts: left }),
  };
}
