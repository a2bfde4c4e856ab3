import { wordsOf } from '../../../language/sentence.ts';
import { type GuidedAnswer, help } from '../answers/answer.ts';
import { everyoneIn } from '../answers/outside.ts';
import type { Reader } from '../answers/readings.ts';
import { peopleIn } from '../facts/names.ts';
import type { Asked } from '../facts/stance.ts';
import { isBlockAlone, isOffAlone } from '../wordings/plain-orders.ts';

/*
 * Sentences that leave open which change is meant: "turn off 0101", "customer lost her phone 2015550101", "cancel
 * everything for Ben". The line is shown, with the changes that may be meant.
 */

const LOST =
  /\b(?:lost|lose[sd]?|stolen|stole|misplaced|missing|nicked|snatched|robbed|broke|broken|smashed|dropped)\b/iu;
const PHONE = /\b(?:phone|fone|handset|mobile|cell|device|iphone|android)\b/iu;
/** A lost SIM gets another one; a stolen one may be in use. */
const STOLEN_SIM =
  /\bsim\b(?=.*\b(?:stolen|stole|nicked|snatched|robbed)\b)|\b(?:stolen|stole|nicked|snatched|robbed)\b.*\bsim\b/iu;
const ASKS =
  /\?|^\W*(?:why|who|what|when|where|how|is|are|was|did|does|has|if)\b|\b(?:not|never|if|unless|until)\b|n['’]t\b/iu;
const EVERYTHING =
  /^\W*(?:(?:please|pls|plz|ok|okay|so|and|can|could|you|u|hi|hey)[\s,]+)*(?:\p{L}+\s+(?:\p{L}+\s+)?(?:wants?|would\s+like|needs?)\s+to\s+)?(?<deed>cancel|terminate|close|end|stop|hold|park|suspend|pause|reactivate|activate)\s+(?:absolutely\s+)?(?<all>everything|all)(?:\s+(?:for|of|on|under|with|that|she|he|they|from)\b|[\s.!]*$)/iu;
const UNLESS =
  /^\W*(?<condition>(?:unless|if)\s+[^,;]*?)[\s,;]+(?:then\s+)?(?:please\s+)?(?:leave|keep)\b[^,;]*\balone\b/iu;

/** The answer to such a sentence. Undefined for any other one. */
export function ofOffered(asked: Asked, { finder }: Reader): GuidedAnswer | undefined {
  const found = offeredIn(asked);
  if (!found || asked.isBack || asked.facts.message !== undefined) return undefined;
  const lookup = finder.plainLookup(asked.facts, asked.clauses);
  const why = `${found.why}. Nothing was done`;
  const nearest = found.nearest.filter(({ operation }) => asked.mayUse(operation));
  if (lookup.kind === 'help') return { ...help(why), nearest };
  return { ...lookup, isInstead: true, lead: `${why}.`, understood: `${why}. ${lookup.understood}`, nearest };
}

interface Offered {
  why: string;
  nearest: NonNullable<GuidedAnswer['nearest']>;
}

function offeredIn({ said, facts, clauses }: Asked): Offered | undefined {
  const lines = facts.mentions.map(({ text }) => ({ Number: text }));
  const PhoneNumbers = lines.length === 0 ? {} : { PhoneNumbers: lines };
  const EffectiveDate = facts.today.replace(/^(\d+)-(\d+)-(\d+)$/, '$2/$3/$1');
  const hold = {
    operation: 'numbers_status',
    label: 'Put it on hold',
    input: { StatusChange: 'park', ...PhoneNumbers, EffectiveDate },
  };
  if (isOffAlone(said))
    return {
      why: 'Whether the line is switched off for now or for good is not said. “Hold NUMBER” pauses it, and “cancel NUMBER” ends it',
      nearest: [hold, { operation: 'numbers_cancel', label: 'Cancel it', input: PhoneNumbers }],
    };
  if (isBlockAlone(said))
    return {
      why: 'Whether the line itself is blocked, or a caller for it, is not said. “Hold NUMBER” pauses it, and “block CALLER for NUMBER” stops one caller',
      nearest: [hold],
    };
  const [person] = peopleIn(...clauses.map(({ words }) => words));
  if ((lines.length === 1 || (lines.length === 0 && person !== undefined)) && isLostAlone(said))
    return {
      why: 'What is to be done about the phone is not said. “Hold NUMBER” pauses the line, and “swap the SIM of NUMBER” gives it a new SIM',
      nearest: [
        hold,
        {
          operation: 'numbers_status',
          label: 'Swap its SIM',
          input: { StatusChange: 'swap-sim', ...PhoneNumbers, EffectiveDate },
        },
      ],
    };
  const { deed, all } = EVERYTHING.exec(said)?.groups ?? {};
  if (deed !== undefined && lines.length === 0 && everyoneIn(said) === undefined)
    return { why: `“${all}” names no line. Write each one: “${deed.toLowerCase()} NUMBER”`, nearest: [] };
  const condition = UNLESS.exec(said)?.groups?.condition;
  if (condition !== undefined)
    return {
      why: `“${condition.trim()}” is a condition, and nothing here waits for it. The line is left as it is`,
      nearest: [],
    };
  return undefined;
}

/** True for a report of a lost or broken phone that asks for nothing. */
function isLostAlone(said: string): boolean {
  const isLost = LOST.test(said) && (PHONE.test(said) || STOLEN_SIM.test(said));
  if (!isLost || ASKS.test(said)) return false;
  const rest = said
    .replace(new RegExp(LOST, 'giu'), ' ')
    .replace(new RegExp(PHONE, 'giu'), ' ')
    .replace(/\bsim\b/giu, ' ')
    .replace(/\d/g, ' ');
  return wordsOf(rest).every(({ acts, things }) => acts.length === 0 && things.every((one) => PLAIN.has(one)));
}

const PLAIN: ReadonlySet<string> = new Set(['number', 'subscriber', 'person', 'newnumber', 'time']);
